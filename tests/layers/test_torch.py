"""Layers that PyTorch has too: the same values and gradients, in float64."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import LSTM, Convolution, MaxPool, bidirectional

torch = pytest.importorskip("torch")

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def run(layer, x, lengths):
    """Output, a random gradient of it, and what backward makes of that."""
    y, out_lengths = layer.forward(x, np.array(lengths), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    return y, out_lengths, dy, layer.backward(dy)


@pytest.mark.parametrize("activation", ["linear", "relu", "tanh", "logistic"])
@pytest.mark.parametrize(
    ("kernel", "stride"),
    [((1, 1), 1), ((3, 3), 1), ((3, 5), (2, 1)), ((2, 2), 1), ((5, 3), (1, 3))],
)
def test_convolution(kernel, stride, activation):
    layer = build(Convolution(7, kernel, stride, activation), (9, None, 2))
    widths = (9, 2, 7)
    x = images(9, 2, widths)
    y, out_widths, dy, dx = run(layer, x, widths)
    weights = torch.tensor(layer.parameters()["W"].transpose(3, 2, 0, 1), requires_grad=True)
    bias = torch.tensor(layer.parameters()["b"], requires_grad=True)
    functions = {"relu": torch.relu, "tanh": torch.tanh, "logistic": torch.sigmoid}
    for i, (width, out_width) in enumerate(zip(widths, out_widths, strict=True)):
        image = torch.tensor(x[i : i + 1, :, :width].transpose(0, 3, 1, 2), requires_grad=True)
        wanted = torch.nn.functional.conv2d(image, weights, bias, layer.stride, layer.padding)
        wanted = functions.get(activation, lambda z: z)(wanted)
        wanted.backward(torch.tensor(dy[i : i + 1, :, :out_width].transpose(0, 3, 1, 2)))
        as_ours = wanted.detach().numpy()[0].transpose(1, 2, 0)
        np.testing.assert_allclose(y[i, :, :out_width], as_ours, **CLOSE)
        as_ours = image.grad.numpy()[0].transpose(1, 2, 0)
        np.testing.assert_allclose(dx[i, :, :width], as_ours, **CLOSE)
    gradients = layer.gradients()
    as_ours = weights.grad.numpy().transpose(2, 3, 1, 0)  # summed over the images
    np.testing.assert_allclose(gradients["W"], as_ours, **CLOSE)
    np.testing.assert_allclose(gradients["b"], bias.grad.numpy(), **CLOSE)


@pytest.mark.parametrize(("size", "stride"), [(2, 2), (3, 1), ((1, 2), (2, 1)), ((2, 3), 4)])
def test_max_pool(size, stride):
    widths = (9, 7)
    x = images(7, 2, widths)
    y, out_widths, dy, dx = run(MaxPool(size, stride), x, widths)
    for i, (width, out_width) in enumerate(zip(widths, out_widths, strict=True)):
        image = torch.tensor(x[i : i + 1, :, :width].transpose(0, 3, 1, 2), requires_grad=True)
        wanted = torch.nn.functional.max_pool2d(image, size, stride)
        wanted.backward(torch.tensor(dy[i : i + 1, :, :out_width].transpose(0, 3, 1, 2)))
        as_ours = wanted.detach().numpy()[0].transpose(1, 2, 0)
        np.testing.assert_allclose(y[i, :, :out_width], as_ours, **CLOSE)
        as_ours = image.grad.numpy()[0].transpose(1, 2, 0)
        np.testing.assert_allclose(dx[i, :, :width], as_ours, **CLOSE)


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
