"""The convolution of a batch against the plain one, image by image."""

import numpy as np
import pytest

from ocrlstm.kernels import convolution as fast
from ocrlstm.kernels.reference import convolution as reference

# Height, channels, filters, kernel, stride, widths; where it is not half the kernel, padding, and
# dilation.
CASES = [
    (1, 1, 1, (1, 1), (1, 1), (1,)),
    (7, 2, 3, (3, 3), (1, 1), (9, 1, 2, 7)),
    (9, 1, 2, (3, 5), (2, 1), (2, 9, 1)),
    (2, 7, 9, (2, 2), (1, 1), (7, 2)),
    (7, 2, 1, (3, 3), (2, 2), (9, 7, 1)),
    (9, 3, 2, (5, 1), (1, 3), (7, 1, 9)),
    (7, 1, 2, (1, 4), (3, 2), (9, 4, 7)),
    # Many channels and filters: more than a vector.
    (7, 8, 3, (3, 3), (1, 1), (9, 1, 2, 7)),
    (9, 9, 2, (3, 5), (2, 1), (2, 9, 1)),
    (2, 8, 9, (2, 2), (1, 1), (7, 2)),
    (1, 9, 1, (5, 4), (3, 1), (9, 4, 7)),
    (3, 8, 1, (7, 7), (1, 1), (2, 9)),
    # Padding from none to more than the kernel: no place of it reaches every column.
    (7, 2, 3, (3, 3), (1, 1), (9, 3, 4), (0, 0)),
    (7, 9, 2, (3, 3), (1, 1), (9, 3, 4), (0, 0)),
    (2, 1, 2, (2, 3), (2, 2), (7, 1), (4, 5)),
    (2, 8, 2, (2, 3), (2, 1), (7, 1), (4, 5)),
    (1, 9, 2, (3, 1), (1, 1), (2, 7), (1, 2)),
    # Dilated kernels.
    (7, 2, 3, (3, 3), (1, 1), (9, 1, 2, 7), (2, 2), (2, 2)),
    (7, 9, 3, (3, 3), (1, 1), (9, 1, 2, 7), (2, 2), (2, 2)),
    (9, 1, 2, (2, 5), (2, 3), (9, 7), (1, 3), (7, 2)),
    (9, 9, 2, (2, 5), (2, 1), (9, 7), (1, 3), (7, 2)),
    (2, 8, 1, (1, 2), (1, 1), (7, 2), (0, 7), (1, 7)),
    (7, 1, 1, (3, 2), (1, 2), (9, 2), (3, 1), (3, 1)),
    # Strides and dilations that share a factor or none: pixels that few places meet, or no place.
    (13, 2, 3, (3, 5), (4, 3), (19, 7), (1, 2), (2, 2)),
    (13, 9, 2, (5, 4), (3, 4), (19, 7), (0, 3), (3, 6)),
    (9, 1, 2, (1, 2), (2, 5), (19, 3), (0, 0), (1, 1)),
    # More rows than one band, and as many as two.
    (21, 2, 3, (3, 3), (1, 1), (4, 1)),
    (16, 8, 2, (4, 2), (2, 1), (5, 2)),
]


