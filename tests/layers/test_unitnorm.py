"""Values over their norm: the sum of their sizes, and the root of the sum of their squares."""

import numpy as np
import pytest
from batches import check_alone, item_of
from gradients import images, sequences

from ocrlstm.layers import L1Norm, L2Norm

LENGTHS = (9, 1, 0, 7)

both = pytest.mark.parametrize("kind", [L1Norm, L2Norm])


def norms(kind, values, axes):
    if kind is L1Norm:
        return np.abs(values).sum(axis=axes)
    return np.sqrt((values**2).sum(axis=axes))


@both
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("axis", ["channels", "item"])
@pytest.mark.parametrize("x", [images(3, 5, LENGTHS), sequences(5, LENGTHS)])
def test_neighbours_and_padding_change_nothing(kind, x, axis, training):
    check_alone(kind(axis), x, LENGTHS, training=training)


@both
@pytest.mark.parametrize("x", [images(3, 5, LENGTHS), sequences(5, LENGTHS)])
def test_norms_become_1(kind, x):
    of_pixels, _ = kind().forward(x, np.array(LENGTHS))
    of_items, _ = kind("item").forward(x, np.array(LENGTHS))
    for i, length in enumerate(LENGTHS):
        if length > 0:
            np.testing.assert_allclose(norms(kind, item_of(of_pixels, i, length), -1), 1, rtol=1e-7)
            np.testing.assert_allclose(
                norms(kind, item_of(of_items, i, length), None), 1, rtol=1e-7
            )


@both
@pytest.mark.parametrize("axis", ["channels", "item"])
def test_zeros_give_zeros_and_a_zero_gradient(kind, axis):
    layer = kind(axis)
    x = sequences(3, (4, 4)).astype(np.float32)
    x[:, 1] = 0
    y, _ = layer.forward(x, np.array([4, 4]), training=True)
    dx = layer.backward(np.cos(np.arange(24, dtype=np.float32)).reshape(y.shape))
    assert y.dtype == dx.dtype == np.float32
    assert y[:, 0].all() and dx[:, 0].all()
    assert not y[:, 1].any() and not dx[:, 1].any()


@both
@pytest.mark.parametrize("axis", ["channels", "item"])
def test_the_gradient_is_at_right_angles_to_the_input(kind, axis):
    """Longer or shorter vectors have the same output, so no change along them matters."""
    layer = kind(axis)
    x = images(3, 5, (7,))
    y, _ = layer.forward(x, np.array([7]), training=True)
    dx = layer.backward(np.random.default_rng(0).normal(size=y.shape))
    along = (dx * x).sum(axis=-1 if axis == "channels" else None)
    np.testing.assert_allclose(along, 0, atol=1e-7)
    assert np.abs(dx).max() > 1e-3


@both
def test_large_and_small_values_of_float32(kind):
    x = np.array([1e15, -1e15, 1e-15, 3e-15], np.float32).reshape(2, 1, 2)
    y, _ = kind(epsilon=1e-30).forward(x, np.array([2]))
    np.testing.assert_allclose(norms(kind, y.astype(float), -1), 1, rtol=1e-6)


@both
def test_refusals(kind):
    with pytest.raises(ValueError, match="axis must be one of channels, item, not 'rows'"):
        kind("rows")
    with pytest.raises(ValueError, match="epsilon must be above 0 and finite, not 0"):
        kind(epsilon=0.0)
    with pytest.raises(RuntimeError, match="training=True"):
        kind().backward(np.ones((3, 1, 2)))


@both
def test_repr_builds_it_again(kind):
    assert repr(kind()) == f"{kind.__name__}('channels')"
    assert repr(kind("item", 0.01)) == f"{kind.__name__}('item', epsilon=0.01)"
