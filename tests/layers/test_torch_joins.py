"""Whole networks with joins, and the same in PyTorch: values and all gradients, in float64."""

import numpy as np
import pytest
from gradients import build, images

from ocrlstm.layers import (
    Addition,
    Columns,
    Convolution,
    Identity,
    Parallel,
    Route,
    Shortcut,
    Softmax,
    Stacked,
)

torch = pytest.importorskip("torch")

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def convolve(x, weights, bias, stride=1):
    """A convolution whose output is as large as its input, or as that by the stride."""
    kernel = weights.permute(3, 2, 0, 1)
    return torch.nn.functional.conv2d(x, kernel, bias, stride, kernel.shape[-1] // 2)


def compare(layer, shape, theirs, width=8):
    """Compare with ``theirs(image (1, C, H, W), weights)``."""
    build(layer, shape)
    x = images(shape[0], shape[2], (width,))
    y, _ = layer.forward(x, np.array([width]), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    dx = layer.backward(dy)
    image = torch.tensor(x.transpose(0, 3, 1, 2), requires_grad=True)
    weights = {k: torch.tensor(w, requires_grad=True) for k, w in layer.parameters().items()}
    wanted = theirs(image, weights)
    if y.ndim == 4:
        wanted.backward(torch.tensor(dy.transpose(0, 3, 1, 2)))
        wanted = wanted.permute(0, 2, 3, 1)
    else:
        wanted.backward(torch.tensor(dy))
    np.testing.assert_allclose(y, wanted.detach().numpy(), **CLOSE)
    np.testing.assert_allclose(dx, image.grad.permute(0, 2, 3, 1).numpy(), **CLOSE)
    for name, gradient in layer.gradients().items():
        np.testing.assert_allclose(gradient, weights[name].grad.numpy(), **CLOSE)


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (0.5, -2)])
def test_residual_block(alpha, beta):
    def theirs(x, w):
        z = convolve(torch.relu(convolve(x, w["0.W"], w["0.b"])), w["1.W"], w["1.b"])
        return torch.tanh(alpha * z + beta * x)

    layer = Stacked(
        Convolution(3, 3, activation="relu"),
        Convolution(3, 3),
        Shortcut(-3, alpha, beta, "tanh"),
    )
    compare(layer, (7, None, 3), theirs)


@pytest.mark.parametrize("height", [7, 8])
def test_residual_block_with_a_stride(height):
    def theirs(x, w):
        z = convolve(x, w["0.W"], w["0.b"], 2)
        return torch.cat([z[:, :2] + x[:, :, ::2, ::2], z[:, 2:]], 1)

    compare(Stacked(Convolution(5, 3, 2), Shortcut(-2)), (height, None, 2), theirs, 9)


def test_dense_block():
    def theirs(x, w):
        a = torch.tanh(convolve(x, w["0.W"], w["0.b"]))
        b = torch.tanh(convolve(torch.cat([x, a], 1), w["2.W"], w["2.b"]))
        joined = torch.cat([x, a, b], 1)
        frames = joined.permute(3, 0, 2, 1).reshape(joined.shape[3], 1, -1)
        z = frames @ w["5.W2"][:, 1:].T + w["5.W2"][:, 0]
        return torch.log_softmax(z, -1)

    layer = Stacked(
        Convolution(2, 3, activation="tanh"),
        Route(-2, -1),
        Convolution(4, 3, activation="tanh"),
        Route(-4, -3, -1),
        Columns(),
        Softmax(5),
    )
    compare(layer, (4, None, 3), theirs)


def test_block_as_kraken_writes_it():
    def theirs(x, w):
        return convolve(x, w["0.0.W"], w["0.0.b"]) + x

    compare(Stacked(Parallel(Convolution(3, 3), Identity()), Addition(3)), (5, None, 3), theirs)


def test_sum_of_rows():
    compare(
        Addition(2, "height"), (6, None, 2), lambda x, w: x[:, :, :2] + x[:, :, 2:4] + x[:, :, 4:]
    )
