"""Group normalisation: each item by itself."""

import numpy as np
import pytest
from batches import check_alone, item_of
from gradients import build, images, sequences

from ocrlstm.layers import GroupNorm


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("x", [images(3, 6, (9, 1, 0, 7)), sequences(6, (9, 1, 0, 7))])
def test_neighbours_and_padding_change_nothing(x, groups, training):
    layer = build(GroupNorm(groups), (3, None, 6) if x.ndim == 4 else (None, 6))
    check_alone(layer, x, (9, 1, 0, 7), training=training)


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_every_group_of_every_item_gets_mean_0_and_variance_1(groups):
    layer = GroupNorm(groups, epsilon=1e-12)
    layer.build((3, None, 6), np.random.default_rng(0), np.float64)
    y, _ = layer.forward(100 + images(3, 6, (9, 2)), np.array([9, 2]))
    for i, length in enumerate((9, 2)):
        item = item_of(y, i, length).reshape(3 * length, groups, 6 // groups)
        np.testing.assert_allclose(item.mean(axis=(0, 2)), 0, atol=1e-12)
        np.testing.assert_allclose(item.var(axis=(0, 2)), 1, rtol=1e-9)


def test_weights_are_of_channels():
    layer = build(GroupNorm(2), (None, 4))
    gamma, beta = layer.parameters()["gamma"], layer.parameters()["beta"]
    x, lengths = sequences(4, (7, 3)), np.array([7, 3])
    y, _ = layer.forward(x, lengths)
    plain = GroupNorm(2)
    plain.build((None, 4), np.random.default_rng(0), np.float64)
    standard, _ = plain.forward(x, lengths)
    np.testing.assert_allclose(y[:7, 0], standard[:7, 0] * gamma + beta, rtol=1e-12)
    np.testing.assert_allclose(y[:3, 1], standard[:3, 1] * gamma + beta, rtol=1e-12)
    assert not y[3:, 1].any()


def test_refusals():
    with pytest.raises(ValueError, match="at least 1 group of channels, not 0"):
        GroupNorm(0)
    with pytest.raises(ValueError, match="epsilon must be above 0"):
        GroupNorm(2, epsilon=-1.0)
    with pytest.raises(ValueError, match="9 channels do not make 2 equal groups"):
        GroupNorm(2).plan((7, None, 9))
    layer = build(GroupNorm(1), (None, 2))
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(np.ones((3, 1, 2)))


def test_repr_builds_it_again():
    assert repr(GroupNorm(4)) == "GroupNorm(4)"
    assert repr(GroupNorm(4, 0.01)) == "GroupNorm(4, epsilon=0.01)"
