"""Max and average pooling of a batch against the plain one, image by image."""

import numpy as np
import pytest

from ocrlstm.kernels import pooling as fast
from ocrlstm.kernels.reference import pooling as reference

# Height, channels, size, stride, padding, widths.
CASES = [
    (1, 1, (1, 1), (1, 1), (0, 0), (1,)),
    (7, 2, (2, 2), (2, 2), (0, 0), (9, 1, 2, 7)),
    (2, 9, (1, 2), (1, 2), (0, 0), (2, 9, 1)),
    (9, 7, (3, 3), (1, 2), (0, 0), (7, 2)),
    (7, 1, (2, 3), (3, 4), (0, 0), (9, 7, 1)),
    (16, 1, (16, 16), (1, 1), (0, 0), (17, 16)),  # the largest window
    (7, 2, (3, 3), (1, 1), (1, 1), (9, 1, 2, 7)),
    (2, 9, (2, 2), (2, 1), (1, 1), (7, 1)),
    (1, 1, (4, 7), (3, 2), (2, 3), (9, 2, 1)),
    (9, 2, (3, 5), (1, 4), (0, 2), (7, 2, 1)),
]


def make(height, channels, size, stride, padding, widths, draw):
    """Images with large noise beyond the widths, and the shape and widths of the output."""
    x = draw((len(widths), height, max(widths) + 1, channels))
    for i, width in enumerate(widths):
        x[i, :, width:] = 7
    rows = (height + 2 * padding[0] - size[0]) // stride[0] + 1
    columns = [max((w + 2 * padding[1] - size[1]) // stride[1] + 1, 0) for w in widths]
    return x, (len(widths), rows, max(columns), channels), np.array(columns)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_the_largest_value_as_in_the_reference(case, ties):
    rng = np.random.default_rng(7)

    def draw(shape):  # all below zero, so that padding would win
        return rng.integers(-9, -7, shape).astype(float) if ties else rng.normal(-50, 1, shape)

    x, shape, out_widths = make(*case, draw)
    geometry, widths = case[2:5], case[5]
    y, winners = np.full(shape, np.nan), np.full(shape, 99, np.uint8)
    fast.max_forward(x, np.array(widths), *geometry, y, winners, out_widths)
    without, nothing = np.full_like(y, np.nan), np.empty((0, 0, 0, 0), np.uint8)
    fast.max_forward(x, np.array(widths), *geometry, without, nothing, out_widths)
    np.testing.assert_array_equal(without, y)
    dy, dx = rng.normal(size=y.shape), np.full_like(x, np.nan)
    fast.max_backward(dy, np.array(widths), winners, *geometry, out_widths, dx)
    for i, (width, n) in enumerate(zip(widths, out_widths, strict=True)):
        image = x[i, :, :width]
        np.testing.assert_array_equal(y[i, :, :n], reference.max_forward(image, *geometry))
        assert not y[i, :, n:].any()
        wanted = reference.max_backward(dy[i, :, :n], image, *geometry)
        np.testing.assert_allclose(dx[i, :, :width], wanted, rtol=1e-12, atol=1e-13)
        assert not dx[i, :, width:].any()


@pytest.mark.parametrize("case", CASES)
def test_the_mean_as_in_the_reference(case):
    rng = np.random.default_rng(7)
    x, shape, out_widths = make(*case, lambda shape: rng.normal(-5, 1, shape))
    geometry, widths = case[2:5], case[5]
    y = np.full(shape, np.nan)
    fast.average_forward(x, np.array(widths), *geometry, y, out_widths)
    dy, dx = rng.normal(size=y.shape), np.full_like(x, np.nan)
    fast.average_backward(dy, np.array(widths), *geometry, out_widths, dx)
    for i, (width, n) in enumerate(zip(widths, out_widths, strict=True)):
        image = x[i, :, :width]
        wanted = reference.average_forward(image, *geometry)
        np.testing.assert_allclose(y[i, :, :n], wanted, rtol=1e-12)
        assert not y[i, :, n:].any()
        wanted = reference.average_backward(dy[i, :, :n], image, *geometry)
        np.testing.assert_allclose(dx[i, :, :width], wanted, rtol=1e-12, atol=1e-13)
        assert not dx[i, :, width:].any()
