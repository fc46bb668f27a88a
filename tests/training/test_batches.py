"""Batches depend on seed, epoch and line alone."""

import numpy as np
import pytest

from ocrlstm.datasets import Sample
from ocrlstm.training.batches import draw_batches, prepare_batch

WIDTHS = np.random.default_rng(0).integers(40, 900, 101)


def test_each_line_once_an_epoch():
    batches = draw_batches(WIDTHS, 8, seed=1, epoch=0)
    assert sorted(np.concatenate(batches).tolist()) == list(range(101))
    assert sorted(map(len, batches)) == [5] + [8] * 12


def test_little_is_padding_and_the_widest_line_is_first():
    batches = draw_batches(WIDTHS, 8, seed=1, epoch=0)
    padded = sum(len(batch) * WIDTHS[batch].max() for batch in batches)
    assert padded < 1.3 * WIDTHS.sum()
    assert all((np.diff(WIDTHS[batch]) <= 0).all() for batch in batches)


def test_drawn_anew_each_epoch_and_again_the_same():
    def order(seed, epoch):
        return np.concatenate(draw_batches(WIDTHS, 8, seed, epoch)).tolist()

    assert order(1, 0) == order(1, 0)
    assert len({tuple(order(*key)) for key in [(1, 0), (1, 1), (2, 0)]}) == 3


@pytest.fixture
def samples():
    rng = np.random.default_rng(3)
    return [
        Sample(f"{n}", rng.integers(0, 255, (16, 40 + n), dtype=np.uint8), "i") for n in range(4)
    ]


def test_without_distortion(samples):
    x, widths = prepare_batch(samples, np.array([2, 0]), 0.0, seed=0, epoch=0)
    assert widths.tolist() == [42, 40]
    np.testing.assert_allclose(x[0, :, :42, 0], samples[2].pixels / 255, rtol=1e-6)


def test_a_distortion_does_not_depend_on_the_batch(samples):
    x, widths = prepare_batch(samples, np.array([2, 0]), 1.0, seed=0, epoch=4)
    y, other = prepare_batch(samples, np.array([3, 1, 2]), 1.0, seed=0, epoch=4)
    assert widths[0] == other[2]
    np.testing.assert_array_equal(x[0, :, : widths[0]], y[2, :, : widths[0]])
    z, _ = prepare_batch(samples, np.array([2]), 1.0, seed=0, epoch=5)
    assert z.shape != x[:1].shape or (z != x[:1]).any()
