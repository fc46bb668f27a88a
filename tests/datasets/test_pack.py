"""Packs: what goes in comes out, and no file can do harm."""

import hashlib
import json
import os
import zlib

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import LineForm, MemoryPair, check_pairs, find_pairs, open_pack, write_pack
from ocrlstm.datasets.line_set import fingerprint
from ocrlstm.datasets.pack import is_pack
from ocrlstm.datasets.pack_format import ENTRY, PREAMBLE, pack_preamble
from ocrlstm.errors import DatasetError, OutputError
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import TextRules

FORM = LineForm(LineNormalizer(kind="scale", height=16, padding=4))


def draw_pairs(count, first=0):
    """Pictures and texts, all different."""
    pairs = []
    for number in range(first, first + count):
        pixels = np.full((20, 30 + number), 255, np.uint8)
        pixels[4:16, 6 : 8 + number % 9] = 0
        pairs.append(MemoryPair(pixels, f"line {number}", f"{number}.png"))
    return pairs


@pytest.fixture
def pack(tmp_path):
    return write_pack(tmp_path / "lines.pack", draw_pairs(9), FORM).pack


def contents(lines):
    return [(s.name, s.text, s.pixels.shape, s.pixels.tobytes()) for s in lines]


def test_a_pack_holds_what_check_pairs_makes(pack):
    lines, _ = check_pairs(draw_pairs(9), FORM.normalizer, FORM.normal_form)
    assert contents(pack) == contents(lines)
    np.testing.assert_array_equal(pack.widths, lines.widths)
    np.testing.assert_array_equal(pack.pictures, lines.pictures)
    assert fingerprint([pack]) == fingerprint([lines])
    assert pack.form == FORM
    assert pack.complete


def test_the_same_lines_give_the_same_bytes(pack, tmp_path):
    other = write_pack(tmp_path / "other.pack", draw_pairs(9), FORM).pack
    assert pack.path.read_bytes() == other.path.read_bytes()
    fewer = write_pack(tmp_path / "fewer.pack", draw_pairs(8), FORM).pack
    assert len({pack.digest, other.digest, fewer.digest}) == 2


def test_rules_and_normal_form_are_applied_and_kept(tmp_path):
    form = LineForm(FORM.normalizer, "NFD", TextRules(("long_s",)))
    image = draw_pairs(1)[0].image
    pack = write_pack(tmp_path / "a.pack", [MemoryPair(image, "Waſſer  ä", "a")], form).pack
    assert pack.text(0) == "Wasser a\u0308"
    assert open_pack(pack.path).form == form
    with pytest.raises(DatasetError, match=r"a\.pack: packed with normal form NFD instead of NFC"):
        pack.require(LineForm(FORM.normalizer, "NFC", TextRules(("long_s",))))


@pytest.mark.parametrize(
    ("normalizer", "found"),
    [
        (LineNormalizer(kind="scale", height=20, padding=4), "height 16 instead of 20"),
        (LineNormalizer(height=16, padding=4), "normaliser scale instead of center"),
        (
            LineNormalizer(kind="scale", height=16, padding=4, range=3.0),
            "range 4.0 instead of 3.0",
        ),
    ],
)
def test_another_form_is_refused_with_the_remedy(pack, normalizer, found):
    with pytest.raises(DatasetError, match=f"packed with {found}; pack again with the settings"):
        pack.require(LineForm(normalizer))


def test_bad_pairs_are_told_and_left_out(tmp_path):
    pairs = draw_pairs(4)
    pairs[1] = MemoryPair(pairs[1].image, " ", "empty")
    pairs[2] = MemoryPair(b"no image", "text", "broken")
    done = []
    packed = write_pack(tmp_path / "a.pack", pairs, FORM, progress=lambda *n: done.append(n))
    assert list(packed.pack.texts()) == ["line 0", "line 3"]
    assert [str(problem.path) for problem in packed.problems] == ["empty", "broken"]
    assert done == [(n, 4) for n in range(1, 5)]


def test_nothing_of_use_leaves_nothing(tmp_path):
    with pytest.raises(DatasetError, match="none of 1 pairs .* first problem: a: the text is emp"):
        write_pack(tmp_path / "a.pack", [MemoryPair(np.ones((9, 9)), "", "a")], FORM)
    assert list(tmp_path.iterdir()) == []


