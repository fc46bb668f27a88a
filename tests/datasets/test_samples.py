"""Checking pairs: each fault is told with its file, and none stops the others."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import Pair, Sample, check_characters, check_lengths, check_pairs
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import Codec

SCALE = LineNormalizer(kind="scale", height=16, padding=4)


def write_pair(folder: Path, name: str, text: str | bytes, width: int = 200) -> Pair:
    image, text_path = folder / f"{name}.png", folder / f"{name}.gt.txt"
    pixels = np.full((32, width), 255, np.uint8)
    pixels[8:24, 10:-10:6] = 0
    Image.fromarray(pixels).save(image)
    text_path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Pair(image, text_path)


def test_good_pairs_become_samples_in_order(tmp_path):
    pairs = [write_pair(tmp_path, f"n{n}", f"  text  {n}\n", 100 + 10 * n) for n in range(9)]
    calls = []
    samples, problems = check_pairs(
        pairs, SCALE, "NFC", progress=lambda done, total: calls.append((done, total))
    )
    assert problems == []
    assert [sample.text for sample in samples] == [f"text {n}" for n in range(9)]
    assert [sample.name for sample in samples] == [str(pair.image) for pair in pairs]
    assert calls == [(n, 9) for n in range(1, 10)]
    # The height is the normaliser's, the scale 16/32, and 4 columns of padding stand at each end.
    assert samples[0].pixels.shape == (16, 58)
    assert samples[0].pixels.dtype == np.uint8
    # A black stroke of one column covers half a column then.
    assert samples[0].pixels.max() == 128


def test_every_fault_is_told_and_the_rest_goes_on(tmp_path):
    good = write_pair(tmp_path, "good", "abc")
    empty = write_pair(tmp_path, "empty", " \n")
    latin1 = write_pair(tmp_path, "latin1", b"\xe4")
    cut = write_pair(tmp_path, "cut", "abc")
    cut.image.write_bytes(cut.image.read_bytes()[:60])
    gone = write_pair(tmp_path, "gone", "abc")
    gone.image.unlink()
    odd = write_pair(tmp_path, "odd", "aßc")
    long = write_pair(tmp_path, "long", "abc" * 50)
    flat = write_pair(tmp_path, "flat", "abc")
    Image.new("L", (90_000, 1)).save(flat.image)
    codec = Codec.from_texts(["abc"])
    pairs = [empty, latin1, cut, good, gone, odd, long, flat]
    samples, problems = check_pairs(pairs, SCALE, "NFC")
    samples, more = check_characters(samples, codec)
    samples, most = check_lengths(samples, lambda widths: widths // 4)
    problems += more + most
    assert [sample.text for sample in samples] == ["abc"]
    reasons = {problem.path: problem.reason for problem in problems}
    assert list(reasons) == [
        empty.text,
        latin1.text,
        cut.image,
        gone.image,
        flat.image,
        odd.image,
        long.image,
    ]
    assert reasons[empty.text] == "the text is empty"
    assert "not UTF-8 (byte 0xe4 at offset 0)" in reasons[latin1.text]
    assert "truncated" in reasons[cut.image]
    assert "no such file" in reasons[gone.image]
    assert "'ß' (U+00DF)" in reasons[odd.image]
    assert "150 characters need 150 frames, the line gives 27" in reasons[long.image]
    assert "too flat" in reasons[flat.image]
    for problem in problems:
        assert "\n" not in str(problem)
        assert str(problem).count(str(problem.path)) == 1


def test_too_many_pixels_are_a_problem(tmp_path):
    pair = write_pair(tmp_path, "a", "abc")
    samples, (problem,) = check_pairs([pair], SCALE, "NFC", max_pixels=100)
    assert len(samples) == 0
    assert "limit of 100" in problem.reason


def test_lengths(tmp_path):
    pairs = [write_pair(tmp_path, text, text, 64) for text in ("abab", "aabb")]
    lines, _ = check_pairs(pairs, SCALE, "NFC")
    good, (problem,) = check_lengths(lines, lambda widths: widths // 8)
    # Both have four characters and five frames, but "aabb" needs a blank within each pair.
    assert list(good.texts()) == ["abab"]
    assert problem.path == pairs[1].image
    assert "4 characters need 6 frames, the line gives 5" in problem.reason


def test_lengths_are_of_what_the_codec_takes_for_a_character(tmp_path):
    lines, _ = check_pairs([write_pair(tmp_path, "a", "x\u0323" * 4, 64)], SCALE, "NFC")
    assert check_lengths(lines, lambda widths: np.array([7])) == (lines, [])
    (problem,) = check_lengths(lines, lambda widths: np.array([7]), "codepoint")[1]
    assert "8 characters need 8 frames" in problem.reason


def test_a_sample_of_floats_is_refused():
    with pytest.raises(ValueError, match="float32"):
        Sample("a", np.zeros((16, 40), np.float32), "a")
