"""Sums with earlier outputs of equal and of other shapes."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import LSTM, Columns, Convolution, Identity, MaxPool, Route, Shortcut, Stacked


def shortcut(front, shape, *arguments, **more):
    """A layer with a shortcut past it, and the layer."""
    layer = build(Stacked(front, Shortcut(-2, *arguments, **more)), shape)
    return layer, front


@pytest.mark.parametrize(
    ("activation", "function"), [("linear", lambda z: z), ("relu", lambda z: np.maximum(z, 0))]
)
def test_equal_shapes(activation, function):
    layer, front = shortcut(Convolution(2, 3), (5, None, 2), 0.5, -2, activation)
    x, lengths = images(5, 2, (7, 1, 4)), np.array([7, 1, 4])
    y, out = layer.forward(x, lengths)
    before, _ = front.forward(x, lengths)
    np.testing.assert_allclose(y, function(0.5 * before - 2 * x), atol=1e-12)
    np.testing.assert_array_equal(out, lengths)


def test_sequences_share_their_first_features():
    x = sequences(5, (4, 2))
    layer, front = shortcut(LSTM(3), (None, 5))
    before, _ = front.forward(x, np.array([4, 2]))
    y, _ = layer.forward(x, np.array([4, 2]))
    np.testing.assert_array_equal(y, before + x[..., :3])
    layer, front = shortcut(LSTM(7), (None, 5))
    before, _ = front.forward(x, np.array([4, 2]))
    y, _ = layer.forward(x, np.array([4, 2]))
    np.testing.assert_array_equal(y[..., :5], before[..., :5] + x)
    np.testing.assert_array_equal(y[..., 5:], before[..., 5:])


@pytest.mark.parametrize(
    ("front", "height", "rows", "columns"),
    [
        (MaxPool(2), 8, [0, 2, 4, 6], [0, 2, 4]),
        (MaxPool(2), 7, [0, 2, 4], [0, 2, 4]),  # 3.5 rounded down
        (Convolution(1, 1, 2), 7, [0, 2, 4, 6], [0, 2, 4, 6]),  # and up
        (MaxPool(3), 7, [0, 3], [0, 3]),
        (Convolution(1, 1, 3), 7, [0, 3, 6], [0, 3, 6]),  # 2 would also fit the height
        (MaxPool((2, 1)), 7, [0, 2, 4], list(range(7))),
        (MaxPool((1, 2)), 1, [0], [0, 2, 4]),
        (MaxPool((3, 2)), 9, [0, 3, 6], [0, 2, 4]),
    ],
    ids=str,
)
def test_a_larger_image_is_read_with_a_stride(front, height, rows, columns):
    layer, _ = shortcut(front, (height, None, 1), 0)
    x = images(height, 1, (7,))
    y, _ = layer.forward(x, np.array([7]))
    np.testing.assert_array_equal(y, x[:, rows][:, :, columns])


@pytest.mark.parametrize(
    ("small", "height", "step"),
    [(MaxPool(2), 8, (2, 2)), (MaxPool(2), 7, (2, 2)), (Convolution(1, 1, (3, 2)), 9, (3, 2))],
    ids=str,
)
def test_a_smaller_image_is_spread_with_a_stride(small, height, step):
    layer = build(Stacked(small, Route(-2), Shortcut(-2, 1, 3)), (height, None, 1))
    x = images(height, 1, (7,))
    earlier, _ = small.forward(x, np.array([7]))
    y, _ = layer.forward(x, np.array([7]))
    expected = x.copy()
    for row in range(earlier.shape[1]):
        for column in range(earlier.shape[2]):
            expected[:, row * step[0], column * step[1]] += 3 * earlier[:, row, column]
    np.testing.assert_allclose(y, expected, atol=1e-12)


def test_fixed_widths():
    layer, _ = shortcut(MaxPool((2, 3)), (8, 9, 1), 0)
    x = images(8, 1, (9, 9))
    y, _ = layer.forward(x, np.array([9, 9]))
    np.testing.assert_array_equal(y, x[:, ::2, ::3])


@pytest.mark.parametrize("front", [Identity(), MaxPool(2), Convolution(2, 3, 2)], ids=str)
def test_an_item_gives_the_same_alone_and_pixels_beyond_it_are_not_read(front):
    widths = (9, 1, 4, 2)
    layer, _ = shortcut(front, (5, None, 2), 0.5, 2, "softplus")
    x, lengths = images(5, 2, widths), np.array(widths)
    y, out = layer.forward(x, lengths)
    for i, width in enumerate(widths):
        x[i, :, width:] = np.nan
        assert not y[i, :, out[i] :].any()
    dirty, _ = layer.forward(x, lengths, training=True)
    np.testing.assert_array_equal(dirty, y)
    dx = layer.backward(np.ones_like(y))
    for i, width in enumerate(widths):
        assert np.isfinite(dx[i]).all() and not dx[i, :, width:].any()
        one = np.ascontiguousarray(x[i : i + 1, :, :width])
        alone, _ = layer.forward(one, lengths[i : i + 1])
        np.testing.assert_allclose(y[i : i + 1, :, : out[i]], alone, atol=1e-12)


@pytest.mark.parametrize(
    ("layers", "shape", "told"),
    [
        ([Columns(), Shortcut(-2)], (4, None, 1), "images and sequences"),
        (
            [Convolution(1, (2, 1), padding=0), Shortcut(-2)],
            (6, None, 1),
            "5 and 6 rows .* no whole",
        ),
        ([MaxPool((1, 2), (1, 1)), Shortcut(-2)], (6, None, 1), "65535 and 65536 columns"),
        ([MaxPool(2), Shortcut(-2)], (6, 9, 1), None),
    ],
    ids=str,
)
def test_shapes_that_are_refused(layers, shape, told):
    layer = Stacked(*layers)
    if told is None:
        layer.plan(shape)
        return
    with pytest.raises(ValueError, match=told):
        layer.plan(shape)


def test_items_and_lengths_that_do_not_fit_are_refused_at_the_arrays():
    x = sequences(2, (4, 2))
    with pytest.raises(ValueError, match="256 and 128 items"):
        Stacked(Route(-1, -1, axis="batch"), Shortcut(-2)).plan((None, 2))
    join = Shortcut(-2)
    join.build([(None, 2), (None, 2)], [np.array([9, 1]), np.array([9, 1])])
    with pytest.raises(ValueError, match=r"\[4, 2\] and \[4, 1\] columns or frames"):
        join.forward([x, x], [np.array([4, 2]), np.array([4, 1])])
    with pytest.raises(ValueError, match="2 and 1 items"):
        join.forward([x, x[:, :1]], [np.array([4, 2]), np.array([4])])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Shortcut(-1, float("nan")), "must be finite"),
        (lambda: Shortcut(-1, 1, float("inf")), "must be finite"),
        (lambda: Shortcut(-1, activation="sine"), "sine"),
        (lambda: Shortcut(0), "-1 is the last"),
    ],
)
def test_arguments_that_are_refused(make, told):
    with pytest.raises(ValueError, match=told):
        make()


def test_repr():
    assert repr(Shortcut(-3)) == "Shortcut(-3)"
    assert repr(Shortcut("a", 0.5, 2, "relu")) == "Shortcut('a', 0.5, 2, activation='relu')"