def test_paths_that_are_no_utf8(tmp_path):
    pair = draw_pairs(1)[0]
    name = os.fsdecode(b"caf\xe9.png")
    pack = write_pack(tmp_path / "a.pack", [MemoryPair(pair.image, "a", name)], FORM).pack
    assert pack.name(0) == name


class TestTakingOver:
    def test_lines_are_copied_and_pairs_that_are_there_are_not_read(self, pack, tmp_path):
        pairs = draw_pairs(12)
        pairs[3] = MemoryPair(b"never read", pairs[3].text, pairs[3].name)
        packed = write_pack(tmp_path / "more.pack", [*pack.pairs(), *pairs], FORM)
        assert (packed.taken_over, packed.known, packed.problems) == (9, 9, [])
        whole = write_pack(tmp_path / "whole.pack", draw_pairs(12), FORM).pack
        assert contents(packed.pack) == contents(whole)
        assert packed.pack.path.read_bytes() == whole.path.read_bytes()

    def test_a_new_text_takes_the_place_of_the_old_one(self, pack, tmp_path):
        pair = draw_pairs(3)[2]
        pairs = [MemoryPair(pair.image, "new", pair.name), *pack.pairs()]
        packed = write_pack(tmp_path / "more.pack", pairs, FORM)
        expected = ["new", *(f"line {n}" for n in range(9) if n != 2)]
        assert list(packed.pack.texts()) == expected
        assert (packed.taken_over, packed.known) == (8, 1)

    def test_a_text_that_is_no_more_of_use_is_told_and_the_packed_line_stays(self, pack, tmp_path):
        pair = draw_pairs(3)[2]
        pairs = [*pack.pairs(), MemoryPair(pair.image, " ", pair.name)]
        packed = write_pack(tmp_path / "more.pack", pairs, FORM)
        assert len(packed.pack) == 9
        assert [problem.reason for problem in packed.problems] == ["the text is empty"]

    def test_a_line_of_several_packs_comes_once(self, pack, tmp_path):
        other = write_pack(tmp_path / "b.pack", draw_pairs(4, first=7), FORM).pack
        pairs = [*pack.pairs(), *other.pairs(), *pack.pairs()]
        packed = write_pack(tmp_path / "all.pack", pairs, FORM)
        assert list(packed.pack.texts()) == [f"line {n}" for n in range(11)]
        same_name = MemoryPair(draw_pairs(3)[2].image, "line 0", "0.png")
        third = write_pack(tmp_path / "c.pack", [same_name], FORM).pack
        pairs = [*pack.pairs(), *third.pairs()]
        assert len(write_pack(tmp_path / "all.pack", pairs, FORM).pack) == 10

    def test_into_itself(self, pack):
        write_pack(pack.path, [*pack.pairs(), *draw_pairs(2, first=20)], FORM)
        assert len(open_pack(pack.path)) == 11
        assert len(pack) == len(contents(pack)) == 9  # what is open stays as it was

    def test_another_form_is_refused(self, pack, tmp_path):
        with pytest.raises(DatasetError, match="packed with normal form NFC instead of NFD"):
            write_pack(tmp_path / "a.pack", pack.pairs(), LineForm(FORM.normalizer, "NFD"))
        assert [path.name for path in tmp_path.iterdir()] == ["lines.pack"]

    def test_packs_are_found_among_paths(self, pack, tmp_path):
        (tmp_path / "list.txt").write_text("lines.pack\n", encoding="utf-8")
        for paths in ([pack], [str(pack.path)], [f"@{tmp_path}/list.txt"], [pack, pack.path]):
            found = find_pairs(paths)
            assert [pair.name for pair in found.pairs] == list(pack.names())
            assert [pair.read_text() for pair in found.pairs] == list(pack.texts())
        ink = found.pairs[2].read_ink()
        assert ink.dtype == np.float32
        np.testing.assert_allclose(ink, pack[2].pixels / 255, rtol=1e-6)

    def test_a_damaged_pack_is_not_passed_over(self, pack, tmp_path):
        pack.path.write_bytes(b"x")
        Image.fromarray(draw_pairs(1)[0].image).save(tmp_path / "a.png")
        (tmp_path / "a.gt.txt").write_text("a")
        with pytest.raises(DatasetError, match=r"lines\.pack: not a pack of lines"):
            find_pairs([tmp_path / "a.png", pack.path])


