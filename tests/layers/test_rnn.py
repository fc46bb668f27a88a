"""Simple recurrent networks; what they share with other cells is in test_recurrent.py."""

import numpy as np
import pytest
from cases.recurrent import CASES
from gradients import build, sequences

from ocrlstm.layers import RNN, ConnectedRNN
from ocrlstm.layers.nonlinearity import activate

LENGTHS = (9, 1, 0, 4)


@pytest.mark.parametrize("activation", ["tanh", "relu", "logistic", "linear", "softplus"])
def test_rnn_by_its_formula(activation):
    layer, x = build(RNN(3, activation), (None, 2)), sequences(2, LENGTHS)
    y, _ = layer.forward(x, np.array(LENGTHS))
    for i, length in enumerate(LENGTHS):
        h = np.zeros(3)
        for t in range(length):
            h = activate(activation, layer.parameters()["W"] @ np.concatenate([[1], x[t, i], h]))
            np.testing.assert_allclose(y[t, i], h, rtol=1e-10, atol=1e-12)
        assert not y[length:, i].any()


@pytest.mark.parametrize("activation", ["tanh", "relu", "logistic", "linear", "softplus"])
def test_connected_rnn_by_its_formula(activation):
    layer, x = build(ConnectedRNN(3, 2, activation), (None, 2)), sequences(2, LENGTHS)
    y, _ = layer.forward(x, np.array(LENGTHS))

    def connected(name, values):
        weights = layer.parameters()
        return activate(activation, weights[f"{name}.W"] @ values + weights[f"{name}.b"])

    for i, length in enumerate(LENGTHS):
        h = np.zeros(3)
        for t in range(length):
            h = connected("input", x[t, i]) + connected("self", h)
            np.testing.assert_allclose(y[t, i], connected("output", h), rtol=1e-10, atol=1e-12)
        assert not y[length:, i].any()  # also where the non-linearity makes something of 0


def test_weights_tell_whose_they_are():
    shapes = ConnectedRNN(3, 2).plan((None, 5))[1]
    assert shapes == {
        "input.W": (3, 5), "input.b": (3,), "self.W": (3, 3), "self.b": (3,),
        "output.W": (2, 3), "output.b": (2,),
    }  # fmt: skip
    assert RNN(3).plan((None, 5))[1] == {"W": (3, 9)}


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="unknown activation 'sine'.*tanh"):
        RNN(3, "sine")
    with pytest.raises(ValueError, match="unknown activation 'sine'.*tanh"):
        ConnectedRNN(3, 2, "sine")
    with pytest.raises(ValueError, match="at least 1 output, not 0"):
        ConnectedRNN(3, 0)


def test_the_cases_of_the_rectifier_keep_clear_of_its_kink():
    cases = [case for case in CASES if case.name == "RNN" and case.make().activation == "relu"]
    assert cases
    for case in cases:
        layer, x, lengths = case.built(), case.x(), np.array(case.lengths)
        y, _ = layer.forward(x, lengths)
        for i, length in enumerate(lengths):
            for t in range(length):
                before = y[t - 1, i] if t > 0 else np.zeros(layer.states)
                sums = layer.parameters()["W"] @ np.concatenate([[1], x[t, i], before])
                assert np.abs(sums).min() > 1e-3
