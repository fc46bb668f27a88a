"""Posteriors to a line: idle blanks, right-to-left texts, normal form."""

import numpy as np
import pytest

from ocrlstm.decoding import BeamSearch, greedy
from ocrlstm.lines import NormalizedLine
from ocrlstm.recognition.reading import read_line
from ocrlstm.text import Codec


def posteriors(labels: list[int], classes: int) -> np.ndarray:
    """One frame a label, with a blank frame between, each sure to 0.8."""
    frames = [0]
    for label in labels:
        frames += [label, 0]
    table = np.full((len(frames), classes), 0.2 / (classes - 1))
    table[np.arange(len(frames)), frames] = 0.8
    return np.log(table)


def read(labels: list[int], codec: Codec):
    pixels = np.ones((8, 40), np.float32)
    line = NormalizedLine(pixels, source_width=80, padding=0, inverted=False)
    return read_line(posteriors(labels, len(codec)), line, 40, codec, greedy, "a.png")


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([2, 1, 3], "a b"),
        ([1, 2, 1, 1, 3, 1], "a b"),
        ([1, 1], ""),
        ([], ""),
    ],
)
def test_idle_blanks_are_left_out(labels, text):
    line = read(labels, Codec(("", " ", "a", "b")))
    assert line.text == text
    assert "".join(character.text for character in line.characters) == text
    assert line.confidence == pytest.approx(0.8 if text else 1.0)
    assert line.source == "a.png"


def test_right_to_left_text_is_logical_and_characters_follow_the_image():
    codec = Codec(("", "א", "ב"), direction="rtl")
    line = read([2, 1], codec)
    assert line.text == "אב"
    assert [character.text for character in line.characters] == ["ב", "א"]
    assert line.characters[0].x1 <= line.characters[1].x0


def test_text_is_in_the_normal_form_across_labels():
    codec = Codec(("", "a", "\u0308"), unit="codepoint", normal_form="NFC")
    assert read([1, 2], codec).text == "ä"


def test_the_temperature_changes_confidences_only():
    # Two classes with 0.8 to 0.2 are odds of 4; their square root is 2, so 2/3.
    codec = Codec(("", "a"))
    line = NormalizedLine(np.ones((8, 40), np.float32), source_width=80, padding=0, inverted=False)
    raw, calibrated = (
        read_line(posteriors([1, 1], 2), line, 40, codec, greedy, "", temperature)
        for temperature in (1.0, 2.0)
    )
    assert calibrated.text == raw.text == "aa"
    assert calibrated.confidence == pytest.approx(2 / 3)
    assert [c.confidence for c in calibrated.characters] == pytest.approx([2 / 3, 2 / 3])
    assert [(c.x0, c.x1) for c in calibrated.characters] == [(c.x0, c.x1) for c in raw.characters]


def test_a_line_that_was_widened_keeps_its_places():
    # 40 columns of line, 60 that the 5 frames cover: the symbol in frame 1 spans columns 12 to 24.
    line = NormalizedLine(np.ones((8, 40), np.float32), source_width=80, padding=0, inverted=False)
    codec = Codec(("", "a", "b"))
    found = read_line(posteriors([1, 2], 3), line, 60, codec, greedy, "")
    assert found.characters[0].x0 <= 24 and found.characters[0].x1 >= 48
    assert found.characters[1].x1 == 80


def test_readings_and_alternatives():
    codec = Codec(("", " ", "a", "b"))
    table = np.exp(posteriors([2, 1, 3, 1], 4))
    table[1] = [0.02, 0.02, 0.6, 0.36]
    table[7] = [0.48, 0.48, 0.02, 0.02]
    pixels = np.ones((8, 40), np.float32)
    line = NormalizedLine(pixels, source_width=80, padding=0, inverted=False)
    decoder = BeamSearch().bind(codec)
    found = read_line(np.log(table), line, 40, codec, decoder, "", n_best=8, alternatives=1)
    texts = [reading.text for reading in found.readings]
    # "a b" with and without a blank at its end is one text.
    assert texts[:2] == ["a b", "b b"]
    assert len(set(texts)) == len(texts)
    assert [c.alternatives for c in found.characters][0] == (("b", pytest.approx(0.36)),)


def test_the_temperature_is_that_of_alternatives_too():
    codec = Codec(("", "a", "b"))
    table = np.log(np.array([[0.1, 0.6, 0.3]]))
    pixels = np.ones((8, 40), np.float32)
    line = NormalizedLine(pixels, source_width=80, padding=0, inverted=False)
    found = read_line(table, line, 40, codec, greedy, "", 2.0, alternatives=1)
    roots = np.sqrt([0.1, 0.6, 0.3])
    (character,) = found.characters
    assert character.confidence == pytest.approx(roots[1] / roots.sum())
    assert character.alternatives == (("b", pytest.approx(roots[2] / roots.sum(), abs=1e-5)),)
