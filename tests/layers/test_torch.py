"""Layers that PyTorch has too: the same values and gradients, in float64."""

import numpy as np
import pytest
from gradients import build, sequences

from ocrlstm.layers import LSTM, bidirectional

torch = pytest.importorskip("torch")

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def run(layer, x, lengths):
    """Output, a random gradient of it, and what backward makes of that."""
    y, out_lengths = layer.forward(x, np.array(lengths), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    return y, out_lengths, dy, layer.backward(dy)


# PyTorch holds the gates in the order input, forget, cell, output, each [x | h] with two biases.
TORCH_GATES = ("WGI", "WGF", "WCI", "WGO")


def torch_weights(parameters, prefix, features):
    gates = np.concatenate([parameters[prefix + name] for name in TORCH_GATES])
    bias = gates[:, 0]
    return gates[:, 1 : 1 + features], gates[:, 1 + features :], bias, np.zeros_like(bias)


@pytest.mark.parametrize("both_ways", [False, True])
def test_lstm_without_peepholes(both_ways):
    features, states, lengths = 7, 9, (9, 1, 7, 2)
    layer = build(bidirectional(states) if both_ways else LSTM(states), (None, features))
    parameters = layer.parameters()
    for name, weights in parameters.items():
        if name.endswith("P"):
            weights[:] = 0
    x = sequences(features, lengths)
    y, _, dy, dx = run(layer, x, lengths)
    for i, length in enumerate(lengths):
        dy[length:, i] = 0

    other = torch.nn.LSTM(features, states, bidirectional=both_ways).double()
    prefixes = ("0.", "1.") if both_ways else ("",)
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    suffixes = ("_l0", "_l0_reverse")
    with torch.no_grad():
        for prefix, suffix in zip(prefixes, suffixes, strict=False):
            values = torch_weights(parameters, prefix, features)
            for name, value in zip(names, values, strict=True):
                getattr(other, name + suffix).copy_(torch.tensor(value))
    source = torch.tensor(x, requires_grad=True)
    packed = torch.nn.utils.rnn.pack_padded_sequence(source, lengths, enforce_sorted=False)
    wanted, _ = torch.nn.utils.rnn.pad_packed_sequence(other(packed)[0])
    wanted.backward(torch.tensor(dy))
    np.testing.assert_allclose(y, wanted.detach().numpy(), **CLOSE)
    np.testing.assert_allclose(dx, source.grad.numpy(), **CLOSE)
    for prefix, suffix in zip(prefixes, suffixes, strict=False):
        found = torch_weights(layer.gradients(), prefix, features)
        for name, gradient in zip(names[:3], found, strict=False):
            expected = getattr(other, name + suffix).grad.numpy()
            np.testing.assert_allclose(gradient, expected, **CLOSE)
