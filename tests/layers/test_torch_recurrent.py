"""Recurrent layers that PyTorch has too: the same values and gradients, in float64."""

import numpy as np
import pytest
from gradients import build, sequences

from ocrlstm.layers import GRU, LSTM, RNN, Bidirectional, Reversed, bidirectional

torch = pytest.importorskip("torch")

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
# As PyTorch orders the gates, each [bias | x | h].
GATES = {LSTM: ("WGI", "WGF", "WCI", "WGO"), GRU: ("WR", "WZ", "WN"), RNN: ("W",)}
FEATURES, STATES, LENGTHS = 7, 9, (9, 1, 7, 2)

CELLS = [
    (lambda: LSTM(STATES, peepholes=False), torch.nn.LSTM, {}),
    (lambda: GRU(STATES), torch.nn.GRU, {}),
    (lambda: RNN(STATES), torch.nn.RNN, {"nonlinearity": "tanh"}),
    (lambda: RNN(STATES, "relu"), torch.nn.RNN, {"nonlinearity": "relu"}),
]


def as_torch(arrays, prefix, kind):
    """Weights or gradients by the names that PyTorch gives them, without direction."""
    gates = np.concatenate([arrays[prefix + name] for name in GATES[kind]])
    bias = np.zeros_like(gates[:, 0])  # its second bias; only that of the GRU's candidate counts
    if kind is GRU:
        bias[2 * STATES :] = arrays[prefix + "bh"]
    return {
        "weight_ih": gates[:, 1 : 1 + FEATURES],
        "weight_hh": gates[:, 1 + FEATURES :],
        "bias_ih": gates[:, 0],
        "bias_hh": bias,
    }


def compare(layer, kind, other, directions):
    """Compare with PyTorch's layer: output, input gradient, and all weights' gradients."""
    x = sequences(FEATURES, LENGTHS)
    y, _ = layer.forward(x, np.array(LENGTHS), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    dx = layer.backward(dy)
    for i, length in enumerate(LENGTHS):
        dy[length:, i] = 0
    other = other.double()
    with torch.no_grad():
        for prefix, suffix in directions.items():
            for name, value in as_torch(layer.parameters(), prefix, kind).items():
                getattr(other, name + suffix).copy_(torch.tensor(value))
    source = torch.tensor(x, requires_grad=True)
    packed = torch.nn.utils.rnn.pack_padded_sequence(source, LENGTHS, enforce_sorted=False)
    wanted, _ = torch.nn.utils.rnn.pad_packed_sequence(other(packed)[0])
    wanted.backward(torch.tensor(dy))
    np.testing.assert_allclose(y, wanted.detach().numpy(), **CLOSE)
    np.testing.assert_allclose(dx, source.grad.numpy(), **CLOSE)
    for prefix, suffix in directions.items():
        for name, gradient in as_torch(layer.gradients(), prefix, kind).items():
            expected = getattr(other, name + suffix).grad.numpy()
            if name == "bias_hh":  # a second bias has the first one's gradient; ours is one
                if kind is not GRU:
                    continue
                gradient, expected = gradient[2 * STATES :], expected[2 * STATES :]
            np.testing.assert_allclose(gradient, expected, **CLOSE)


@pytest.mark.parametrize(
    ("make", "theirs", "options"), CELLS, ids=lambda v: getattr(v, "__name__", "")
)
def test_forwards(make, theirs, options):
    layer = build(make(), (None, FEATURES), 0.3)
    compare(layer, type(layer), theirs(FEATURES, STATES, **options), {"": "_l0"})


@pytest.mark.parametrize(
    ("make", "theirs", "options"), CELLS, ids=lambda v: getattr(v, "__name__", "")
)
def test_both_ways(make, theirs, options):
    layer = build(Bidirectional(make()), (None, FEATURES), 0.3)
    other = theirs(FEATURES, STATES, bidirectional=True, **options)
    compare(layer, type(layer.layer), other, {"0.": "_l0", "1.": "_l0_reverse"})


def test_an_lstm_whose_peepholes_are_zero():
    layer = build(bidirectional(STATES), (None, FEATURES))
    for name, weights in layer.parameters().items():
        if name.endswith("P"):
            weights[:] = 0
    other = torch.nn.LSTM(FEATURES, STATES, bidirectional=True)
    compare(layer, LSTM, other, {"0.": "_l0", "1.": "_l0_reverse"})


@pytest.mark.parametrize(
    ("make", "theirs", "options"), CELLS, ids=lambda v: getattr(v, "__name__", "")
)
def test_the_last_state(make, theirs, options):
    """PyTorch gives the last states of packed sequences beside the outputs."""
    cell = make()
    cell.sequences = False
    for layer, backwards in ((cell, False), (Reversed(cell), True)):
        build(layer, (None, FEATURES), 0.3)
        x = sequences(FEATURES, LENGTHS)
        y, lengths = layer.forward(x, np.array(LENGTHS), training=True)
        assert lengths.tolist() == [1, 1, 1, 1]
        dy = np.random.default_rng(1).normal(size=y.shape)
        dx = layer.backward(dy)
        other = theirs(FEATURES, STATES, bidirectional=backwards, **options).double()
        suffix = "_l0_reverse" if backwards else "_l0"
        with torch.no_grad():
            for name, value in as_torch(layer.parameters(), "", type(cell)).items():
                getattr(other, name + suffix).copy_(torch.tensor(value))
        source = torch.tensor(x, requires_grad=True)
        packed = torch.nn.utils.rnn.pack_padded_sequence(source, LENGTHS, enforce_sorted=False)
        last = other(packed)[1]
        last = (last[0] if isinstance(last, tuple) else last)[-1:]
        last.backward(torch.tensor(dy))
        np.testing.assert_allclose(y, last.detach().numpy(), **CLOSE)
        np.testing.assert_allclose(dx, source.grad.numpy(), **CLOSE)
