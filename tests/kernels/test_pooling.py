"""Max pooling of a batch against the plain one, image by image."""

import numpy as np
import pytest

from ocrlstm.kernels import pooling as fast
from ocrlstm.kernels.reference import pooling as reference

# Height, channels, size, stride, widths.
CASES = [
    (1, 1, (1, 1), (1, 1), (1,)),
    (7, 2, (2, 2), (2, 2), (9, 1, 2, 7)),
    (2, 9, (1, 2), (1, 2), (2, 9, 1)),
    (9, 7, (3, 3), (1, 2), (7, 2)),
    (7, 1, (2, 3), (3, 4), (9, 7, 1)),
    (16, 1, (16, 16), (1, 1), (17, 16)),  # the largest window
]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("height", "channels", "size", "stride", "widths"), CASES)
def test_equals_the_reference(height, channels, size, stride, widths, ties):
    rng = np.random.default_rng(height)
    shape = (len(widths), height, max(widths) + 1, channels)
    # All below zero, so that padding would win, and larger noise beyond the widths.
    x = rng.integers(-9, -7, shape).astype(float) if ties else rng.normal(-50, 1, shape)
    for i, width in enumerate(widths):
        x[i, :, width:] = 7
    rows = (height - size[0]) // stride[0] + 1
    out_widths = np.array([max((w - size[1]) // stride[1] + 1, 0) for w in widths])
    y = np.full((len(widths), rows, out_widths.max(), channels), np.nan)
    winners = np.full(y.shape, 99, np.uint8)
    fast.max_forward(x, size, stride, y, winners, out_widths)
    without = np.full_like(y, np.nan)
    fast.max_forward(x, size, stride, without, np.empty((0, 0, 0, 0), np.uint8), out_widths)
    np.testing.assert_array_equal(without, y)
    dy = rng.normal(size=y.shape)
    dx = np.full_like(x, np.nan)
    fast.max_backward(dy, winners, size, stride, out_widths, dx)
    for i, (width, n) in enumerate(zip(widths, out_widths, strict=True)):
        image = x[i, :, :width]
        np.testing.assert_array_equal(y[i, :, :n], reference.max_forward(image, size, stride))
        assert not y[i, :, n:].any()
        wanted = reference.max_backward(dy[i, :, :n], image, size, stride)
        np.testing.assert_allclose(dx[i, :, :width], wanted, rtol=1e-12, atol=1e-13)
        assert not dx[i, :, width:].any()
