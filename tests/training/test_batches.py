"""Batches depend on seed, epoch and line alone."""

import numpy as np
import pytest

from ocrlstm.datasets import Sample
from ocrlstm.kernels.threads import set_thread_count, thread_count
from ocrlstm.lines import DISTORTIONS
from ocrlstm.training import TrainingConfig
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
    for config in (
        TrainingConfig(augment=0.0),
        TrainingConfig(distortions=dict.fromkeys(DISTORTIONS, 0.0)),
    ):
        x, widths = prepare_batch(samples, np.array([2, 0]), config, epoch=0)
        assert widths.tolist() == [42, 40]
        np.testing.assert_allclose(x[0, :, :42, 0], samples[2].pixels / 255, rtol=1e-6)


def test_a_distortion_does_not_depend_on_the_batch(samples):
    config = TrainingConfig()
    x, widths = prepare_batch(samples, np.array([2, 0]), config, epoch=4)
    y, other = prepare_batch(samples, np.array([3, 1, 2]), config, epoch=4)
    assert widths[0] == other[2]
    np.testing.assert_array_equal(x[0, :, : widths[0]], y[2, :, : widths[0]])
    z, _ = prepare_batch(samples, np.array([2]), config, epoch=5)
    assert z.shape != x[:1].shape or (z != x[:1]).any()


def test_the_same_whatever_the_threads(samples):
    """Also what other lines lend."""
    config = TrainingConfig(distortions={"bleed": 5.0, "neighbour": 5.0})
    numbers = np.array([0, 1, 2, 3] * 3)
    before = thread_count()
    try:
        batches = []
        for threads in (1, 4):
            set_thread_count(threads)
            batches.append(prepare_batch(samples, numbers, config, epoch=1))
    finally:
        set_thread_count(before)
    np.testing.assert_array_equal(batches[0][0], batches[1][0])


def test_own_strengths_count(samples):
    """A width of its own, all else off."""
    others = {name: 0.0 for name in DISTORTIONS if name != "width"}
    widths = {}
    for factor in (0.5, 2.0):
        config = TrainingConfig(augment=0.5, distortions={**others, "width": factor})
        drawn = [prepare_batch(samples, np.array([0]), config, epoch)[1][0] for epoch in range(60)]
        widths[factor] = np.ptp(drawn)
    assert 0 < widths[0.5] < 4 and 5 < widths[2.0] <= 11


def test_another_line_lies_beside(samples):
    """With a neighbour line that is all ink and never itself drawn, ink is found at the edges."""
    line = np.zeros((16, 80), np.uint8)
    line[6:10, 20:60] = 255
    black = Sample("b", np.full((16, 80), 255, np.uint8), "i")
    others = {name: 0.0 for name in DISTORTIONS if name != "neighbour"}
    config = TrainingConfig(distortions=others)

    def inked_edges(lines):
        batches = [prepare_batch(lines, np.array([0]), config, epoch)[0] for epoch in range(60)]
        return sum(bool(x[0, [0, -1]].any()) for x in batches)

    blank = Sample("p", np.zeros((16, 80), np.uint8), "i")
    assert inked_edges([Sample("a", line, "i"), *[black] * 9]) > 5
    assert inked_edges([Sample("a", line, "i"), *[blank] * 99]) <= 2
