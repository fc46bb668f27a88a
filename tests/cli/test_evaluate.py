"""``ocrlstm evaluate``: scores of a model and of texts, with what could not be read."""

import json
from dataclasses import replace

import pytest

from ocrlstm.datasets import LineForm, MemoryPair, write_pack
from ocrlstm.network import save_model


@pytest.fixture
def evaluate(run, bar_model_file):
    return lambda *arguments: run("evaluate", "-m", bar_model_file, *arguments)


@pytest.fixture
def folder(write_line, tmp_path):
    """Three lines; the model reads "i", "ii", "iii", which is 1 edit of 7 characters."""
    write_line(tmp_path / "in", "a", 1, "i")
    write_line(tmp_path / "in", "b", 2, "ij")
    write_line(tmp_path / "in", "c", 3, "iii")
    return tmp_path / "in"


def test_json_holds_the_scores(evaluate, folder):
    result = evaluate(folder, "--json")
    assert result.exit_code == 0
    assert result.stderr == (
        "ocrlstm: unknown to the model and counted as an error wherever it occurs: "
        f"'j' (U+006A) in {folder}/b.gt.txt\n"
    )
    values = json.loads(result.stdout)
    assert values["cer"] == pytest.approx(1 / 6)
    assert (values["edits"], values["characters"]) == (1, 6)
    assert (values["lines"], values["exact_lines"]) == (3, 2)
    assert values["wer"] == pytest.approx(1 / 3)
    assert values["confusions"] == [{"truth": "j", "read": "i", "count": 1}]
    assert values["worst"][0]["name"] == str(folder / "b.png")
    assert values["unread"] == 0


def test_text_report(evaluate, folder):
    result = evaluate(folder)
    assert result.exit_code == 0
    assert "16.67%" in result.stdout
    assert "1 edits in 6 characters" in result.stdout
    assert str(folder / "b.png") in result.stdout
    assert "worst lines" not in evaluate(folder, "--worst", 0).stdout


