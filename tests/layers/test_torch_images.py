"""Layers of images that PyTorch has too: the same values and gradients, in float64.

PyTorch gets every image alone, cut to its own width; ours come as one batch, with large values
beyond the widths.
"""

import numpy as np
import pytest
from gradients import build, images

from ocrlstm.layers import AvgPool, Convolution, MaxPool, Shuffler, Upsample

torch = pytest.importorskip("torch")
functional = torch.nn.functional

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
WIDTHS = (9, 2, 7)


def compare(layer, height, channels, theirs, weights=()):
    """Compare values and gradients of a batch with those of ``theirs(image)``, image by image.

    `weights` are tensors that `theirs` uses; their gradients are summed over the batch. Images
    that give no column at all go only through our layer, and must add nothing.
    """
    x = images(height, channels, WIDTHS)
    for i, width in enumerate(WIDTHS):
        x[i, :, width:] = 1e3
    y, out_widths = layer.forward(x, np.array(WIDTHS), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    dx = layer.backward(dy)
    assert out_widths.max() > 0
    for i, (width, out_width) in enumerate(zip(WIDTHS, out_widths, strict=True)):
        assert not dx[i, :, width:].any() and not y[i, :, out_width:].any()
        if out_width == 0:
            assert not dx[i].any()
            continue
        image = torch.tensor(x[i : i + 1, :, :width].transpose(0, 3, 1, 2), requires_grad=True)
        wanted = theirs(image)
        wanted.backward(torch.tensor(dy[i : i + 1, :, :out_width].transpose(0, 3, 1, 2)))
        as_ours = wanted.detach().numpy()[0].transpose(1, 2, 0)
        np.testing.assert_allclose(y[i, :, :out_width], as_ours, **CLOSE)
        as_ours = image.grad.numpy()[0].transpose(1, 2, 0)
        np.testing.assert_allclose(dx[i, :, :width], as_ours, **CLOSE)
    return [weight.grad.numpy() for weight in weights]


def compare_convolution(layer, channels, function=lambda z: z):
    build(layer, (9, None, channels))
    parameters, gradients = layer.parameters(), layer.gradients()
    weights = [torch.tensor(parameters["W"].transpose(3, 2, 0, 1), requires_grad=True)]
    if layer.bias:
        weights.append(torch.tensor(parameters["b"], requires_grad=True))
    geometry = (layer.stride, layer.padding, layer.dilation)

    def theirs(image):
        bias = weights[1] if layer.bias else None
        return function(functional.conv2d(image, weights[0], bias, *geometry))

    wanted = compare(layer, 9, channels, theirs, weights)
    np.testing.assert_allclose(gradients["W"], wanted[0].transpose(2, 3, 1, 0), **CLOSE)
    assert set(gradients) == ({"W", "b"} if layer.bias else {"W"})
    if layer.bias:
        np.testing.assert_allclose(gradients["b"], wanted[1], **CLOSE)


@pytest.mark.parametrize("activation", ["linear", "relu", "tanh", "logistic"])
@pytest.mark.parametrize(
    ("kernel", "stride"),
    [((1, 1), 1), ((3, 3), 1), ((3, 5), (2, 1)), ((2, 2), 1), ((5, 3), (1, 3))],
)
def test_convolution(kernel, stride, activation):
    functions = {"relu": torch.relu, "tanh": torch.tanh, "logistic": torch.sigmoid}
    function = functions.get(activation, lambda z: z)
    compare_convolution(Convolution(7, kernel, stride, activation), 2, function)


@pytest.mark.parametrize("channels", [1, 9])
@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "dilation", "bias"),
    [
        (3, 1, 0, 1, True),
        (3, 2, 0, 1, False),
        ((2, 3), 1, (4, 5), 1, False),
        (3, 1, None, 2, True),
        ((3, 2), (2, 1), (1, 0), (2, 1), True),
        ((2, 4), (2, 3), (1, 5), (7, 2), False),
    ],
)
def test_convolution_with_other_padding_dilation_or_no_bias(
    kernel, stride, padding, dilation, bias, channels
):
    layer = Convolution(2, kernel, stride, padding=padding, dilation=dilation, bias=bias)
    compare_convolution(layer, channels)


@pytest.mark.parametrize(
    ("activation", "function"),
    [
        ("gelu", functional.gelu),
        ("softplus", functional.softplus),
        ("elu", functional.elu),
        ("hardswish", functional.hardswish),
    ],
)
def test_convolution_with_other_activations(activation, function):
    compare_convolution(Convolution(2, 3, 1, activation), 2, function)


WINDOWS = [
    # size, stride, padding
    (2, 2, 0),
    (3, 1, 0),
    ((1, 2), (2, 1), 0),
    ((2, 3), 4, 0),
    (2, 2, 1),
    (3, 1, 1),
    ((4, 7), (3, 2), (2, 3)),
    ((1, 3), (1, 3), (0, 1)),
]


@pytest.mark.parametrize(("size", "stride", "padding"), WINDOWS)
def test_max_pool(size, stride, padding):
    def theirs(image):
        return functional.max_pool2d(image, size, stride, padding)

    compare(MaxPool(size, stride, padding), 7, 2, theirs)


@pytest.mark.parametrize(("size", "stride", "padding"), WINDOWS)
def test_avg_pool(size, stride, padding):
    def theirs(image):
        return functional.avg_pool2d(image, size, stride, padding, count_include_pad=False)

    compare(AvgPool(size, stride, padding), 7, 2, theirs)


@pytest.mark.parametrize("factor", [1, 2, (1, 3), (7, 2)])
def test_upsample(factor):
    def theirs(image):
        return 0.7 * functional.interpolate(image, scale_factor=factor, mode="nearest")

    compare(Upsample(factor, scale=0.7), 2, 7, theirs)


@pytest.mark.parametrize("factor", [1, 2, (1, 7), (2, 3)])
def test_upsample_down(factor):
    def theirs(image):
        return -2 * functional.avg_pool2d(image, factor)

    compare(Upsample(factor, down=True, scale=-2.0), 7, 2, theirs)


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_shuffler(factor):
    def theirs(image):
        return functional.pixel_shuffle(image, factor)

    compare(Shuffler(factor), 7, 2 * factor**2, theirs)


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_shuffler_inverse(factor):
    def theirs(image):
        whole = image.shape[3] // factor * factor  # theirs refuses a rest, ours leaves it out
        return functional.pixel_unshuffle(image[..., :whole], factor)

    compare(Shuffler(factor, inverse=True), 6, 2, theirs)
