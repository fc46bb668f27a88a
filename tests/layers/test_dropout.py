"""Dropout: what falls out, and that the mean stays."""

import numpy as np
import pytest
from gradients import images, sequences

from ocrlstm.layers import Dropout


@pytest.mark.parametrize("channels", [False, True])
@pytest.mark.parametrize("shape", [(40, 30, 50), (30, 8, 5, 50)])
def test_the_mean_is_kept(shape, channels):
    layer = Dropout(0.25, channels=channels)
    lengths = np.full(30, shape[0] if len(shape) == 3 else shape[2])
    total, seen = 0.0, 0
    for seed in range(20):
        layer.rng = np.random.default_rng(seed)
        y, _ = layer.forward(np.ones(shape, np.float32), lengths, training=True)
        total += y.sum(dtype=np.float64)
        seen += y.size
        values = np.unique(y)
        np.testing.assert_allclose(values, [0, 4 / 3], rtol=1e-6)
    assert total / seen == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("x", [sequences(40, (9, 4)), images(3, 40, (9, 4))])
def test_channels_fall_out_for_each_item_by_itself(x):
    layer = Dropout(0.5, channels=True)
    x[:] = 1
    y, _ = layer.forward(x, np.array([9, 4]), training=True)
    items = [y[i] for i in range(2)] if y.ndim == 4 else [y[:, i] for i in range(2)]
    masks = [item.reshape(-1, 40) for item in items]
    for mask in masks:
        assert (mask == mask[0]).all()
        assert 0 < (mask[0] == 0).sum() < 40
    assert (masks[0][0] != masks[1][0]).any()


@pytest.mark.parametrize("channels", [False, True])
def test_recognising_changes_nothing_and_draws_nothing(channels):
    layer = Dropout(0.5, channels=channels)
    state = layer.rng.bit_generator.state
    x = sequences(3, (4, 2))
    y, lengths = layer.forward(x, np.array([4, 2]))
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(lengths, [4, 2])
    assert layer.rng.bit_generator.state == state


@pytest.mark.parametrize(
    ("channels", "x", "shape"),
    [
        (False, sequences(3, (4, 2)), (4, 2, 3)),
        (True, sequences(3, (4, 2)), (1, 2, 3)),
        (False, images(2, 3, (4, 2)), (2, 2, 4, 3)),
        (True, images(2, 3, (4, 2)), (2, 1, 1, 3)),
    ],
)
def test_a_generator_always_gives_the_same_mask(channels, x, shape):
    """Two bytes a value: a run that is resumed later must meet the masks of today."""
    layer = Dropout(0.25, channels=channels)
    layer.rng = np.random.default_rng(7)
    y, _ = layer.forward(x, np.array([4, 2]), training=True)
    drawn = np.random.default_rng(7).integers(0, 65_536, shape, np.uint16)
    mask = (drawn < 49_152) * (4 / 3)
    np.testing.assert_allclose(y, x * mask, rtol=1e-12)
    np.testing.assert_allclose(layer.backward(np.cos(x)), np.cos(x) * mask, rtol=1e-12)


def test_backward_needs_a_training_forward():
    layer = Dropout(0.5)
    layer.forward(sequences(3, (4, 2)), np.array([4, 2]))
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(sequences(3, (4, 2)))


def test_repr_builds_it_again():
    assert repr(Dropout(0.5)) == "Dropout(0.5)"
    assert repr(Dropout(0.25, channels=True)) == "Dropout(0.25, channels=True)"