def test_images_without_text_are_told(evaluate, folder, write_line):
    write_line(folder, "d", 3)
    result = evaluate(folder, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["lines"] == 3
    assert "1 image has no text and does not count" in result.stderr


def test_an_unreadable_image_counts_as_empty(evaluate, folder):
    (folder / "c.png").write_bytes(b"")
    result = evaluate(folder, "--json")
    assert result.exit_code == 1
    values = json.loads(result.stdout)
    assert (values["edits"], values["characters"], values["unread"]) == (1 + 3, 6, 1)
    assert "c.png: is empty" in result.stderr and "counts as empty" in result.stderr


def test_a_bad_text_is_left_out(evaluate, folder):
    (folder / "b.gt.txt").write_bytes(b"\xff\xfe")
    result = evaluate(folder, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["characters"] == 4
    assert "b.gt.txt: not UTF-8" in result.stderr


def test_an_empty_text_counts_what_is_read(evaluate, folder):
    (folder / "b.gt.txt").write_text("\n")
    result = evaluate(folder, "--json")
    assert result.exit_code == 0
    values = json.loads(result.stdout)
    assert (values["edits"], values["characters"], values["lines"]) == (2, 4, 3)
    assert "b.gt.txt: the text is empty" in result.stderr


def test_texts_that_recognize_wrote(run, bar_model_file, evaluate, folder, tmp_path):
    run("recognize", "-m", bar_model_file, folder, "-o", tmp_path / "out")
    by_model = json.loads(evaluate(folder, "--json").stdout)
    by_texts = json.loads(
        run("evaluate", folder, "--predictions", tmp_path / "out", "--json").stdout
    )
    # Texts come without confidences.
    assert by_model.pop("reliability")["characters"] == 6
    assert by_texts == by_model


def test_texts_of_same_names_in_different_folders(run, bar_model_file, write_line, tmp_path):
    write_line(tmp_path / "book" / "p1", "1", 1, "i")
    write_line(tmp_path / "book" / "p2", "1", 2, "ii")
    write_line(tmp_path / "book" / "p2", "2", 2)
    run("recognize", "-m", bar_model_file, tmp_path / "book", "-o", tmp_path / "out")
    result = run("evaluate", tmp_path / "book", "--predictions", tmp_path / "out", "--json")
    assert json.loads(result.stdout)["exact_lines"] == 2


def test_texts_of_other_programs(run, write_line, tmp_path):
    path = write_line(tmp_path / "in", "a.bin", 1, None)
    (path.parent / "a.gt.txt").write_text("one two\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_bytes("\ufeffone\r\ntwo\n\f".encode())
    result = run("evaluate", path, "--predictions", tmp_path / "out", "--json")
    assert json.loads(result.stdout)["cer"] == 0


def test_missing_and_broken_predictions(run, folder, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("i")
    (tmp_path / "out" / "b.txt").write_bytes(b"\xe4")
    result = run("evaluate", folder, "--predictions", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["edits"] == 2 + 3
    assert "b.txt: not UTF-8" in result.stderr
    assert "c.txt: no such prediction" in result.stderr


def test_no_folder_of_predictions(run, folder, tmp_path):
    result = run("evaluate", folder, "--predictions", tmp_path / "none")
    assert result.exit_code == 2
    assert result.stderr == f"ocrlstm: error: {tmp_path}/none: no such folder of predictions\n"


def test_everything_is_in_the_json(evaluate, folder):
    values = json.loads(evaluate(folder, "--json", "--by", "folder").stdout)
    assert values["variants"]["case"] == {"cer": pytest.approx(1 / 6), "edits": 1, "characters": 6}
    assert values["cer_by_longer"] == pytest.approx(1 / 6)
    assert values["spaces"]["spaces"] == 0
    assert [(s["script"], s["replaced"]) for s in values["scripts"]] == [("Latin", 1)]
    assert values["context_confusions"] == [
        {
            "truth": "j",
            "read": "i",
            "count": 1,
            "contexts": [
                {"before": "i", "after": "", "count": 1, "name": str(folder / "b.png")},
            ],
        }
    ]
    assert values["groups"][0]["name"] == str(folder)
    # Six of "i" with a posterior of nearly 1, five of them right.
    reliability = values["reliability"]
    assert reliability["accuracy"] == pytest.approx(5 / 6)
    assert reliability["ece_equal_width"] == pytest.approx(1 / 6, abs=1e-6)
    assert [each["count"] for each in reliability["bins"]] == [6]
    assert "comparison" not in values


def test_the_text_report_tells_more_on_demand(evaluate, folder):
    short, full = evaluate(folder).stdout, evaluate(folder, "--full").stdout
    assert short.startswith("CER    16.67%")
    assert "without regard to case 16.67%" in short
    assert "expected calibration error 16.67%" in short
    assert '1  "j"    "i"    i[j]' in short
    assert "by script" not in short and "by script" in full


def test_groups(evaluate, folder, write_line):
    write_line(folder.parent / "other", "d", 2, "ii")
    result = evaluate(folder, folder.parent / "other", "--by", "folder", "--json")
    groups = json.loads(result.stdout)["groups"]
    assert [(g["name"], g["edits"], g["characters"], g["lines"]) for g in groups] == [
        (str(folder), 1, 6, 3),
        (str(folder.parent / "other"), 0, 2, 1),
    ]
    by_name = json.loads(evaluate(folder, "--by", r"([ab])\.png", "--json").stdout)["groups"]
    assert [(g["name"], g["edits"]) for g in by_name] == [("(other names)", 0), ("a", 0), ("b", 1)]
    assert "by group" in evaluate(folder, "--by", "folder").stdout


def test_a_pattern_that_is_none(evaluate, folder):
    result = evaluate(folder, "--by", "(")
    assert result.exit_code == 2
    assert "'(' is not a regular expression" in result.stderr


@pytest.fixture
def blind_model_file(bar_model, tmp_path):
    """Reads nothing at all."""
    weights = next(iter(bar_model.network.parameters().values()))
    weights[0, 0] = 99.0
    save_model(bar_model, tmp_path / "blind.safetensors")
    return tmp_path / "blind.safetensors"


def test_two_models(evaluate, folder, blind_model_file):
    result = evaluate(folder, "--against", blind_model_file, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)["comparison"]
    assert (found["cer"], found["other_cer"]) == (pytest.approx(1 / 6), 1.0)
    assert found["difference"] == pytest.approx(-5 / 6)
    assert (found["lines_better"], found["lines_worse"], found["lines_equal"]) == (3, 0, 0)
    assert found["better_share"] == 1.0
    assert found["differing"][0]["name"] == str(folder / "c.png")
    assert (found["differing"][0]["first"], found["differing"][0]["second"]) == ("iii", "")
    text = evaluate(folder, "--against", blind_model_file).stdout
    assert "against the other reading, whose CER is 100.00%: -83.33 points" in text
    assert "3 lines better, 0 worse, 0 equal" in text


def test_a_model_and_texts(evaluate, folder, tmp_path):
    (tmp_path / "texts").mkdir()
    for name, text in (("a", "i"), ("b", "ij"), ("c", "iij")):
        (tmp_path / "texts" / f"{name}.txt").write_text(text)
    result = evaluate(folder, "--against-predictions", tmp_path / "texts", "--json")
    found = json.loads(result.stdout)["comparison"]
    assert (found["cer"], found["other_cer"]) == (pytest.approx(1 / 6), pytest.approx(1 / 6))
    assert (found["lines_better"], found["lines_worse"], found["lines_equal"]) == (1, 1, 1)
    assert found["p_value"] > 0.5


def test_a_missing_line_of_the_other_reading_is_told(evaluate, folder, tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("i")
    result = evaluate(folder, "--against-predictions", tmp_path / "texts", "--json")
    assert result.exit_code == 1
    assert "c.txt: no such prediction; counts as empty" in result.stderr
    assert json.loads(result.stdout)["comparison"]["other_cer"] == pytest.approx(5 / 6)


def test_one_thing_to_compare_with(evaluate, folder, tmp_path):
    result = evaluate(folder, "--against", "x", "--against-predictions", tmp_path)
    assert result.exit_code == 2
    assert "not both" in result.stderr


def test_a_page(evaluate, folder, blind_model_file, tmp_path):
    page = tmp_path / "report.html"
    options = ("--html", page, "--against", blind_model_file, "--by", "folder")
    result = evaluate(folder, *options)
    assert result.exit_code == 0 and result.stdout.startswith("CER")
    content = page.read_text(encoding="utf-8")
    assert content.count("<img") == 1 + 3  # the worst line, and those that differ
    assert "<svg" in content and "16.67%" in content and "Against the other reading" in content
    assert "http" not in content.replace("http-equiv", "")


def test_a_page_of_texts(run, folder, tmp_path):
    (tmp_path / "out").mkdir()
    for name in "abc":
        (tmp_path / "out" / f"{name}.txt").write_text("<b>&")
    page = tmp_path / "report.html"
    result = run("evaluate", folder, "--predictions", tmp_path / "out", "--html", page)
    assert result.exit_code == 0
    content = page.read_text(encoding="utf-8")
    assert "came without confidences" in content
    assert "<b>" not in content and "&lt;b&gt;" in content


@pytest.mark.parametrize("place", ["", "none/report.html"])
def test_a_page_that_cannot_be_written_is_told_at_once(evaluate, folder, tmp_path, place):
    result = evaluate(folder, "--html", tmp_path / place)
    assert result.exit_code == 2 and not result.stdout
    assert "with --html" in result.stderr and result.stderr.count("\n") == 1


def test_a_pack(evaluate, bar_model, bars, tmp_path):
    pairs = [MemoryPair(bars(count), "i" * 2, f"{count}.png") for count in (2, 3)]
    pack = write_pack(tmp_path / "lines.pack", pairs, LineForm(bar_model.normalizer)).pack
    result = evaluate(pack.path, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["edits"] == 1


def test_a_pack_of_other_lines(evaluate, bar_model, bars, tmp_path):
    form = LineForm(replace(bar_model.normalizer, padding=3))
    pack = write_pack(tmp_path / "lines.pack", [MemoryPair(bars(2), "ii", "a")], form).pack
    result = evaluate(pack.path)
    assert result.exit_code == 2
    assert "lines.pack: packed with padding 3 instead of 16" in result.stderr
