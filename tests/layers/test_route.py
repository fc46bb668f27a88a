"""Earlier outputs side by side."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import LSTM, Columns, Convolution, Identity, MaxPool, Route, Shortcut, Stacked


def test_channels_in_the_order_of_the_sources():
    layer = build(Stacked(Convolution(2, 3), Route(-2, -1, -2)), (5, None, 1))
    x, lengths = images(5, 1, (7, 2)), np.array([7, 2])
    middle, _ = layer.layers[0].forward(x, lengths)
    y, out = layer.forward(x, lengths)
    np.testing.assert_array_equal(y, np.concatenate([x, middle, x], axis=3))
    np.testing.assert_array_equal(out, lengths)


def test_items_one_after_another():
    layer = build(Stacked(MaxPool((1, 2)), Route(-2, -1, axis="batch")), (2, None, 1))
    x, lengths = images(2, 1, (7, 2)), np.array([7, 2])
    y, out = layer.forward(x, lengths, training=True)
    assert y.shape == (4, 2, 7, 1) and out.tolist() == [7, 2, 3, 1]
    np.testing.assert_array_equal(layer.output_lengths(lengths), out)
    np.testing.assert_array_equal(y[:2], x)
    np.testing.assert_array_equal(y[2:, :, :3], layer.layers[0].forward(x, lengths)[0])
    assert not y[2, :, 3:].any() and not y[3, :, 1:].any()


def test_sequences_one_after_another():
    layer = build(Stacked(LSTM(2), Route(-1, -2, axis="batch"), LSTM(1)), (None, 2))
    x, lengths = sequences(2, (4, 2)), np.array([4, 2])
    y, out = layer.forward(x, lengths)
    assert y.shape == (4, 4, 1) and out.tolist() == [4, 2, 4, 2]


def test_padding_of_any_size():
    """Equal lengths in arrays of other widths, as layers may give them."""
    join = Route(-1, -2)
    x, lengths = sequences(2, (4, 2)), np.array([4, 2])
    wide = np.pad(x, [(0, 3), (0, 0), (0, 0)])
    y, _ = join.forward([x, wide], [lengths, lengths], training=True)
    np.testing.assert_array_equal(y, np.concatenate([x, x], axis=2))
    for gradient, like in zip(join.backward(y), (x, wide), strict=True):
        np.testing.assert_array_equal(gradient, like)
        assert gradient.flags.c_contiguous


@pytest.mark.parametrize("axis", ["channels", "batch"])
def test_what_lies_beyond_the_items_is_not_read(axis):
    layer = build(Stacked(Identity(), Route(-1, -2, axis=axis)), (3, None, 2))
    x, lengths = images(3, 2, (5, 2)), np.array([5, 2])
    y, _ = layer.forward(x, lengths)
    before = x.copy()
    before[1, :, 2:] = x[1, :, 2:] = np.nan
    dirty, _ = layer.forward(x, lengths, training=True)
    np.testing.assert_array_equal(dirty, y)
    np.testing.assert_array_equal(x, before)
    dy = np.full_like(y, 2)
    assert not layer.backward(dy)[1, :, 2:].any()
    assert (dy == 2).all()


@pytest.mark.parametrize(
    ("layers", "shape", "told"),
    [
        (
            [MaxPool(2), Route(-1, -2)],
            (4, None, 1),
            r"channels of \(2, None, 1\) and \(4, None, 1\)",
        ),
        ([Columns(), Route(-1, -2)], (4, None, 1), "cannot stand side by side"),
        (
            [MaxPool((1, 2)), Route(-1, -2)],
            (4, None, 1),
            "not 32768 and 65536 columns",
        ),
        ([MaxPool((1, 2)), Route(-1, -2)], (4, 6, 1), r"channels of \(4, 3, 1\) and \(4, 6, 1\)"),
        (
            [LSTM(3), Route(-1, -2, axis="batch")],
            (None, 2),
            r"items of \(None, 3\) and \(None, 2\)",
        ),
        ([Route(-1, -1, axis="batch"), Route(-1, -2)], (None, 2), "256 and 128 items"),
    ],
    ids=str,
)
def test_what_is_refused(layers, shape, told):
    with pytest.raises(ValueError, match=told):
        Stacked(*layers).plan(shape)


def test_unequal_lengths_are_refused_at_the_arrays():
    x = sequences(2, (4, 2))
    with pytest.raises(ValueError, match="lengths are equal, not 2 and 1 columns or frames"):
        Route(-1, -2).forward([x, x], [np.array([4, 2]), np.array([4, 1])])


def test_arguments_that_are_refused():
    with pytest.raises(ValueError, match="at least one source"):
        Route()
    with pytest.raises(ValueError, match="axis must be channels or batch, not 'width'"):
        Route(-1, axis="width")


def test_repr():
    assert repr(Route(-1, "a")) == "Route(-1, 'a')"
    assert repr(Route(-1, axis="batch")) == "Route(-1, axis='batch')"


def test_backward_needs_a_training_forward():
    for join in (Route(-1, -2), Shortcut(-2)):
        layer = build(Stacked(LSTM(2), join), (None, 2))
        x = sequences(2, (4, 2))
        layer.forward(x, np.array([4, 2]))
        with pytest.raises(RuntimeError, match="training=True"):
            join.backward(x)
