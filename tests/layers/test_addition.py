"""Sums of chunks, and the layer that changes nothing."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import Addition, Convolution, Identity, Parallel, Shortcut, Stacked


def test_channels():
    x = np.arange(1.0, 7.0).reshape(1, 1, 6)
    for chunk, expected in ((6, [1, 2, 3, 4, 5, 6]), (3, [5, 7, 9]), (2, [9, 12]), (1, [21])):
        y, _ = Addition(chunk).forward(x, np.array([1]))
        assert y.tolist() == [[expected]]


def test_height():
    x = np.arange(1.0, 9.0).reshape(1, 4, 1, 2)
    y, _ = Addition(2, "height").forward(x, np.array([1]))
    assert y.tolist() == [[[[6, 8]], [[10, 12]]]]


def test_a_residual_block_as_kraken_writes_it_is_a_shortcut():
    way = build(Stacked(Parallel(Convolution(3, 3), Identity()), Addition(3)), (4, None, 3))
    other = build(Stacked(Convolution(3, 3), Shortcut(-2)), (4, None, 3))
    for one, two in zip(way.parameters().values(), other.parameters().values(), strict=True):
        two[:] = one
    x, lengths = images(4, 3, (7, 1)), np.array([7, 1])
    results = []
    for layer in (way, other):
        y, _ = layer.forward(x, lengths, training=True)
        results.append([y, layer.backward(np.cos(y)), *layer.gradients().values()])
    for one, two in zip(*results, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-12)


def test_what_lies_beyond_the_items_is_not_read():
    layer = build(Addition(2), (None, 4))
    x, lengths = sequences(4, (5, 2)), np.array([5, 2])
    y, _ = layer.forward(x, lengths)
    x[2:, 1] = np.nan
    dirty, _ = layer.forward(x, lengths, training=True)
    np.testing.assert_array_equal(dirty, y)
    assert not layer.backward(np.ones_like(y))[2:, 1].any()


@pytest.mark.parametrize(
    ("layer", "shape", "told"),
    [
        (Addition(2), (None, 3), "3 channels cannot be cut into chunks of 2"),
        (Addition(2), (4, None, 1), "1 channels"),
        (Addition(2, "height"), (3, None, 2), "3 rows"),
        (Addition(2, "height"), (None, 2), "only images have rows"),
    ],
    ids=str,
)
def test_shapes_that_are_refused(layer, shape, told):
    with pytest.raises(ValueError, match=told):
        layer.plan(shape)


def test_arguments_that_are_refused():
    with pytest.raises(ValueError, match="at least 1 row or channel, not 0"):
        Addition(0)
    with pytest.raises(ValueError, match="axis must be channels or height, not 'width'"):
        Addition(1, "width")


def test_repr():
    assert repr(Addition(3)) == "Addition(3)"
    assert repr(Addition(3, "height")) == "Addition(3, 'height')"
    assert repr(Identity()) == "Identity()"


def test_backward_needs_a_training_forward():
    layer = build(Addition(1), (None, 2))
    y, _ = layer.forward(sequences(2, (3,)), np.array([3]))
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)
