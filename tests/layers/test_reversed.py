"""Layers read from the end."""

import numpy as np
import pytest
from batches import check_alone
from gradients import build, images, sequences

from ocrlstm.layers import (
    GRU,
    LSTM,
    RNN,
    AvgPool,
    BatchNorm,
    Columns,
    Convolution,
    Reversed,
    Stacked,
    Summary,
    Vertical,
)

LENGTHS = (4, 1, 0, 7)


@pytest.mark.parametrize("cell", [LSTM(3), GRU(3, sequences=False), RNN(3)], ids=str)
def test_every_sequence_is_read_from_its_own_end(cell):
    layer, x = build(Reversed(cell), (None, 2)), sequences(2, LENGTHS)
    y, _ = layer.forward(x, np.array(LENGTHS))
    for i, length in enumerate(LENGTHS):
        backwards = np.ascontiguousarray(x[:length, i : i + 1][::-1])
        expected, _ = cell.forward(backwards, np.array([length]))
        found = y[:length, i : i + 1] if cell.sequences else y[:, i : i + 1]
        np.testing.assert_allclose(found, expected[::-1], rtol=1e-12)


@pytest.mark.parametrize(
    "inner", [Convolution(2, (2, 3)), AvgPool(2), AvgPool(3, 1), Convolution(1, 2, 2)], ids=str
)
def test_every_image_is_read_from_its_own_end(inner):
    layer, x = build(Reversed(inner), (5, None, 2)), images(5, 2, LENGTHS)
    y, widths = layer.forward(x, np.array(LENGTHS))
    np.testing.assert_array_equal(widths, inner.output_lengths(np.array(LENGTHS)))
    for i, (length, width) in enumerate(zip(LENGTHS, widths, strict=True)):
        backwards = np.ascontiguousarray(x[i : i + 1, :, :length][:, :, ::-1])
        expected, _ = inner.forward(backwards, np.array([length]))
        np.testing.assert_allclose(y[i : i + 1, :, :width], expected[:, :, ::-1], rtol=1e-12)
        assert not y[i, :, width:].any()


@pytest.mark.parametrize(
    "inner", [Convolution(2, (2, 3)), AvgPool(2), Vertical(LSTM(3)), Summary("y")], ids=str
)
def test_rows_are_read_from_the_bottom(inner):
    layer, x = build(Reversed(inner, "y"), (5, None, 2)), images(5, 2, LENGTHS)
    y, _ = layer.forward(x, np.array(LENGTHS))
    assert y.flags.c_contiguous
    upside_down = np.ascontiguousarray(x[:, ::-1])
    expected, _ = inner.forward(upside_down, np.array(LENGTHS))
    np.testing.assert_array_equal(y, expected[:, ::-1])


def test_images_that_become_sequences():
    inner = Stacked(Columns(), LSTM(3))
    layer, x = build(Reversed(inner), (5, None, 2)), images(5, 2, LENGTHS)
    after = build(Stacked(Columns(), Reversed(LSTM(3))), (5, None, 2))
    y, _ = layer.forward(x, np.array(LENGTHS))
    expected, _ = after.forward(x, np.array(LENGTHS))
    np.testing.assert_allclose(y, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (Reversed(LSTM(3)), (None, 2)),
        (Reversed(GRU(3, sequences=False)), (None, 2)),
        (Reversed(AvgPool(2)), (5, None, 2)),
        (Reversed(AvgPool(2), "y"), (5, None, 2)),
        (Reversed(Reversed(Convolution(2, 3), "y")), (5, None, 2)),
    ],
    ids=str,
)
def test_alone_as_in_a_batch(layer, shape):
    lengths = (4, 1, 7)
    x = images(5, 2, lengths) if len(shape) == 3 else sequences(2, lengths)
    check_alone(build(layer, shape), x, lengths, training=True)


def test_weights_buffers_and_children_are_those_inside():
    inner = BatchNorm()
    layer = Reversed(inner)
    assert layer.plan_buffers((None, 2)) == inner.plan_buffers((None, 2)) != {}
    layer.build((None, 2), np.random.default_rng(0))
    assert layer.buffers() is inner.buffers() and layer.parameters() is inner.parameters()
    assert layer.gradients() is inner.gradients() and [*layer.children()] == [inner]
    assert Reversed(Vertical(LSTM(3))).products((5, None, 2)) == 5 * 4 * 3 * 6


def test_the_input_s_gradient_is_left_out_where_nobody_wants_it():
    layer = build(Reversed(LSTM(3)), (None, 2))
    layer.input_gradient = False
    y, _ = layer.forward(sequences(2, LENGTHS), np.array(LENGTHS), training=True)
    layer.backward(np.ones_like(y))
    assert layer.layer.input_gradient is False and layer.gradients()["WGI"].any()


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="axis 'x' or 'y' .*, not 'z'"):
        Reversed(LSTM(3), "z")
    with pytest.raises(ValueError, match=r"rows .* not of \(None, 2\) to \(None, 3\)"):
        Reversed(LSTM(3), "y").plan((None, 2))
    with pytest.raises(ValueError, match=r"rows .* not of \(5, None, 2\) to \(None, 10\)"):
        Reversed(Columns(), "y").plan((5, None, 2))
    with pytest.raises(RuntimeError, match="training=True"):
        Reversed(LSTM(3)).backward(np.zeros((1, 1, 3)))


def test_repr():
    assert repr(Reversed(LSTM(7))) == "Reversed(LSTM(7))"
    assert repr(Reversed(AvgPool(2), "y")) == f"Reversed({AvgPool(2)!r}, 'y')"
