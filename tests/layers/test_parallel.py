"""Layers side by side, among them both directions of one."""

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
    Bidirectional,
    Columns,
    Convolution,
    Dropout,
    Identity,
    MaxPool,
    Parallel,
    Reversed,
    Vertical,
    bidirectional,
)

LENGTHS = (4, 1, 7)


def make_input(shape):
    return images(shape[0], shape[2], LENGTHS) if len(shape) == 3 else sequences(shape[1], LENGTHS)


@pytest.mark.parametrize(
    ("layer", "shape", "planned"),
    [
        (Parallel(LSTM(3), GRU(2)), (None, 2), (None, 5)),
        (Parallel(LSTM(3, sequences=False), RNN(2, sequences=False)), (None, 2), (1, 5)),
        (Parallel(Convolution(3, 3), Vertical(LSTM(2))), (5, None, 2), (5, None, 5)),
        (Parallel(AvgPool(2), MaxPool(2)), (5, None, 2), (2, None, 4)),
        (Parallel(Convolution(1, 1, 2), Convolution(3, 3, 2)), (5, None, 2), (3, None, 4)),
        (Bidirectional(GRU(3, sequences=False)), (None, 2), (1, 6)),
    ],
    ids=str,
)
def test_features_stand_side_by_side(layer, shape, planned):
    build(layer, shape)
    assert layer.plan(shape)[0] == planned
    x = make_input(shape)
    y, lengths = layer.forward(x, np.array(LENGTHS))
    np.testing.assert_array_equal(lengths, layer.output_lengths(np.array(LENGTHS)))
    parts = [part.forward(x, np.array(LENGTHS))[0] for part in layer.layers]
    np.testing.assert_array_equal(y, np.concatenate(parts, axis=-1))
    assert y.shape[-1] == planned[-1]
    check_alone(layer, x, LENGTHS, training=True)


@pytest.mark.parametrize(
    ("layer", "shape", "message"),
    [
        (Parallel(LSTM(3), Columns()), (None, 7), "only images"),
        (Parallel(Convolution(3, 3), Columns()), (7, None, 1), "different shapes"),
        (Parallel(LSTM(3), LSTM(3, sequences=False)), (None, 7), "different shapes"),
        (Parallel(Convolution(3, 3), Convolution(3, 3, (1, 2))), (7, None, 1), "different lengths"),
        # Of an odd width the one leaves a column more than the other.
        (
            Parallel(AvgPool((1, 2)), Convolution(3, 1, (1, 2))),
            (7, None, 1),
            "of 1 columns or frames, AvgPool.* leaves 0 and Convolution.* leaves 1",
        ),
    ],
    ids=str,
)
def test_layers_that_do_not_agree_are_refused(layer, shape, message):
    with pytest.raises(ValueError, match=message):
        layer.plan(shape)
    with pytest.raises(ValueError, match=message):
        layer.build(shape, np.random.default_rng(0))
    assert layer.parameters() == {}


def test_lengths_that_were_not_foreseen_are_refused_in_forward():
    # Of a fixed width, which both halve, a line may still be shorter.
    layer = Parallel(AvgPool((1, 2)), Convolution(3, 1, (1, 2)))
    build(layer, (7, 8, 1))
    x = images(7, 1, (8, 5))
    layer.forward(x, np.array([8, 8]))
    with pytest.raises(ValueError, match="of 5 columns or frames"):
        layer.forward(x, np.array([8, 5]))


def test_one_layer_alone_and_none():
    layer = build(Parallel(Dropout(0.0)), (None, 2))
    x = sequences(2, LENGTHS)
    y, _ = layer.forward(x, np.array(LENGTHS), training=True)
    np.testing.assert_array_equal(y, x)
    with pytest.raises(ValueError, match="at least one"):
        Parallel()


def test_the_given_gradient_is_left_as_it_is():
    layer = build(Parallel(Dropout(0.0), RNN(1)), (None, 1))
    x = np.ones((1, 1, 1))
    layer.forward(x, np.array([1]), training=True)
    dy = np.array([[[1.0, 2.0]]])
    layer.backward(dy)
    np.testing.assert_array_equal(dy, [[[1.0, 2.0]]])


def test_products_and_buffers_are_those_of_all_layers():
    layer = Parallel(Vertical(LSTM(3)), Convolution(2, 3))
    parts = [part.products((5, None, 2)) for part in layer.layers]
    assert layer.products((5, None, 2)) == sum(parts) and parts[0] == 5 * 4 * 3 * 6
    layer = Parallel(BatchNorm(), LSTM(3))
    assert {name[:2] for name in layer.plan_buffers((None, 2))} == {"0."}
    layer.build((None, 2), np.random.default_rng(0))
    assert {name: b.shape for name, b in layer.buffers().items()} == layer.plan_buffers((None, 2))


def test_bidirectional_has_a_copy_with_weights_of_its_own():
    cell = GRU(3, reset_after=False)
    layer = Bidirectional(cell)
    assert isinstance(layer, Parallel) and layer.layer is cell
    backwards = layer.layers[1]
    assert isinstance(backwards, Reversed) and backwards.layer is not cell
    assert repr(backwards.layer) == repr(cell) and repr(layer) == f"Bidirectional({cell!r})"
    layer.build((None, 2), np.random.default_rng(0))
    weights = layer.parameters()
    assert set(weights) == {f"{i}.{name}" for i in "01" for name in ("WZ", "WR", "WN")}
    assert (weights["0.WZ"] != weights["1.WZ"])[:, 1:].all()


def test_both_last_states_have_seen_the_whole_line():
    layer = build(Bidirectional(LSTM(3, sequences=False)), (None, 2))
    x = sequences(2, (7,))
    y, _ = layer.forward(x, np.array([7]))
    for t in (0, 6):
        moved = x.copy()
        moved[t] += 1
        assert (layer.forward(moved, np.array([7]))[0] != y).all()


def test_the_name_of_ocropus_gives_two_lstms():
    layer = bidirectional(3, peephole_at_start=False)
    assert repr(layer) == "Bidirectional(LSTM(3, peephole_at_start=False))"
    names = list(layer.plan((None, 2))[1])
    gates = ["WGI", "WGF", "WGO", "WCI", "WIP", "WFP", "WOP"]
    assert names == [f"{i}.{name}" for i in (0, 1) for name in gates]


def test_padding_that_some_layers_keep_and_others_drop():
    layer = build(Parallel(Convolution(2, 3), Identity()), (5, None, 1))
    narrow = images(5, 1, (8, 6))
    wide = np.pad(narrow, [(0, 0), (0, 0), (0, 3), (0, 0)])
    expected, lengths = layer.forward(narrow, np.array([8, 6]), training=True)
    gradient = layer.backward(expected)
    y, same = layer.forward(wide, np.array([8, 6]), training=True)
    np.testing.assert_array_equal(y[:, :, :8], expected)
    np.testing.assert_array_equal(same, lengths)
    np.testing.assert_allclose(
        layer.backward(y), np.pad(gradient, [(0, 0), (0, 0), (0, 3), (0, 0)])
    )
