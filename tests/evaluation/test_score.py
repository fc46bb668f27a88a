"""Reports on a few lines that can be counted by hand."""

import json

import pytest

from ocrlstm.evaluation import LineResult, Report, format_report, score


@pytest.mark.parametrize(
    ("truth", "prediction", "edits", "characters", "cer"),
    [
        ("four", "four", 0, 4, 0.0),
        ("four", "", 4, 4, 1.0),
        ("", "", 0, 0, 0.0),
        ("", "xy", 2, 0, 1.0),
        ("ab", "abcde", 3, 2, 1.5),
        (" a  b\n", "a b", 0, 3, 0.0),
        ("a\u0308", "ä", 0, 1, 0.0),
        # Code points, not graphemes: a lost combining mark is one of two.
        ("q̃", "q", 1, 2, 0.5),
    ],
)
def test_character_error_rate(
    truth: str, prediction: str, edits: int, characters: int, cer: float
) -> None:
    report = score([truth], [prediction])
    assert (report.edits, report.characters, report.cer) == (edits, characters, cer)
    assert report.exact_lines == (edits == 0)


def test_normal_form_decides_what_is_equal() -> None:
    assert score(["ſ"], ["s"], normal_form="NFC").edits == 1
    assert score(["ſ"], ["s"], normal_form="NFKC").edits == 0
    assert score(["a\u0308"], ["ä"], normal_form="none").edits == 2


REPORT = score(
    ["das Haus am See", "", "und so", "gut"],
    ["das Hans an See", "x", "und so", ""],
    names=["a.png", "b.png", "c.png", "d.png"],
)


def test_counts_by_hand() -> None:
    assert (REPORT.edits, REPORT.characters) == (2 + 1 + 0 + 3, 15 + 0 + 6 + 3)
    # "Haus" and "am" are wrong, "x" is too much, "gut" is lost.
    assert (REPORT.word_edits, REPORT.words) == (2 + 1 + 0 + 1, 4 + 0 + 2 + 1)
    assert REPORT.cer == 6 / 24
    assert REPORT.wer == 4 / 7
    assert (REPORT.lines, REPORT.exact_lines) == (4, 1)
    low, high = REPORT.cer_interval
    assert 0 <= low <= REPORT.cer <= high


def test_confusions_most_common_first() -> None:
    report = score(["aaab", "b"], ["xxxb", "c"])
    assert report.confusions == (("a", "x", 3), ("b", "c", 1))
    assert set(REPORT.confusions) == {
        ("u", "n", 1),
        ("m", "n", 1),
        ("", "x", 1),
        ("g", "", 1),
        ("u", "", 1),
        ("t", "", 1),
    }


def test_worst_lines_first_and_none_that_is_right() -> None:
    assert [line.name for line in REPORT.worst] == ["d.png", "a.png", "b.png"]
    assert REPORT.worst[0] == LineResult("d.png", "gut", "", 3)
    assert [line.name for line in score(["ab", "b"], ["", ""], worst=1).worst] == ["line 1"]
    assert score(["ab"], [""], worst=0).worst == ()


def test_a_seed_gives_the_same_report_again() -> None:
    truths, predictions = ["abc", "de", "f"] * 5, ["abd", "de", ""] * 5
    assert score(truths, predictions, seed=4) == score(truths, predictions, seed=4)
    assert score(truths, predictions, seed=4).cer_interval != REPORT.cer_interval


def test_no_lines() -> None:
    report = score([], [])
    assert (report.cer, report.wer, report.lines, report.cer_interval) == (0.0, 0.0, 0, (0.0, 0.0))


def test_lengths_that_differ_are_named() -> None:
    with pytest.raises(ValueError, match="2 truths, 1 predictions and 2 names"):
        score(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="1 names"):
        score(["a", "b"], ["a", "b"], names=["x"])


def test_dictionary_is_json() -> None:
    values = json.loads(json.dumps(REPORT.to_dict()))
    assert set(values) == {
        *("cer", "edits", "characters", "wer", "word_edits", "words", "lines", "exact_lines"),
        *("cer_interval", "confusions", "worst"),
    }
    assert values["cer"] == 0.25
    assert values["worst"][0] == {
        **{"name": "d.png", "truth": "gut"},
        **{"prediction": "", "edits": 3},
    }
    assert {"truth": "", "read": "x", "count": 1} in values["confusions"]


def test_text_for_the_terminal() -> None:
    report = Report(
        cer=0.0125,
        edits=1,
        characters=80,
        wer=0.1,
        word_edits=1,
        words=10,
        lines=2,
        exact_lines=1,
        cer_interval=(0.0, 0.02),
        confusions=((" ", "", 1),),
        worst=(LineResult("a.png", "zu viel", "zuviel", 1),),
    )
    assert format_report(report).splitlines() == [
        "CER    1.25% (95 % interval 0.00% to 2.00%), 1 edits in 80 characters",
        "WER    10.00%, 1 edits in 10 words",
        "lines  1 of 2 without error",
        "",
        "most common errors (count, truth, read)",
        '      1  " "    -',
        "",
        "worst lines (edits, name, truth, read)",
        "      1  a.png",
        "         zu viel",
        "         zuviel",
    ]
