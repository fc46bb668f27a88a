"""The GRU's own options; what it shares with other cells is in test_recurrent.py."""

import numpy as np
import pytest
from gradients import build, sequences

from ocrlstm.kernels.reference import gru as reference
from ocrlstm.layers import GRU


@pytest.mark.parametrize("reset_after", [True, False])
def test_it_is_the_reference_line_by_line(reset_after):
    lengths = (9, 1, 0, 4)
    layer, x = build(GRU(7, reset_after=reset_after), (None, 2)), sequences(2, lengths)
    y, _ = layer.forward(x, np.array(lengths), training=True)
    dy = np.random.default_rng(0).normal(size=y.shape)
    dx = layer.backward(dy)
    weights = layer.parameters()
    expected = {name: np.zeros_like(w) for name, w in weights.items()}
    for i, n in enumerate(lengths):
        s = reference.forward(weights, x[:n, i], reset_after=reset_after)
        g = reference.backward(weights, s, dy[:n, i], reset_after=reset_after)
        np.testing.assert_allclose(y[:n, i], s.output, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(dx[:n, i], g.x, rtol=1e-10, atol=1e-12)
        for name, gradient in g.weights.items():
            expected[name] += gradient
    for name, gradient in layer.gradients().items():
        np.testing.assert_allclose(gradient, expected[name], rtol=1e-10, atol=1e-12)


def test_only_reset_after_has_a_second_bias():
    for reset_after, names in ((True, ["WZ", "WR", "WN", "bh"]), (False, ["WZ", "WR", "WN"])):
        layer = GRU(3, reset_after=reset_after)
        assert list(layer.plan((None, 2))[1]) == names


@pytest.mark.parametrize("reset_after", [True, False])
def test_the_gates_do_what_their_names_say(reset_after):
    layer = build(GRU(1, reset_after=reset_after), (None, 1))
    weights, x = layer.parameters(), np.full((5, 1, 1), 0.5)
    for matrix in weights.values():
        matrix[:] = 0
    weights["WN"][0] = [0, 1, 1]  # n = tanh(x + [r] h)
    weights["WZ"][0, 0] = 50  # keep the state before
    y, _ = layer.forward(x, np.array([5]))
    np.testing.assert_allclose(y, 0, atol=1e-12)
    weights["WZ"][0, 0], weights["WR"][0, 0] = -50, -50  # take the candidate, forget the state
    y, _ = layer.forward(x, np.array([5]))
    np.testing.assert_allclose(y, np.tanh(0.5), rtol=1e-12)
    weights["WR"][0, 0] = 50  # let the candidate see it
    y, _ = layer.forward(x, np.array([5]))
    h = 0.0
    for found in y[:, 0, 0]:
        h = np.tanh(0.5 + h)
        assert found == pytest.approx(h, rel=1e-12)
