"""Backward of every layer against central differences: one line a case."""

import numpy as np
import pytest
from gradients import build, check_gradients, images, sequences

from ocrlstm.layers import (
    LSTM,
    Columns,
    Convolution,
    Dropout,
    MaxPool,
    Parallel,
    Reversed,
    Softmax,
    Stacked,
    bidirectional,
)
from ocrlstm.losses import LOSSES

# Layer, features, lengths. Random weights throughout, peepholes and t=0 included.
SEQUENCES = [
    (LSTM(1), 1, (1,)),
    (LSTM(2), 1, (2, 1)),
    (LSTM(7), 2, (9, 1, 4)),
    (LSTM(9), 7, (1, 7, 2)),
    (LSTM(2), 9, (5, 3, 0)),
    (LSTM(3), 2, (4, 1, 2, 3, 4, 2, 1, 3, 4, 2, 1)),  # more than a block of eight lines
    (LSTM(7, peephole_at_start=False), 2, (9, 1, 4)),
    (LSTM(2, peephole_at_start=False), 1, (1, 1)),
    (Reversed(LSTM(7)), 2, (9, 1, 4)),
    (Reversed(LSTM(2, peephole_at_start=False)), 7, (2, 7, 1)),
    (Parallel(LSTM(2), Softmax(3), LSTM(1)), 2, (4, 1, 7)),
    (bidirectional(1), 1, (1, 2)),
    (bidirectional(4), 3, (7, 1, 5)),
    (bidirectional(3, peephole_at_start=False), 2, (2, 7)),
    (Stacked(bidirectional(3), bidirectional(2)), 2, (7, 1, 4)),
    (Stacked(bidirectional(2), Dropout(0.4), bidirectional(2), Softmax(3)), 3, (5, 1, 7)),
    (Softmax(1), 2, (3, 1)),
    (Softmax(7), 9, (7, 1, 4)),
    (Softmax(2, log=False), 1, (2, 1)),
    (Softmax(9, log=False), 7, (7, 1, 4)),
    (Dropout(0.5), 7, (9, 1, 4)),
    (Dropout(0.5, channels=True), 7, (9, 1, 4)),
    (Dropout(0.0), 2, (2, 1)),
]

# Layer, height, channels, widths. "tanh" and "logistic" are smooth, "linear" is, well, linear.
IMAGES = [
    (Convolution(1, 1), 1, 1, (1,)),
    (Convolution(2, 2), 7, 1, (7, 2, 1)),
    (Convolution(7, 3), 2, 1, (9, 1, 2)),
    (Convolution(2, 3), 7, 2, (2, 7)),
    (Convolution(2, (3, 5)), 7, 2, (9, 1, 4)),
    (Convolution(2, 3, 2), 9, 1, (9, 2, 1)),
    (Convolution(2, 3, (2, 1)), 7, 2, (1, 7)),
    (Convolution(3, (2, 3), (1, 3)), 2, 1, (7, 9)),
    (Convolution(2, 1, 2), 2, 7, (7, 1)),
    (Convolution(2, 3, activation="tanh"), 7, 1, (7, 1, 2)),
    (Convolution(2, (3, 5), 2, "tanh"), 2, 2, (9, 7)),
    (Convolution(2, 3, activation="logistic"), 7, 1, (7, 1, 2)),
    (Convolution(1, (1, 9), activation="logistic"), 1, 2, (2, 9)),
    # Enough channels for products without patches.
    (Convolution(2, 3), 7, 8, (7, 1, 2)),
    (Convolution(2, (3, 4), (2, 1), "tanh"), 7, 9, (9, 1)),
    (Columns(), 7, 2, (9, 1, 2)),
    (Columns(), 1, 1, (1,)),
    (Dropout(0.5), 2, 2, (7, 1)),
    (Dropout(0.5, channels=True), 2, 7, (7, 1)),
    (Stacked(Convolution(2, 3, 2, "tanh"), Convolution(2, 3, activation="logistic"), Columns(),
             bidirectional(2)), 7, 1, (9, 1, 4)),
]  # fmt: skip

# Whole numbers as input and weights and half a one as bias keep every sum half a unit away from
# the rectifier's kink.
RECTIFIED = [
    (Convolution(1, 1, activation="relu"), 1, 1, (1,)),
    (Convolution(7, 3, activation="relu"), 2, 1, (9, 1, 2)),
    (Convolution(2, (3, 5), 2, "relu"), 7, 2, (2, 9)),
    (Convolution(2, 2, (2, 1), "relu"), 7, 2, (7, 1)),
    (Convolution(2, 3, activation="relu"), 2, 9, (7, 1, 2)),
]