class TestInterrupted:
    def interrupt_after(self, lines):
        def progress(done, total):
            if done == lines:
                raise KeyboardInterrupt

        return progress

    def test_what_was_done_is_kept_apart_and_gone_on_with(self, pack, tmp_path):
        before = pack.path.read_bytes()
        packed = write_pack(pack.path, draw_pairs(12), FORM, progress=self.interrupt_after(5))
        assert packed.pack.path == tmp_path / "lines.partial.pack"
        assert not packed.pack.complete
        assert list(packed.pack.texts()) == [f"line {n}" for n in range(5)]
        assert pack.path.read_bytes() == before
        whole = write_pack(pack.path, [*packed.pack.pairs(), *draw_pairs(12)], FORM)
        assert (whole.known, whole.pack.complete) == (5, True)
        expected, _ = check_pairs(draw_pairs(12), FORM.normalizer, FORM.normal_form)
        assert contents(whole.pack) == contents(expected)

    def test_while_taking_over(self, pack, tmp_path):
        pairs = [*pack.pairs(), *draw_pairs(12)]
        packed = write_pack(tmp_path / "b.pack", pairs, FORM, progress=self.interrupt_after(4))
        (problem,) = find_pairs([packed.pack]).problems
        assert str(problem).endswith(
            "b.partial.pack: packing was interrupted; it holds the first 4 lines only"
        )
        assert (packed.taken_over, len(packed.pack)) == (4, 4)

    def test_before_the_first_line(self, tmp_path):
        pairs = [MemoryPair(b"", "a", "a"), *draw_pairs(2)]
        with pytest.raises(KeyboardInterrupt):
            write_pack(tmp_path / "a.pack", pairs, FORM, progress=self.interrupt_after(1))
        assert list(tmp_path.iterdir()) == []

    def test_a_killed_process_leaves_a_file_that_says_so(self, pack, tmp_path):
        content = pack.path.read_bytes()
        half = tmp_path / "half.pack"
        half.write_bytes(bytes(PREAMBLE.size) + content[PREAMBLE.size : len(content) // 2])
        with pytest.raises(DatasetError, match=r"half\.pack: packing was not finished; delete it"):
            open_pack(half)


@pytest.mark.parametrize(
    ("name", "message"),
    [("no/a.pack", "there is no folder"), ("folder", "is a folder; name a file in it")],
)
def test_outputs_are_refused_before_reading(tmp_path, name, message):
    (tmp_path / "folder.pack").mkdir()
    with pytest.raises(OutputError, match=message):
        write_pack(tmp_path / name, [], FORM)


def test_a_full_disk(tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"a\.pack: cannot be written \(No space left"):
        write_pack(tmp_path / "a.pack", draw_pairs(2), FORM)
    assert list(tmp_path.iterdir()) == []


def test_known_by_name_or_by_its_first_bytes(pack, tmp_path):
    unnamed = tmp_path / "lines.bin"
    unnamed.write_bytes(pack.path.read_bytes())
    (tmp_path / "a.png").write_bytes(b"ocrp")
    assert is_pack(pack.path) and is_pack(unnamed)
    assert not is_pack(tmp_path / "a.png") and not is_pack(tmp_path) and not is_pack("no.pack")
    assert len(open_pack(unnamed)) == 9


# Files of strangers


def rewrite(pack, path, change_header=lambda values: None, change_index=lambda index: None):
    """Write a pack anew with other tables, and digests that fit them."""
    content, header = pack.path.read_bytes(), pack.header
    index = np.frombuffer(content, ENTRY, header.lines, header.index).copy()
    change_index(index)
    values = json.loads(header.to_json())
    change_header(values)
    text = values if isinstance(values, bytes) else json.dumps(values).encode()
    tables = index.tobytes() + content[header.texts : header.end] + text
    begin = values.get("index") if isinstance(values.get("index"), int) else header.index
    covered = (content[: header.index] + tables)[max(begin, 0) :]
    preamble = pack_preamble(header.end, text, hashlib.sha256(covered).digest())
    path.write_bytes(preamble + content[PREAMBLE.size : header.index] + tables)
    return path


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        (lambda content: b"", "not a pack of lines"),
        (lambda content: b"PNG" * 100, "not a pack of lines"),
        (lambda content: content[:70], "70 bytes long, expected"),
        (lambda content: content[:-1], "cut short or damaged"),
        (lambda content: content + b"x", "cut short or damaged"),
        (lambda content: content[:8] + b"\x02" + content[9:], "version 2, but this ocrlstm reads"),
        (lambda content: content[:12] + b"\xff" * 12 + content[24:], "damaged"),
        (lambda content: content[:-60] + b"?" + content[-59:], "damaged"),
        (lambda content: content[:-400] + b"?" + content[-399:], "damaged"),
    ],
)
def test_damaged_files(pack, tmp_path, cut, message):
    path = tmp_path / "bad.pack"
    path.write_bytes(cut(pack.path.read_bytes()))
    with pytest.raises(DatasetError, match=rf"bad\.pack: .*{message}"):
        open_pack(path)


