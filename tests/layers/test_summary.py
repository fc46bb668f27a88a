"""The last frame, column or row."""

import numpy as np
import pytest
from batches import check_alone
from gradients import images, sequences

from ocrlstm.layers import Summary

LENGTHS = (4, 1, 0, 7)


def test_frames():
    layer, x = Summary(), sequences(2, LENGTHS)
    assert layer.plan((None, 2)) == ((1, 2), {})
    y, lengths = layer.forward(x, np.array(LENGTHS), training=True)
    assert lengths.tolist() == [1, 1, 0, 1] and y.shape == (1, 4, 2)
    for i, length in enumerate(LENGTHS):
        np.testing.assert_array_equal(y[0, i], x[length - 1, i] if length else 0)
    dx = layer.backward(np.ones_like(y))
    for i, length in enumerate(LENGTHS):
        assert dx[:, i, 0].tolist() == [float(t == length - 1) for t in range(7)]


def test_columns():
    layer, x = Summary("x"), images(3, 2, LENGTHS)
    assert layer.plan((3, None, 2)) == ((3, 1, 2), {})
    y, lengths = layer.forward(x, np.array(LENGTHS), training=True)
    assert lengths.tolist() == [1, 1, 0, 1] and y.shape == (4, 3, 1, 2)
    for i, length in enumerate(LENGTHS):
        np.testing.assert_array_equal(y[i, :, 0], x[i, :, length - 1] if length else 0)
    dx = layer.backward(np.ones_like(y))
    for i, length in enumerate(LENGTHS):
        assert dx[i, 1, :, 1].tolist() == [float(t == length - 1) for t in range(7)]


def test_rows():
    layer, x = Summary("y"), images(3, 2, LENGTHS)
    assert layer.plan((3, None, 2)) == ((1, None, 2), {})
    y, lengths = layer.forward(x, np.array(LENGTHS), training=True)
    assert lengths.tolist() == list(LENGTHS)
    np.testing.assert_array_equal(y, x[:, 2:])
    dx = layer.backward(np.ones_like(y))
    assert not dx[:, :2].any()
    for i, length in enumerate(LENGTHS):
        assert dx[i, 2, :, 0].tolist() == [float(t < length) for t in range(7)]


def test_alone_as_in_a_batch():
    check_alone(Summary("y"), images(3, 2, LENGTHS), LENGTHS, training=True)
    some = (4, 1, 7)  # alone, an item without frames still gives the one, which is not valid then
    check_alone(Summary(), images(3, 2, some), some, training=True)
    check_alone(Summary(), sequences(2, some), some, training=True)


def test_no_items():
    for axis, x in (
        ("x", np.zeros((5, 0, 2))),
        ("x", np.zeros((0, 3, 5, 2))),
        ("y", np.zeros((0, 3, 5, 2))),
    ):
        layer = Summary(axis)
        y, _ = layer.forward(x, np.zeros(0, np.int64), training=True)
        assert y.size == 0
        assert layer.backward(y).shape == x.shape


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="axis 'x' or 'y', not 'z'"):
        Summary("z")
    with pytest.raises(ValueError, match=r"only images .* have rows, not \(None, 2\)"):
        Summary("y").plan((None, 2))
    with pytest.raises(RuntimeError, match="training=True"):
        Summary().backward(np.zeros((1, 1, 1)))


def test_repr():
    assert repr(Summary()) == "Summary('x')" and repr(Summary("y")) == "Summary('y')"