# All pixels differ by at least 1, so a small move changes no winner.
POOLED = [
    (MaxPool(1), 1, 1, (1,)),
    (MaxPool(2), 7, 2, (9, 1, 2)),
    (MaxPool((1, 2)), 1, 1, (7, 2)),
    (MaxPool((2, 1)), 2, 7, (1, 7)),
    (MaxPool(3, 1), 7, 1, (7, 2, 3)),
    (MaxPool(2, (1, 2)), 9, 2, (2, 9)),
    (MaxPool((2, 3), 4), 7, 1, (9, 7)),
    (MaxPool(7, 2), 9, 1, (9, 7)),
]


def name(value):
    return str(value).replace(" ", "")


@pytest.mark.parametrize(("layer", "features", "lengths"), SEQUENCES, ids=name)
def test_sequences(layer, features, lengths):
    build(layer, (None, features))
    check_gradients(layer, sequences(features, lengths), lengths)


@pytest.mark.parametrize(("layer", "height", "channels", "widths"), IMAGES, ids=name)
def test_images(layer, height, channels, widths):
    build(layer, (height, None, channels))
    check_gradients(layer, images(height, channels, widths), widths)


@pytest.mark.parametrize(("layer", "height", "channels", "widths"), RECTIFIED, ids=name)
def test_rectified(layer, height, channels, widths):
    build(layer, (height, None, channels))
    rng = np.random.default_rng(5)
    weights = layer.parameters()
    weights["W"][:] = rng.integers(-2, 3, weights["W"].shape)
    weights["b"][:] = 0.5
    x = np.round(2 * images(height, channels, widths))
    y, _ = layer.forward(x, np.array(widths))
    if y.size > 1:
        assert (y > 0).any() and (y == 0).any()
    check_gradients(layer, x, widths)


@pytest.mark.parametrize(("layer", "height", "channels", "widths"), POOLED, ids=name)
def test_pooled(layer, height, channels, widths):
    build(layer, (height, None, channels))
    x = images(height, channels, widths)
    x[:] = np.random.default_rng(6).permutation(x.size).reshape(x.shape) - x.size / 2
    check_gradients(layer, x, widths)


def batch_loss(kind, targets):
    def loss(log_posteriors, lengths):
        losses, gradient = LOSSES[kind](log_posteriors, lengths, targets)
        return float(losses.sum()), gradient

    return loss


CTC_TARGETS = [
    # lengths, targets: repeats, an empty one, one as long as its frames
    ((7, 3, 1), [[1, 1, 2], [2, 1, 2], [1]]),
    ((5, 2), [[2, 2], []]),
    ((1,), [[]]),
]


@pytest.mark.parametrize(("lengths", "targets"), CTC_TARGETS, ids=name)
@pytest.mark.parametrize("front", [(), (bidirectional(3), bidirectional(2))], ids=["", "two-deep"])
def test_ctc_through_softmax(lengths, targets, front):
    layer = build(Stacked(*front, Softmax(4)), (None, 3))
    targets = [np.array(target, np.int64) for target in targets]
    check_gradients(layer, sequences(3, lengths), lengths, batch_loss("ctc", targets))


def test_no_input_gradient_leaves_the_weights_gradients_as_they_are():
    for layer, shape, x in (
        (
            Stacked(Convolution(2, 3), Columns(), bidirectional(3)),
            (4, None, 1),
            images(4, 1, (7, 2)),
        ),
        (Stacked(bidirectional(3), bidirectional(2)), (None, 2), sequences(2, (7, 2))),
    ):
        build(layer, shape)
        gradients = []
        for wanted in (True, False):
            layer.input_gradient = wanted
            y, _ = layer.forward(x, np.array([7, 2]), training=True)
            layer.backward(np.ones_like(y))
            gradients.append({key: value.copy() for key, value in layer.gradients().items()})
        for key, value in gradients[0].items():
            np.testing.assert_array_equal(gradients[1][key], value)


@pytest.mark.parametrize("layer", [LSTM(2), Reversed(LSTM(2)), Softmax(2), Dropout(0.5)], ids=name)
def test_backward_needs_a_training_forward(layer):
    layer.build((None, 3), np.random.default_rng(0))
    x, lengths = np.ones((4, 2, 3), np.float32), np.array([4, 2])
    y, _ = layer.forward(x, lengths)
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)
    layer.forward(x, lengths, training=True)
    layer.backward(y)
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)