def random_case(height, channels, filters, kernel, stride, widths, padding=None, dilation=(1, 1)):
    """Images that hold noise beyond their widths, which must count as paper."""
    rng = np.random.default_rng(height)
    x = rng.normal(size=(len(widths), height, max(widths) + 2, channels))
    weights = rng.normal(size=(*kernel, channels, filters))
    padding = ((kernel[0] - 1) // 2, (kernel[1] - 1) // 2) if padding is None else padding
    span = [(size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True)]
    rows = (height + 2 * padding[0] - span[0]) // stride[0] + 1
    columns = [max((w + 2 * padding[1] - span[1]) // stride[1] + 1, 0) for w in widths]
    shape = (len(widths), rows, max(columns), filters)
    bias, geometry = rng.normal(size=filters), (stride, padding, dilation)
    return x, np.array(widths), weights, bias, geometry, np.array(columns), shape


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_equals_the_reference(case, relu):
    x, widths, weights, bias, geometry, out_widths, shape = random_case(*case)
    y = np.full(shape, np.nan)
    fast.forward(x, widths, weights, bias, *geometry, relu, 0, shape[1], y, out_widths)
    dy = np.random.default_rng(1).normal(size=shape)  # also beyond the widths
    dx, dw, dbias = np.full_like(x, np.nan), np.full_like(weights, np.nan), np.full_like(bias, 9)
    fast.backward(dy, y, x, widths, weights, *geometry, relu, out_widths, dx, dw, dbias)
    dweights_sum, dbias_sum = np.zeros_like(weights), np.zeros_like(bias)
    for i, (width, out_width) in enumerate(zip(widths, out_widths, strict=True)):
        image = x[i, :, :width]
        wanted = reference.forward(image, weights, bias, *geometry)
        assert wanted.shape[1] == out_width
        wanted = np.maximum(wanted, 0) if relu else wanted
        np.testing.assert_allclose(y[i, :, :out_width], wanted, rtol=1e-11, atol=1e-12)
        assert not y[i, :, out_width:].any()
        delta = dy[i, :, :out_width] * ((wanted > 0) if relu else 1)
        dimage, dweights, dbias_i = reference.backward(delta, image, weights, *geometry)
        np.testing.assert_allclose(dx[i, :, :width], dimage, rtol=1e-11, atol=1e-12)
        assert not dx[i, :, width:].any()
        dweights_sum += dweights
        dbias_sum += dbias_i
    np.testing.assert_allclose(dw, dweights_sum, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(dbias, dbias_sum, rtol=1e-11, atol=1e-12)


def test_images_and_gradients_of_another_type_count_as_that_of_the_weights():
    x, widths, weights, bias, geometry, out_widths, shape = random_case(
        7, 2, 3, (3, 2), (2, 1), (9, 4)
    )
    single = [array.astype(np.float32) for array in (x, weights, bias)]
    dy = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    found = []
    for dtype in (np.float32, np.float64):
        image, errors = single[0].astype(dtype), dy.astype(dtype)
        y, dx = np.empty(shape, np.float32), np.empty(x.shape, np.float32)
        fast.forward(image, widths, *single[1:], *geometry, True, 0, shape[1], y, out_widths)
        dw, dbias = np.empty_like(single[1]), np.empty_like(single[2])
        fast.backward(
            errors, y, image, widths, single[1], *geometry, True, out_widths, dx, dw, dbias
        )
        found.append([y, dx, dw, dbias])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_sums_over_a_large_batch_keep_their_digits_in_float32():
    # 4 * 32 * 2000 summands of one size: added one after another they lose digits.
    dy = np.full((4, 32, 2000, 1), 0.1, np.float32)
    widths = np.full(4, 2000)
    x, weights, bias = dy.copy(), np.ones((1, 1, 1, 1), np.float32), np.zeros(1, np.float32)
    dw, nothing = np.empty_like(weights), np.empty((4, 0, 0, 0), np.float32)
    fast.backward(
        dy, dy, x, widths, weights, (1, 1), (0, 0), (1, 1), False, widths, nothing, dw, bias
    )
    assert bias[0] == pytest.approx(dy.sum(dtype=np.float64), rel=1e-4)
    assert dw[0, 0, 0, 0] == pytest.approx((dy.astype(np.float64) ** 2).sum(), rel=1e-4)


def test_paper_gives_the_bias():
    y = np.empty((1, 5, 6, 2))
    fast.forward(
        np.zeros((1, 5, 6, 1)), np.array([6]), np.ones((3, 3, 1, 2)), np.array([2.0, -3.0]),
        (1, 1), (1, 1), (1, 1), True, 0, 5, y, np.array([6]),
    )  # fmt: skip
    assert (y[..., 0] == 2).all() and (y[..., 1] == 0).all()


@pytest.mark.parametrize("cuts", [(0, 21), (0, 1, 21), (0, 3, 11, 20, 21)])
def test_rows_in_shares_are_those_of_the_whole(cuts):
    x, widths, weights, bias, geometry, out_widths, shape = random_case(
        21, 2, 3, (3, 3), (1, 1), (4, 1)
    )
    whole, shares = np.full(shape, np.nan), np.full(shape, np.nan)
    fast.forward(x, widths, weights, bias, *geometry, True, 0, 21, whole, out_widths)
    for first, last in zip(cuts[:-1], cuts[1:], strict=True):
        fast.forward(x, widths, weights, bias, *geometry, True, first, last, shares, out_widths)
    np.testing.assert_array_equal(shares, whole)
