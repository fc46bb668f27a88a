"""Checking a data set: every kind of fault is found, named and counted, and nothing else."""

import json

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import (
    DATA_KINDS,
    Expectations,
    LineForm,
    check_data,
    find_pairs,
    format_data_report,
    write_pack,
)
from ocrlstm.datasets.odd_heights import find_odd_heights
from ocrlstm.errors import DatasetError
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import Codec, TextRules

FORM = LineForm(LineNormalizer(kind="scale", height=16, padding=4))


def expect(codec=None, **more):
    """A frame for every four columns."""
    return Expectations(more.pop("form", FORM), lambda widths: widths // 4, codec, **more)


@pytest.fixture
def write(tmp_path):
    """Write NAME.png, a picture of its own, and NAME.gt.txt."""

    def pair(name, text="a line", width=200, height=32, pixels=None):
        path = tmp_path / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        if pixels is None:
            pixels = np.full((height, width), 255, np.uint8)
            pixels[height // 4 : -height // 4, 10 : 10 + sum(map(ord, name)) % 90] = 0
        Image.fromarray(pixels).save(path)
        if text is not None:
            content = text if isinstance(text, bytes) else text.encode()
            path.with_suffix(".gt.txt").write_bytes(content)
        return path

    for number in range(4):
        pair(f"good{number}", f"line {number}")
    return pair


def found(report):
    """The names of all findings, without the folder, by kind."""
    return {
        kind: [finding.name.rpartition("/")[2] for finding in findings]
        for kind, findings in report.findings.items()
    }


def test_a_clean_set(write, tmp_path):
    report = check_data([tmp_path], expect())
    assert (report.pairs, report.usable, report.errors, report.complete) == (4, 4, 0, True)
    assert report.findings == {} and report.cer is None
    assert {use.character: use.count for use in report.texts.characters} == {
        **dict.fromkeys(" lie", 4),
        "n": 4,
        **dict.fromkeys("0123", 1),
    }


def test_every_fault_of_images(write, tmp_path):
    write("cut")
    content = (tmp_path / "cut.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(content[: len(content) // 2])
    (tmp_path / "none.png").write_bytes(b"")
    (tmp_path / "none.gt.txt").write_text("a")
    write("huge", width=3000, height=40)
    write("flat", pixels=np.zeros((1, 900), np.uint8))
    write("page", width=1200, height=1000)
    blank = np.full((32, 200), 200, np.uint8)
    write("blank", pixels=blank)
    write("empty_page", pixels=np.full((1100, 1000), 255, np.uint8))
    dark = np.zeros((32, 200), np.uint8)
    dark[10:20, 20:60:3] = 255
    write("dark", pixels=dark)
    report = check_data([tmp_path], expect(max_pixels=1_250_000))
    assert found(report) == {
        "unreadable_image": ["cut.png", "flat.png", "none.png"],
        "page": ["empty_page.png", "page.png"],
        "blank": ["blank.png"],
        "inverted": ["dark.png"],
    }
    assert (report.pairs, report.usable, report.errors) == (12, 6, 6)
    report = check_data([tmp_path], expect(max_pixels=100_000))
    assert found(report)["oversized_image"] == ["empty_page.png", "huge.png", "page.png"]


def test_every_fault_of_texts(write, tmp_path):
    write("latin1", "ä".encode("latin-1"))
    write("utf16", "abc".encode("utf-16-le"))
    write("two", "one\ntwo\n")
    write("empty", " \n")
    write("long", "a" * 40)
    write("bare", None)
    (tmp_path / "lonely.gt.txt").write_text("a")
    (tmp_path / "book.gt.txt").write_text("a")
    write("book.bin", None)
    report = check_data([tmp_path], expect())
    assert found(report) == {
        "not_utf8": ["latin1.gt.txt", "utf16.gt.txt"],
        "several_lines": ["two.gt.txt"],
        "empty_text": ["empty.gt.txt"],
        "too_long": ["long.png"],
        "without_text": ["bare.png"],
        "without_image": ["lonely.gt.txt"],
    }
    assert (report.pairs, report.usable, report.errors) == (10, 5, 5)
    details = {f.name.rpartition("/")[2]: f.detail for fs in report.findings.values() for f in fs}
    assert details["latin1.gt.txt"].startswith("not UTF-8 (byte 0xe4 at offset 0)")
    assert details["two.gt.txt"].startswith("holds 2 lines of text")
    assert details["long.png"].startswith("40 characters need 79 frames, the line gives 27 (108 ")


def test_a_pair_with_two_faults_has_both_and_counts_once(write, tmp_path):
    write("bad", b"\xff", pixels=np.full((32, 200), 255, np.uint8))
    report = check_data([tmp_path], expect())
    assert found(report) == {"blank": ["bad.png"], "not_utf8": ["bad.gt.txt"]}
    assert (report.usable, report.errors) == (4, 2)


def test_characters_that_the_model_lacks(write, tmp_path):
    write("odd", "line ß")
    report = check_data([tmp_path], expect(Codec.from_texts(["line 0123"])))
    assert found(report) == {"missing_characters": ["odd.gt.txt"]}
    (finding,) = report.findings["missing_characters"]
    assert "'ß' (U+00DF)" in finding.detail


def test_rules_are_applied_before_the_characters_are_compared(write, tmp_path):
    write("odd", "line ſ")
    codec = Codec.from_texts(["line 0123 s"])
    form = LineForm(FORM.normalizer, "NFC", TextRules(("long_s",)))
    assert found(check_data([tmp_path], expect(codec))) == {"missing_characters": ["odd.gt.txt"]}
    report = check_data([tmp_path], expect(codec, form=form))
    assert found(report) == {}


def test_equal_pictures(write, tmp_path):
    pixels = np.array(Image.open(tmp_path / "good1.png"))
    Image.fromarray(pixels).convert("RGB").save(tmp_path / "same.tif")
    (tmp_path / "same.gt.txt").write_text("line  1\n")
    write("other", "line 7", pixels=pixels)
    write("blank1", "one", pixels=np.full((32, 200), 255, np.uint8))
    write("blank2", "two", pixels=np.full((32, 200), 255, np.uint8))
    report = check_data([tmp_path], expect())
    first = str(tmp_path / "good1.png")
    assert found(report) == {
        "blank": ["blank1.png", "blank2.png"],
        "contradiction": ["other.png"],
        "duplicate": ["same.tif"],
    }
    (contradiction,), (duplicate,) = report.findings["contradiction"], report.findings["duplicate"]
    assert contradiction.other == duplicate.other == first
    assert contradiction.detail.endswith("but the text is 'line 7' and not 'line 1'")
    assert report.usable == 5


class TestHeights:
    def test_of_a_folder_with_many(self):
        heights = np.array([*[40] * 30, 101, 15, 100, 16, 0, *[120] * 25])
        folders = np.array([*[0] * 35, *[1] * 25])
        odd = find_odd_heights(heights, folders)
        assert [(one.number, one.height, one.median) for one in odd] == [
            (30, 101, 40),
            (31, 15, 40),
        ]
        assert all(one.of_folder for one in odd)

    def test_of_folders_with_few(self):
        heights = np.array([40] * 30 + [120])
        odd = find_odd_heights(heights, np.array([0] * 30 + [1]))
        assert [(one.number, one.median, one.of_folder) for one in odd] == [(30, 40, False)]

    def test_of_none(self):
        assert find_odd_heights(np.array([], int), np.array([], int)) == []
        assert find_odd_heights(np.array([0, 0]), np.array([0, 1])) == []


class TestReading:
    def read(self, readings):
        return lambda pairs: [
            readings.get(pair.name.rpartition("/")[2], "line 0") for pair in pairs
        ]

    def test_suspected_mispairs(self, write, tmp_path):
        write("swapped", "something else")
        write("short", "no")
        write("bad", "x")
        (tmp_path / "bad.png").write_bytes(b"")
        readings = {"good3.png": None, "short.png": "yes"}
        report = check_data([tmp_path], expect(), read=self.read(readings))
        assert found(report) == {"unreadable_image": ["bad.png"], "mispair": ["swapped.png"]}
        (finding,) = report.findings["mispair"]
        assert finding.detail == (
            "CER 79 %: the text is 'something else', the model reads 'line 0'"
        )
        # good1 and good2, short, swapped; read were good0 to good2, short and swapped.
        assert report.cer == (1 + 1 + 3 + 11) / (3 * 6 + 2 + 14)
        assert (report.lines_read, report.usable) == (5, 5)
        assert not report.unsuited_model

    def test_a_model_that_reads_nothing_right(self, write, tmp_path):
        for number in range(8):
            write(f"more{number}", "words upon words")
        report = check_data([tmp_path], expect(), read=self.read({}))
        assert len(report.findings["mispair"]) == 8
        assert report.unsuited_model and report.to_dict()["unsuited_model"]
        assert "a model of other prints" in format_data_report(report)

    def test_many_lines_are_read_in_pieces(self, write, tmp_path):
        sizes = []

        def read(pairs):
            sizes.append(len(pairs))
            return ["line 0"] * len(pairs)

        image, text = tmp_path / "good0.png", tmp_path / "good0.gt.txt"
        for number in range(300):
            (tmp_path / f"copy{number}.png").symlink_to(image)
            (tmp_path / f"copy{number}.gt.txt").symlink_to(text)
        pack = write_pack(tmp_path / "a.pack", find_pairs([tmp_path]).pairs, FORM).pack
        many = write_pack(tmp_path / "b.pack", pack.pairs(), FORM).pack
        check_data([tmp_path], expect(), read=read)
        assert sum(sizes) == 4 and len(many) == 4
        sizes.clear()
        lines = tmp_path / "lines"
        lines.mkdir()
        for number in range(300):
            (lines / f"{number}.png").write_bytes(image.read_bytes())
            (lines / f"{number}.gt.txt").write_text("line 0")
        report = check_data([lines], expect(), read=read)
        assert sizes == [256, 44]
        assert len(report.findings["duplicate"]) == 299


def test_packs(write, tmp_path):
    write("copy", "line 5", pixels=np.array(Image.open(tmp_path / "good1.png")))
    pack = write_pack(tmp_path / "a.pack", find_pairs([tmp_path]).pairs, FORM).pack
    report = check_data([pack], expect())
    assert found(report) == {"contradiction": ["good1.png"]}
    other = LineForm(LineNormalizer(kind="scale", height=20, padding=4))
    assert found(check_data([pack], expect(form=other))) == found(report)
    with pytest.raises(DatasetError, match="packed with height 16 instead of 20"):
        check_data([pack], expect(Codec.from_texts(["line 0123"]), form=other))


def test_stopped(write, tmp_path):
    done = []
    report = check_data(
        [tmp_path],
        expect(),
        progress=lambda *numbers: done.append(numbers),
        should_stop=lambda: len(done) == 2,
    )
    assert done == [(1, 4), (2, 4)]
    assert (report.pairs, report.usable, report.complete) == (2, 2, False)
    assert report.texts.texts == 2
    assert format_data_report(report).startswith("2 pairs (stopped before the end), 2 of them")


def test_nothing_there(tmp_path):
    with pytest.raises(DatasetError, match="no image"):
        check_data([tmp_path], expect())


def test_as_text_and_as_json(write, tmp_path):
    for number in range(3):
        write(f"empty{number}", "")
    write("quote", 'line "1"')
    (tmp_path / "quote2.gt.txt").write_text("x")
    report = check_data([tmp_path], expect())
    text = format_data_report(report, shown=1)
    assert text.splitlines()[0] == "8 pairs, 5 of them without errors"
    assert "\nerrors\n  3 empty texts\n" in text and "      and 2 more\n" in text
    assert "\nnotes\n  1 text without an image\n" in text
    assert "'\"' U+0022 QUOTATION MARK" in format_data_report(report, shown=9)
    histogram = format_data_report(report, histogram=True).splitlines()
    assert "       5       5  'e' U+0065 LATIN SMALL LETTER E" in histogram
    values = json.loads(json.dumps(report.to_dict()))
    assert values["findings"]["empty_text"]["count"] == 3
    assert len(values["findings"]["empty_text"]["items"]) == 3
    assert values["findings"]["empty_text"]["error"]
    assert not values["findings"]["without_image"]["error"]
    assert values["texts"]["texts"] == 8
    assert set(values["findings"]) <= set(DATA_KINDS)
