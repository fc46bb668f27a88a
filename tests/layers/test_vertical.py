"""Layers of sequences over the columns of images."""

import numpy as np
import pytest
from batches import check_alone
from gradients import build, images

from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.layers import (
    GRU,
    LSTM,
    RNN,
    Bidirectional,
    Columns,
    Dropout,
    Reversed,
    Summary,
    Vertical,
)

WIDTHS = (4, 1, 0, 7)


def columns_of(inner, x, widths):
    """What the layer inside makes of each column alone."""
    for i, width in enumerate(widths):
        for c in range(width):
            column = np.ascontiguousarray(x[i, :, c])[:, None]
            yield i, c, inner.forward(column, np.array([x.shape[1]]))[0][:, 0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: LSTM(3),
        lambda: Reversed(RNN(3)),
        lambda: Bidirectional(GRU(2)),
        lambda: LSTM(3, sequences=False),
    ],
)
def test_every_column_is_a_sequence_from_top_to_bottom(make):
    layer, x = build(Vertical(make()), (5, None, 2)), images(5, 2, WIDTHS)
    y, widths = layer.forward(x, np.array(WIDTHS))
    assert widths.tolist() == list(WIDTHS)
    assert y.shape[1:3] == (layer.plan((5, None, 2))[0][0], 7) and y.flags.c_contiguous
    expected = np.zeros_like(y)
    for i, c, column in columns_of(layer.layer, x, WIDTHS):
        expected[i, :, c] = column
    np.testing.assert_allclose(y, expected, rtol=1e-12, atol=1e-14)


def test_columns_beyond_the_width_are_not_computed():
    class Counting(RNN):
        def forward(self, x, lengths, training=False):
            self.seen = x.shape
            return super().forward(x, lengths, training)

    layer = build(Vertical(Counting(3)), (5, None, 2))
    layer.forward(images(5, 2, WIDTHS), np.array(WIDTHS))
    assert layer.layer.seen == (5, sum(WIDTHS), 2)


@pytest.mark.parametrize("cell", [LSTM(3), GRU(3, sequences=False)], ids=str)
def test_alone_as_in_a_batch(cell):
    check_alone(build(Vertical(cell), (5, None, 2)), images(5, 2, WIDTHS), WIDTHS, training=True)


def test_any_number_of_threads_gives_the_same_bytes():
    layer, widths = build(Vertical(LSTM(3)), (5, None, 2)), (70, 9, 55)
    x, results = images(5, 2, widths), []
    for count in (1, 3):
        set_thread_count(count)
        y, _ = layer.forward(x, np.array(widths), training=True)
        dx = layer.backward(np.cos(y))
        results.append([y, dx, *(g.copy() for g in layer.gradients().values())])
    set_thread_count(None)
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)


def test_sizes_and_weights_are_those_of_the_layer_inside():
    layer, inner = Vertical(LSTM(3, sequences=False)), LSTM(3)
    assert layer.plan((5, None, 2)) == ((1, None, 3), inner.plan((5, 2))[1])
    # A column of the output takes as many steps as the image has rows.
    assert layer.products((5, None, 2)) == 5 * inner.products((None, 2)) == 5 * 4 * 3 * 6
    layer.build((5, None, 2), np.random.default_rng(0))
    assert layer.parameters() is layer.layer.parameters()
    assert [*layer.children()] == [layer.layer]
    assert repr(layer) == "Vertical(LSTM(3, sequences=False))"


def test_no_items_and_no_columns():
    layer = build(Vertical(GRU(3)), (5, None, 2))
    for shape in ((0, 5, 4, 2), (2, 5, 0, 2), (2, 5, 4, 2)):
        x, widths = np.zeros(shape), np.zeros(shape[0], np.int64)
        y, _ = layer.forward(x, widths, training=True)
        assert y.shape == (*shape[:3], 3) and not y.any()
        assert layer.backward(np.ones_like(y)).shape == shape
        assert not any(g.any() for g in layer.gradients().values())


def test_the_input_s_gradient_is_left_out_where_nobody_wants_it():
    layer, gradients = build(Vertical(Reversed(RNN(3))), (5, None, 2)), []
    for wanted in (True, False):
        layer.input_gradient = wanted
        y, _ = layer.forward(images(5, 2, WIDTHS), np.array(WIDTHS), training=True)
        layer.backward(np.ones_like(y))
        assert layer.layer.layer.input_gradient is wanted
        gradients.append(layer.gradients()["W"].copy())
    np.testing.assert_array_equal(*gradients)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match=r"images .*, not \(None, 2\)"):
        Vertical(LSTM(3)).plan((None, 2))
    with pytest.raises(ValueError, match=r"images .*, not \(None, None, 2\)"):
        Vertical(LSTM(3)).plan((None, None, 2))
    with pytest.raises(ValueError):
        Vertical(Columns()).plan((5, None, 2))
    with pytest.raises(RuntimeError, match="training=True"):
        Vertical(LSTM(3)).backward(np.zeros((1, 1, 1, 3)))


def test_other_layers_of_sequences():
    layer, x = Vertical(Summary()), images(5, 2, WIDTHS)
    y, _ = layer.forward(x, np.array(WIDTHS))
    np.testing.assert_array_equal(y, x[:, 4:])
    layer = Vertical(Dropout(0.5))
    y, _ = layer.forward(x, np.array(WIDTHS), training=True)
    assert 0 < (y == 0).mean() < 1 and y.shape == x.shape
