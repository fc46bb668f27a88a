"""Sets of lines: what is selected and joined are the lines themselves, without an object each."""

import numpy as np
import pytest

from ocrlstm.datasets.line_set import fingerprint, join_lines, picture_digest
from ocrlstm.datasets.making import MadeLine
from ocrlstm.datasets.spool import SpooledLines


def make_lines(texts, in_memory=10**6):
    lines = SpooledLines(in_memory)
    for number, text in enumerate(texts):
        pixels = np.full((4, 10 + len(text)), ord(text[0]), np.uint8)
        lines.add(MadeLine(f"{number}-{text}.png", text, pixels))
    return lines


def texts_of(lines):
    """The texts, and that all ways to a line lead to the same one."""
    for number, sample in enumerate(lines):
        assert sample.text == lines.text(number) == lines[number].text
        assert sample.name == lines.name(number)
        assert sample.shape == (4, lines.widths[number])
        assert sample.pixels[0, 0] == ord(sample.text[0])
        assert lines.pictures[number].tobytes() == picture_digest(sample.pixels)
    assert [sample.text for sample in lines] == list(lines.texts())
    assert len(lines) == len(lines.widths) == len(lines.pictures)
    return "".join(lines.texts())


def test_indices_and_slices():
    lines = make_lines("abcdef")
    assert texts_of(lines) == "abcdef"
    assert (lines[-1].text, lines[np.int64(2)].text) == ("f", "c")
    assert texts_of(lines[1:5:2]) == "bd"
    assert texts_of(lines[::-1][1:3]) == "ed"
    assert list(lines[2:2].texts()) == []
    for number in (6, -7):
        with pytest.raises(IndexError, match=f"line {number} of 6"):
            lines[number]


def test_selections_and_joins_in_any_order():
    one, other = make_lines("abc"), make_lines("xyz", in_memory=0)
    joined = join_lines([one, other.select([2, 0, 2]), make_lines("")])
    assert texts_of(joined) == "abczxz"
    assert texts_of(joined.select([5, 1]).select([1, 0, 1])) == "bzb"
    assert texts_of(join_lines([joined[4:], one])) == "xzabc"
    assert join_lines([one, make_lines("")]) is one
    assert len(join_lines([make_lines("")])) == 0


def test_fingerprint_is_of_texts_and_pictures_and_their_order():
    lines = make_lines("abc")
    same = join_lines([make_lines("ab", in_memory=0), make_lines("xc")[1:]])
    assert fingerprint([lines]) == fingerprint([same])
    others = [[lines[::-1]], [lines[:2]], [make_lines(["a", "b", "cc"])], [make_lines("abd")]]
    assert len({fingerprint(parts) for parts in [[lines], *others]}) == 5


def test_a_picture_is_its_pixels_and_its_shape():
    flat = np.zeros((2, 6), np.uint8)
    assert picture_digest(flat) == picture_digest(flat.copy())
    assert picture_digest(flat) != picture_digest(flat.reshape(3, 4))
    assert picture_digest(flat) != picture_digest(flat + 1)
