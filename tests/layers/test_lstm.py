"""The LSTM's own options; what it shares with other cells is in test_recurrent.py."""

import numpy as np
from gradients import build, sequences

from ocrlstm.kernels.reference import lstm as reference
from ocrlstm.layers import LSTM

GATES = ("WGI", "WGF", "WGO", "WCI")
PEEPHOLES = ("WIP", "WFP", "WOP")


def test_it_is_the_reference_line_by_line():
    lengths = (9, 1, 0, 4)
    x = sequences(2, lengths)
    for at_start in (True, False):
        layer = build(LSTM(7, peephole_at_start=at_start), (None, 2))
        y, _ = layer.forward(x, np.array(lengths), training=True)
        dy = np.random.default_rng(0).normal(size=y.shape)
        dx = layer.backward(dy)
        expected = {name: np.zeros_like(w) for name, w in layer.parameters().items()}
        for i, n in enumerate(lengths):
            s = reference.forward(layer.parameters(), x[:n, i], peephole_at_start=at_start)
            g = reference.backward(layer.parameters(), s, dy[:n, i], peephole_at_start=at_start)
            np.testing.assert_allclose(y[:n, i], s.output, rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(dx[:n, i], g.sourceerr[:, 1:3], rtol=1e-10, atol=1e-12)
            for name, gradient in g.weights.items():
                expected[name] += gradient
        for name, gradient in layer.gradients().items():
            np.testing.assert_allclose(gradient, expected[name], rtol=1e-10, atol=1e-12)


def test_without_peepholes_it_is_one_whose_peepholes_are_zero():
    with_, without = build(LSTM(7), (None, 2)), build(LSTM(7, peepholes=False), (None, 2))
    assert list(with_.parameters()) == [*GATES, *PEEPHOLES]
    assert list(without.parameters()) == list(GATES)
    for name in GATES:
        with_.parameters()[name][:] = without.parameters()[name]
    x, lengths = sequences(2, (9, 4)), np.array((9, 4))
    y, _ = with_.forward(x, lengths)
    same, _ = without.forward(x, lengths, training=True)
    assert (same != y)[0].all()
    for name in PEEPHOLES:
        with_.parameters()[name][:] = 0
    y, _ = with_.forward(x, lengths, training=True)
    np.testing.assert_array_equal(same, y)
    np.testing.assert_array_equal(without.backward(np.cos(y)), with_.backward(np.cos(y)))
    for name in GATES:
        np.testing.assert_array_equal(without.gradients()[name], with_.gradients()[name])


def test_the_forget_bias():
    for value, initializer in ((1.0, None), (0.0, None), (-2.5, "xavier")):
        layer = LSTM(7, forget_bias=value, initializer=initializer)
        layer.build((None, 2), np.random.default_rng(0))
        for name in GATES:
            bias = layer.parameters()[name][:, 0]
            assert (bias == (value if name == "WGF" else 0)).all()


def test_the_first_weights_of_ocropus():
    layer = LSTM(40, forget_bias=0.0, initializer="ocropus")
    layer.build((None, 30), np.random.default_rng(0), np.float64)
    for weights in layer.parameters().values():
        assert 0.08 < np.abs(weights).max() <= 0.1
        assert np.unique(weights).size == weights.size


def test_the_default_first_weights_keep_the_norm_of_what_recurs():
    layer = LSTM(20)
    layer.build((None, 9), np.random.default_rng(0), np.float64)
    for name in GATES:
        recurrent = layer.parameters()[name][:, 10:]
        np.testing.assert_allclose(recurrent @ recurrent.T, np.eye(20), atol=1e-12)
    assert not any(layer.parameters()[name].any() for name in PEEPHOLES)
