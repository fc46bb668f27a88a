"""Two-dimensional convolution of one image after another, by rows of patches and BLAS.

Images are (H, W, C): the patch of one output pixel and one kernel row is then one run of memory.
Patches are made for one row of output at a time, so they stay in the cache, and multiplied with the
weights (kh * kw * C, K). Columns beyond an image's valid width count as paper (zero), whatever they
hold, so an image gives the same result alone and in a padded batch.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled

__all__ = ["backward", "forward"]


@compiled
def _fill_patches(x, row, width, kernel, stride, padding, columns, patches):  # type: ignore[no-untyped-def]
    """Write the patches of output row `row` into `patches` (columns, kh * kw * C)."""
    height = x.shape[0]
    channels = x.shape[2]
    run = kernel[1] * channels
    zero = x.dtype.type(0)
    for ky in range(kernel[0]):
        y = row * stride[0] + ky - padding[0]
        low = ky * run
        if y < 0 or y >= height:
            patches[:columns, low : low + run] = zero
            continue
        line = x[y].reshape(-1)
        for column in range(columns):
            left = column * stride[1] - padding[1]
            if left >= 0 and left + kernel[1] <= width:
                begin = left * channels
                for j in range(run):
                    patches[column, low + j] = line[begin + j]
            else:
                for kx in range(kernel[1]):
                    inside = left + kx >= 0 and left + kx < width
                    for c in range(channels):
                        patches[column, low + kx * channels + c] = (
                            line[(left + kx) * channels + c] if inside else zero
                        )


@compiled
def _add_patches(patches, row, width, kernel, stride, padding, columns, dx):  # type: ignore[no-untyped-def]
    """Add patch gradients back to the pixels they were copied from."""
    height = dx.shape[0]
    channels = dx.shape[2]
    run = kernel[1] * channels
    for ky in range(kernel[0]):
        y = row * stride[0] + ky - padding[0]
        if y < 0 or y >= height:
            continue
        low = ky * run
        line = dx[y].reshape(-1)
        for column in range(columns):
            left = column * stride[1] - padding[1]
            if left >= 0 and left + kernel[1] <= width:
                begin = left * channels
                for j in range(run):
                    line[begin + j] += patches[column, low + j]
            else:
                for kx in range(kernel[1]):
                    if left + kx >= 0 and left + kx < width:
                        for c in range(channels):
                            line[(left + kx) * channels + c] += patches[
                                column, low + kx * channels + c
                            ]


@compiled
def forward(x, widths, weights, bias, kernel, stride, padding, relu, y, out_widths):  # type: ignore[no-untyped-def]
    """Convolve each image of a batch, and rectify it where `relu` is true.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C), C-contiguous
    widths : ndarray of int64, shape (N,)
        Valid columns of each image.
    weights : ndarray, shape (kh * kw * C, K)
    bias : ndarray, shape (K,)
    kernel, stride, padding : tuple of int
        Each (vertical, horizontal).
    relu : bool
    y : ndarray, shape (N, H', W', K)
        Overwritten; zero beyond `out_widths`.
    out_widths : ndarray of int64, shape (N,)
    """
    zero = x.dtype.type(0)
    filters = bias.shape[0]
    patches = np.empty((y.shape[2], weights.shape[0]), x.dtype)
    for i in range(x.shape[0]):
        columns = out_widths[i]
        for row in range(y.shape[1]):
            y[i, row, columns:] = zero
            if columns == 0:
                continue
            _fill_patches(x[i], row, widths[i], kernel, stride, padding, columns, patches)
            out = y[i, row, :columns]
            np.dot(patches[:columns], weights, out)
            if relu:
                for column in range(columns):
                    for k in range(filters):
                        out[column, k] = max(out[column, k] + bias[k], zero)
            else:
                for column in range(columns):
                    for k in range(filters):
                        out[column, k] += bias[k]


@compiled
def backward(  # type: ignore[no-untyped-def]
    dy, y, x, widths, weights, kernel, stride, padding, relu, out_widths, dx, dweights, dbias
):
    """Propagate `dy` back through `forward`.

    Parameters
    ----------
    dy : ndarray, shape (N, H', W', K)
        Gradient of the output; ignored beyond `out_widths`.
    y, x, widths, weights, kernel, stride, padding, relu, out_widths
        As in `forward`.
    dx : ndarray, shape (N, H, W, C), or (0, 0, 0, 0) where the input gradient is not wanted
        Overwritten.
    dweights, dbias : ndarray
        Like `weights` and bias; overwritten with the sums over the batch.
    """
    zero = x.dtype.type(0)
    filters = dbias.shape[0]
    patches = np.empty((y.shape[2], weights.shape[0]), x.dtype)
    masked = np.empty((y.shape[2], filters), x.dtype)
    product = np.empty_like(dweights)
    row_bias = np.empty_like(dbias)
    weights_t = np.ascontiguousarray(weights.T)
    dweights[:] = zero
    dbias[:] = zero
    dx[:] = zero
    for i in range(x.shape[0]):
        columns = out_widths[i]
        if columns == 0:
            continue
        for row in range(y.shape[1]):
            row_bias[:] = zero  # one sum over all pixels would lose digits in float32
            for column in range(columns):
                for k in range(filters):
                    d = dy[i, row, column, k]
                    if relu:
                        d = d if y[i, row, column, k] > zero else zero
                    masked[column, k] = d
                    row_bias[k] += d
            dbias += row_bias
            _fill_patches(x[i], row, widths[i], kernel, stride, padding, columns, patches)
            np.dot(patches[:columns].T, masked[:columns], product)
            dweights += product
            if dx.size > 0:
                np.dot(masked[:columns], weights_t, patches[:columns])
                _add_patches(patches, row, widths[i], kernel, stride, padding, columns, dx[i])
