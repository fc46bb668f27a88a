"""Blocks of pixels, a batch against the plain kernels, image by image."""

import numpy as np
import pytest

from ocrlstm.kernels import blocks as fast
from ocrlstm.kernels.reference import blocks as reference

# Height and widths of the coarse side, channels, factor.
CASES = [
    (1, (1,), 1, (1, 1)),
    (7, (9, 1, 2), 2, (2, 2)),
    (2, (2, 7), 9, (1, 3)),
    (1, (7, 9, 1), 7, (3, 1)),
    (9, (1, 2), 2, (2, 7)),
]
BEYOND = 1e9  # what lies beyond the widths, and must not matter


def images(height, widths, channels, spare=0):
    rng = np.random.default_rng(height)
    x = rng.normal(size=(len(widths), height, max(widths) + spare, channels))
    for i, width in enumerate(widths):
        x[i, :, width:] = BEYOND
    return x


@pytest.mark.parametrize("spare", [0, 1])
@pytest.mark.parametrize(("height", "widths", "channels", "factor"), CASES)
def test_repeated(height, widths, channels, factor, spare):
    x = images(height, widths, channels)
    rows, columns = height * factor[0], max(widths) * factor[1]
    y = np.full((len(widths), rows + spare, columns + spare, channels), np.nan)
    fast.repeat_blocks(x, np.array(widths), factor, 0.7, y)
    for i, width in enumerate(widths):
        wanted = reference.repeat_blocks(x[i, :, :width], factor, 0.7)
        np.testing.assert_allclose(y[i, :rows, : width * factor[1]], wanted, rtol=1e-14)
        assert not y[i, :, width * factor[1] :].any() and not y[i, rows:].any()


@pytest.mark.parametrize("spare", [0, 1])
@pytest.mark.parametrize(("height", "widths", "channels", "factor"), CASES)
def test_summed(height, widths, channels, factor, spare):
    fine = [width * factor[1] for width in widths]
    spare_rows = spare if factor[0] > 1 else 0  # less than a block
    x = images(height * factor[0] + spare_rows, fine, channels, spare)
    y = np.full((len(widths), height, max(widths), channels), np.nan)
    fast.sum_blocks(x, np.array(widths), factor, 0.7, y)
    for i, width in enumerate(widths):
        wanted = reference.sum_blocks(x[i, :, : fine[i]], factor, 0.7)
        np.testing.assert_allclose(y[i, :, :width], wanted, rtol=1e-12, atol=1e-13)
        assert not y[i, :, width:].any()


@pytest.mark.parametrize(("height", "widths", "channels", "factor"), CASES)
def test_exchanged_for_channels_and_back(height, widths, channels, factor):
    deep = channels * factor[0] * factor[1]
    x = images(height, widths, deep)
    y = np.full((len(widths), height * factor[0], max(widths) * factor[1], channels), np.nan)
    fast.channels_to_blocks(x, np.array(widths), factor, y)
    back = np.full_like(x, np.nan)
    fast.blocks_to_channels(y, np.array(widths), factor, back)
    for i, width in enumerate(widths):
        fine = width * factor[1]
        wanted = reference.channels_to_blocks(x[i, :, :width], factor)
        np.testing.assert_array_equal(y[i, :, :fine], wanted)
        assert not y[i, :, fine:].any()
        np.testing.assert_array_equal(reference.blocks_to_channels(wanted, factor), x[i, :, :width])
        np.testing.assert_array_equal(back[i, :, :width], x[i, :, :width])
        assert not back[i, :, width:].any()


def test_a_channel_goes_to_its_place_in_the_block():
    factor, channels = (2, 3), 2
    x = np.arange(12.0).reshape(1, 1, 1, 12)
    y = np.empty((1, 2, 3, 2))
    fast.channels_to_blocks(x, np.array([1]), factor, y)
    for c, i, j in np.ndindex(channels, *factor):
        assert y[0, i, j, c] == (c * 2 + i) * 3 + j


def test_sums_in_float32_stay_in_float32():
    y = np.empty((1, 1, 1, 1), np.float32)
    fast.sum_blocks(np.ones((1, 2, 2, 1), np.float32), np.array([1]), (2, 2), 0.1, y)
    assert y[0, 0, 0, 0] == np.float32(4) * np.float32(0.1)