def test_every_byte_of_the_tables_counts(pack, tmp_path):
    content, path = pack.path.read_bytes(), tmp_path / "bad.pack"
    places = [*range(0, PREAMBLE.size), *range(pack.header.index, len(content), 7)]
    for place in places:
        spoilt = bytearray(content)
        spoilt[place] ^= 0x55
        path.write_bytes(spoilt)
        with pytest.raises(DatasetError, match=r"bad\.pack: "):
            open_pack(path)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lines": 10}, "no index of 10 lines"),
        ({"lines": 2**62}, "no index of"),
        ({"lines": 0}, "it holds no lines"),
        ({"lines": -1}, "lines is -1"),
        ({"lines": True}, "lines is True"),
        ({"lines": 9.0}, "lines is 9.0"),
        ({"index": 0}, "one behind the other"),
        ({"texts": 2**63}, "one behind the other"),
        ({"names": 64}, "one behind the other"),
        ({"complete": 1}, "does not tell whether"),
        ({"program": None}, "does not tell whether"),
        ({"normal_form": "NFX"}, "normal form 'NFX'"),
        ({"normal_form": ["NFC"]}, "normal form"),
        ({"normalizer": {"height": 10**9}}, "height is a whole number from 4 to 1000"),
        ({"normalizer": {"tall": 1}}, "unknown settings of a line normaliser: tall"),
        ({"normalizer": []}, "no object"),
        ({"text_rules": {"names": ["no"], "table": []}}, "text rule 'no'"),
    ],
)
def test_hostile_headers(pack, tmp_path, values, message):
    path = rewrite(pack, tmp_path / "bad.pack", lambda old: old.update(values))
    with pytest.raises(DatasetError, match=rf"bad\.pack: .*{message}"):
        open_pack(path)


def test_a_header_that_lacks_something(pack, tmp_path):
    for name in json.loads(pack.header.to_json()):
        path = rewrite(pack, tmp_path / "bad.pack", lambda old, name=name: old.pop(name))
        with pytest.raises(DatasetError, match=r"bad\.pack: the header of the pack is damaged"):
            open_pack(path)


def test_a_header_of_brackets(pack, tmp_path):
    content = pack.path.read_bytes()[: pack.header.end]
    header = b"[" * 100_000
    path = tmp_path / "bad.pack"
    path.write_bytes(
        pack_preamble(len(content), header, bytes(32)) + content[PREAMBLE.size :] + header
    )
    with pytest.raises(DatasetError, match="header of the pack is damaged"):
        open_pack(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("place", 2**64 - 1),
        ("place", 0),
        ("size", 2**32 - 1),
        ("width", 0),
        ("width", 2**32 - 1),
        ("text_end", 2**63),
        ("text_end", 0),
        ("name_end", 10**6),
    ],
)
def test_hostile_indices(pack, tmp_path, field, value):
    def change(index):
        index[field][4] = value

    path = rewrite(pack, tmp_path / "bad.pack", change_index=change)
    with pytest.raises(DatasetError, match=r"index of the pack is damaged \(line [45]\)"):
        open_pack(path)


