"""What goes into the spool comes out again, from memory and from disk."""

import gc
import os

import numpy as np
import pytest

from ocrlstm.datasets import check_pairs
from ocrlstm.datasets.pairs import MemoryPair
from ocrlstm.datasets.spool import Spool, SpooledPixels
from ocrlstm.errors import OutputError
from ocrlstm.lines import LineNormalizer


def lines(count):
    rng = np.random.default_rng(0)
    return [rng.integers(0, 256, (7, 1 + n), dtype=np.uint8) for n in range(count)]


def test_first_in_memory_then_on_disk():
    spool = Spool(in_memory=7 * (1 + 2 + 3) + 5)
    kept = [spool.keep(pixels) for pixels in lines(9)]
    assert [isinstance(one, np.ndarray) for one in kept] == [True] * 3 + [False] * 6
    for pixels, one in zip(lines(9), kept, strict=True):
        assert one.shape == pixels.shape
        np.testing.assert_array_equal(one.read() if isinstance(one, SpooledPixels) else one, pixels)


def test_once_on_disk_always_on_disk():
    spool = Spool(in_memory=20)
    wide, narrow = np.zeros((7, 9), np.uint8), np.zeros((7, 1), np.uint8)
    assert isinstance(spool.keep(wide), SpooledPixels)
    assert isinstance(spool.keep(narrow), SpooledPixels)


def test_the_file_goes_with_its_last_line():
    def open_files():
        return len(os.listdir("/proc/self/fd"))

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("open files are not listed here")
    before = open_files()
    line = Spool(in_memory=0).keep(np.zeros((2, 2), np.uint8))
    assert open_files() == before + 1
    assert not line.read().any()
    del line
    gc.collect()
    assert open_files() == before


def test_samples_are_the_same_from_disk():
    rng = np.random.default_rng(1)
    images = [(rng.random((30, 60 + 9 * n)) * 255).astype(np.uint8) for n in range(5)]
    pairs = [MemoryPair(image, f"text {n}", str(n)) for n, image in enumerate(images)]
    from_memory, _ = check_pairs(pairs, LineNormalizer(), "NFC")
    from_disk, _ = check_pairs(pairs, LineNormalizer(), "NFC", in_memory=0)
    assert [sample.text for sample in from_disk] == [sample.text for sample in from_memory]
    for one, other in zip(from_disk, from_memory, strict=True):
        assert isinstance(one.kept, SpooledPixels) and one.shape == other.shape
        np.testing.assert_array_equal(one.pixels, other.pixels)


def test_a_full_disk_gives_one_clear_line(monkeypatch):
    def full(**options):
        return open("/dev/full", "r+b", buffering=0)

    if not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(OutputError, match="TMPDIR"):
        Spool(in_memory=0).keep(np.zeros((9, 9), np.uint8))
