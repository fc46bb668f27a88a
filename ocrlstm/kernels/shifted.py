"""One row of a convolution without patches: a matrix product for each place in the kernel.

With stride 1 along the row and images (H, W, C), the pixels that one place of the kernel meets are
one run of memory, an input row shifted. Nothing is copied; each product of (columns, C) by (C, K)
is added to the row. It pays from some eight channels on.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled

__all__ = ["backward_row", "forward_row"]


@compiled
def forward_row(  # type: ignore[no-untyped-def]
    x, row, width, weights, stride, padding, dilation, out, product
):
    """Write output row `row`, without bias.

    Parameters
    ----------
    x : ndarray, shape (H, W, C)
    row, width : int
        Number of the row; valid columns of `x`.
    weights : ndarray, shape (kh, kw, C, K)
    stride : int
        From one row to the next.
    padding, dilation : tuple of int
        Each (vertical, horizontal).
    out : ndarray, shape (columns, K)
        Overwritten.
    product : ndarray, shape (columns or more, K)
        Scratch.
    """
    zero = x.dtype.type(0)
    columns, filters = out.shape
    # The unshifted place goes first: if it reaches every column, as with the usual padding of half
    # the kernel, it may overwrite.
    first = padding[1] // dilation[1]
    unshifted = padding[1] % dilation[1] == 0 and first < weights.shape[1] and columns <= width
    written = not unshifted
    if written:
        out[:] = zero
    for ky in range(weights.shape[0]):
        y = row * stride + ky * dilation[0] - padding[0]
        if y < 0 or y >= x.shape[0]:
            continue
        for place in range(weights.shape[1]):
            kx = (place + first) % weights.shape[1]
            shift = kx * dilation[1] - padding[1]
            low, high = max(0, -shift), min(columns, width - shift)
            if low >= high:
                continue
            pixels = x[y, low + shift : high + shift]
            if not written:
                np.dot(pixels, weights[ky, kx], out)
                written = True
                continue
            np.dot(pixels, weights[ky, kx], product[: high - low])
            for column in range(low, high):
                for k in range(filters):
                    out[column, k] += product[column - low, k]
    if not written:
        out[:] = zero


@compiled
def backward_row(  # type: ignore[no-untyped-def]
    dy, x, row, width, weights_t, stride, padding, dilation, dx, dweights, pixel_errors, product
):
    """Add what output row `row` gives to the gradients of input and weights.

    Parameters
    ----------
    dy : ndarray, shape (columns, K)
        Gradient of the row, behind the non-linearity.
    x, row, width, stride, padding, dilation
        As in `forward_row`.
    weights_t : ndarray, shape (kh, kw, K, C)
    dx : ndarray, shape (H, W, C), or (0, 0, 0) where it is not wanted
    dweights : ndarray, shape (kh, kw, C, K)
    pixel_errors : ndarray, shape (columns or more, C)
        Scratch.
    product : ndarray, shape (C, K)
        Scratch.
    """
    columns = dy.shape[0]
    channels = x.shape[2]
    for ky in range(weights_t.shape[0]):
        y = row * stride + ky * dilation[0] - padding[0]
        if y < 0 or y >= x.shape[0]:
            continue
        for kx in range(weights_t.shape[1]):
            shift = kx * dilation[1] - padding[1]
            low, high = max(0, -shift), min(columns, width - shift)
            if low >= high:
                continue
            np.dot(x[y, low + shift : high + shift].T, dy[low:high], product)
            dweights[ky, kx] += product
            if dx.size > 0:
                np.dot(dy[low:high], weights_t[ky, kx], pixel_errors[: high - low])
                for column in range(low, high):
                    for c in range(channels):
                        dx[y, column + shift, c] += pixel_errors[column - low, c]