@pytest.mark.parametrize(
    ("squeezed", "message"),
    [
        (b"no zlib at all", "Error -3"),
        (zlib.compress(bytes(16)), "does not hold 16 x"),
        (zlib.compress(bytes(10**7)), "does not hold 16 x"),
        (zlib.compress(bytes(16 * 38))[:-3], "does not hold 16 x"),
    ],
)
def test_hostile_lines(pack, tmp_path, squeezed, message):
    """A bomb, and a line of another size, cost no more than the line that was announced."""
    content, header = pack.path.read_bytes(), pack.header
    index = np.frombuffer(content, ENTRY, header.lines, header.index).copy()
    index["place"][0], index["size"][0] = header.index, len(squeezed)
    values = json.loads(header.to_json())
    for name in ("index", "texts", "names"):
        values[name] += len(squeezed)
    text = json.dumps(values).encode()
    tables = index.tobytes() + content[header.texts : header.end] + text
    digest = hashlib.sha256(tables).digest()
    path = tmp_path / "bad.pack"
    path.write_bytes(
        pack_preamble(header.end + len(squeezed), text, digest)
        + content[PREAMBLE.size : header.index]
        + squeezed
        + tables
    )
    bad = open_pack(path)
    assert bad[1].pixels.any()
    with pytest.raises(
        DatasetError, match=rf"bad\.pack: the line at byte \d+ is damaged.*{message}"
    ):
        bad[0].pixels  # noqa: B018


def test_a_text_that_is_no_utf8(pack, tmp_path):
    content = bytearray(pack.path.read_bytes())
    content[pack.header.texts] = 0xFF
    path = tmp_path / "bad.pack"
    digest = hashlib.sha256(content[pack.header.index :]).digest()
    length = len(content) - pack.header.end
    content[: PREAMBLE.size] = pack_preamble(pack.header.end, bytes(length), digest)
    path.write_bytes(content)
    bad = open_pack(path)
    assert bad.text(1) == "line 1"
    with pytest.raises(DatasetError, match="text or name of line 0 is not UTF-8"):
        bad.text(0)


def test_cut_short_while_in_use(pack):
    with open(pack.path, "r+b") as file:
        file.truncate(PREAMBLE.size + 3)
    with pytest.raises(
        DatasetError, match=r"lines\.pack: ends at byte 67, .* cut short or overwritten"
    ):
        pack.squeezed(0)
    with pytest.raises(DatasetError, match="cut short"):
        pack.text(3)


def test_checked_among_other_pairs(pack):
    pairs = draw_pairs(12)
    mixed = [pairs[9], *pack.pairs()[3:6], MemoryPair(b"", "a", "bad"), pairs[10], pack.pairs()[0]]
    lines, problems = check_pairs(mixed, FORM.normalizer, FORM.normal_form)
    assert list(lines.texts()) == [f"line {n}" for n in (9, 3, 4, 5, 10, 0)]
    expected, _ = check_pairs(
        [pairs[n] for n in (9, 3, 4, 5, 10, 0)], FORM.normalizer, FORM.normal_form
    )
    assert contents(lines) == contents(expected)
    assert [str(problem.path) for problem in problems] == ["bad"]
    with pytest.raises(DatasetError, match="packed with height 16 instead of 48"):
        check_pairs(mixed, LineNormalizer(kind="scale", padding=4), "NFC")


def test_from_files(tmp_path):
    for number, pair in enumerate(draw_pairs(3)):
        Image.fromarray(pair.image).save(tmp_path / f"{number}.png")
        (tmp_path / f"{number}.gt.txt").write_text(pair.text, encoding="utf-8")
    pack = write_pack(tmp_path / "lines", find_pairs([tmp_path]).pairs, FORM).pack
    assert pack.path == tmp_path / "lines.pack"
    assert list(pack.names()) == [str(tmp_path / f"{number}.png") for number in range(3)]


def test_no_spoilt_byte_does_worse_than_one_clear_line(pack, tmp_path):
    """Anything may stand anywhere in the file: it opens and gives lines, or tells what is wrong."""
    content, path = pack.path.read_bytes(), tmp_path / "bad.pack"
    rng = np.random.default_rng(0)
    told = 0
    for _ in range(300):
        spoilt = bytearray(content)
        for place in rng.integers(0, len(content), rng.integers(1, 4)):
            spoilt[place] = rng.integers(256)
        path.write_bytes(spoilt[: len(spoilt) - rng.integers(2) * rng.integers(len(spoilt))])
        try:
            for number, sample in enumerate(open_pack(path)):
                assert sample.pixels.shape == (16, pack.widths[number])
        except DatasetError as error:
            told += 1
            assert str(error).startswith(f"{path}: ") and "\n" not in str(error)
    assert told > 250
