"""Non-linearities, connected layers and outputs that PyTorch has too, in float64."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import Activation, Connected, Logistic, Softmax

torch = pytest.importorskip("torch")
functional = torch.nn.functional

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
ACTIVATIONS = {
    "logistic": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "leaky": lambda z: functional.leaky_relu(z, 0.1),
    "relie": lambda z: functional.leaky_relu(z, 0.01),
    "hardtan": functional.hardtanh,
    "elu": functional.elu,
    "selu": functional.selu,
    "softplus": lambda z: functional.softplus(z, threshold=100.0),
    "softsign": functional.softsign,
    "gelu": functional.gelu,
    "swish": functional.silu,
    "hardswish": functional.hardswish,
}


def run(layer, x, lengths):
    """Output, a random gradient of it within the lengths, and what backward makes of that."""
    y, out_lengths = layer.forward(x, np.array(lengths), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    dx = layer.backward(dy)
    for i, length in enumerate(out_lengths):
        if dy.ndim == 4:
            dy[i, :, length:] = 0
        else:
            dy[length:, i] = 0
    return y, dy, dx


def compare(layer, x, lengths, theirs, weights=()):
    """Compare with ``theirs(x)`` within the lengths; return the gradients of the weights."""
    y, dy, dx = run(layer, x, lengths)
    source = torch.tensor(x, requires_grad=True)
    wanted = theirs(source)
    wanted.backward(torch.tensor(dy))
    inside = wanted.detach().numpy().copy()
    for i, length in enumerate(layer.output_lengths(np.array(lengths))):
        if y.ndim == 4:
            inside[i, :, length:] = 0
        else:
            inside[length:, i] = 0
    np.testing.assert_allclose(y, inside, **CLOSE)
    np.testing.assert_allclose(dx, source.grad.numpy(), **CLOSE)
    return [weight.grad.numpy() for weight in weights]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation(name):
    for x in (3 * images(2, 7, (9, 2)), 10 * sequences(9, (7, 1))):
        lengths = (9, 2) if x.ndim == 4 else (7, 1)
        compare(Activation(name), x, lengths, ACTIVATIONS[name])


@pytest.mark.parametrize("name", [None, *ACTIVATIONS])
@pytest.mark.parametrize("bias", [True, False])
def test_connected(name, bias):
    layer = build(Connected(7, name or "linear", bias), (None, 9))
    weights = [torch.tensor(w, requires_grad=True) for w in layer.parameters().values()]
    function = ACTIVATIONS[name] if name else lambda z: z
    found = compare(
        layer, sequences(9, (7, 2)), (7, 2), lambda x: function(functional.linear(x, *weights)),
        weights,
    )  # fmt: skip
    for gradient, wanted in zip(layer.gradients().values(), found, strict=True):
        np.testing.assert_allclose(gradient, wanted, **CLOSE)


def test_connected_to_whole_images():
    layer = build(Connected(7, "gelu"), (2, 9, 3))
    weights = [torch.tensor(w, requires_grad=True) for w in layer.parameters().values()]
    found = compare(
        layer, images(2, 3, (9, 9)), (9, 9),
        lambda x: functional.gelu(functional.linear(x.flatten(1), *weights))[None],
        weights,
    )  # fmt: skip
    for gradient, wanted in zip(layer.gradients().values(), found, strict=True):
        np.testing.assert_allclose(gradient, wanted, **CLOSE)


def with_bias_first(weights, x):
    return functional.linear(x, weights[:, 1:], weights[:, 0])


def test_logistic():
    layer = build(Logistic(7), (None, 2))
    weights = torch.tensor(layer.parameters()["W2"], requires_grad=True)
    (wanted,) = compare(
        layer, sequences(2, (9, 1)), (9, 1), lambda x: torch.sigmoid(with_bias_first(weights, x)),
        [weights],
    )  # fmt: skip
    np.testing.assert_allclose(layer.gradients()["W2"], wanted, **CLOSE)
    compare(Logistic(), images(7, 2, (9, 1)), (9, 1), torch.sigmoid)


@pytest.mark.parametrize("temperature", [1.0, 0.5, 3.0])
@pytest.mark.parametrize("log", [True, False])
def test_softmax(log, temperature):
    function = functional.log_softmax if log else functional.softmax

    def squash(z):
        return function(z / temperature, dim=-1)

    layer = build(Softmax(7, log=log, temperature=temperature), (None, 9))
    weights = torch.tensor(layer.parameters()["W2"], requires_grad=True)
    (wanted,) = compare(
        layer, sequences(9, (7, 2)), (7, 2), lambda x: squash(with_bias_first(weights, x)),
        [weights],
    )  # fmt: skip
    np.testing.assert_allclose(layer.gradients()["W2"], wanted, **CLOSE)
    free = Softmax(log=log, temperature=temperature)
    compare(free, sequences(9, (7, 1)), (7, 1), squash)
    compare(free, images(7, 2, (9, 1)), (9, 1), squash)
