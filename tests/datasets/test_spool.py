"""Lines that are held for a run come out as they went in, from memory and from disk."""

import gc
import os

import numpy as np
import pytest

from ocrlstm.datasets import check_pairs
from ocrlstm.datasets.making import MadeLine
from ocrlstm.datasets.pairs import MemoryPair
from ocrlstm.datasets.spool import SpooledLines
from ocrlstm.datasets.squeezed import SqueezedPixels
from ocrlstm.errors import OutputError
from ocrlstm.lines import LineNormalizer


def pictures(count):
    rng = np.random.default_rng(0)
    return [rng.integers(0, 256, (7, 1 + n), dtype=np.uint8) for n in range(count)]


def spool(pixels, in_memory, squeezed=False):
    lines = SpooledLines(in_memory)
    for number, one in enumerate(pixels):
        lines.add(MadeLine(f"{number}.png", f"text {number} ä", one, squeezed))
    return lines


@pytest.mark.parametrize("squeezed", [False, True])
def test_first_in_memory_then_on_disk(squeezed):
    lines = spool(pictures(9), 7 * (1 + 2 + 3) + 5, squeezed)
    kept = [sample.kept for sample in lines]
    assert [isinstance(one, np.ndarray) for one in kept] == [True] * 3 + [False] * 6
    for number, (pixels, sample) in enumerate(zip(pictures(9), lines, strict=True)):
        assert sample.shape == pixels.shape
        assert (sample.name, sample.text) == (f"{number}.png", f"text {number} ä")
        np.testing.assert_array_equal(sample.pixels, pixels)
    assert lines.full


def test_once_on_disk_always_on_disk():
    wide, narrow = np.zeros((7, 9), np.uint8), np.zeros((7, 1), np.uint8)
    lines = spool([wide, narrow], 20)
    assert all(isinstance(sample.kept, SqueezedPixels) for sample in lines)


def test_the_file_goes_with_its_last_line():
    def open_files():
        return len(os.listdir("/proc/self/fd"))

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("open files are not listed here")
    before = open_files()
    sample = spool([np.zeros((2, 2), np.uint8)], 0)[0]
    assert open_files() == before + 1
    assert not sample.pixels.any()
    del sample
    gc.collect()
    assert open_files() == before


def test_samples_are_the_same_from_disk():
    rng = np.random.default_rng(1)
    images = [(rng.random((30, 60 + 9 * n)) * 255).astype(np.uint8) for n in range(5)]
    pairs = [MemoryPair(image, f"text {n}", str(n)) for n, image in enumerate(images)]
    from_memory, _ = check_pairs(pairs, LineNormalizer(), "NFC")
    from_disk, _ = check_pairs(pairs, LineNormalizer(), "NFC", in_memory=0)
    np.testing.assert_array_equal(from_disk.pictures, from_memory.pictures)
    for one, other in zip(from_disk, from_memory, strict=True):
        assert isinstance(one.kept, SqueezedPixels) and one.shape == other.shape
        assert (one.text, one.name) == (other.text, other.name)
        np.testing.assert_array_equal(one.pixels, other.pixels)


def test_a_full_disk_gives_one_clear_line(monkeypatch):
    def full(**options):
        return open("/dev/full", "r+b", buffering=0)

    if not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(OutputError, match="TMPDIR"):
        spool([np.zeros((9, 9), np.uint8)], 0)
