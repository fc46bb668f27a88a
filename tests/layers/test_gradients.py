"""Backward of every layer against central differences: one line a case."""

import numpy as np
import pytest
from cases import all_about, all_cases
from gradients import build, check_gradients, images, sequences

from ocrlstm.layers import (
    LSTM,
    Columns,
    Convolution,
    Dropout,
    Reversed,
    Softmax,
    Stacked,
    bidirectional,
)
from ocrlstm.losses import LOSSES


def name(value):
    return str(value).replace(" ", "")


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_backward_gives_the_gradient_of_forward(case):
    check_gradients(case.built(), case.x(), case.lengths)


def test_every_case_has_its_formula():
    assert {case.name for case in all_cases()} == set(all_about())


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
