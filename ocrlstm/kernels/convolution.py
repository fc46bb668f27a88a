"""Two-dimensional convolution of one image after another, row by row, with BLAS.

A row is computed either by patches (`ocrlstm.kernels.patches`), for images of few channels and for
strides, or without copies (`ocrlstm.kernels.shifted`). Columns beyond an image's valid width count
as paper (zero), whatever they hold, so an image gives the same result alone and in a padded batch.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.patches import add_patches, fill_patches
from ocrlstm.kernels.shifted import backward_row, forward_row

__all__ = ["backward", "forward"]

# With fewer channels, matrix products as thin as these cost more than copying patches.
_CHANNELS_TO_SHIFT = 8


@compiled
def forward(  # type: ignore[no-untyped-def]
    x, widths, weights, bias, stride, padding, dilation, relu, y, out_widths
):
    """Convolve each image of a batch, and rectify it where `relu` is true.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C), C-contiguous
    widths : ndarray of int64, shape (N,)
        Valid columns of each image.
    weights : ndarray, shape (kh, kw, C, K)
    bias : ndarray, shape (K,)
    stride, padding, dilation : tuple of int
        Each (vertical, horizontal).
    relu : bool
    y : ndarray, shape (N, H', W', K)
        Overwritten; zero beyond `out_widths`.
    out_widths : ndarray of int64, shape (N,)
    """
    zero = x.dtype.type(0)
    filters = bias.shape[0]
    kernel = weights.shape[:2]
    shifted = stride[1] == 1 and x.shape[3] >= _CHANNELS_TO_SHIFT
    size = kernel[0] * kernel[1] * x.shape[3]
    flat = weights.reshape(size, filters)
    patches = np.empty((0 if shifted else y.shape[2], size), x.dtype)
    product = np.empty((y.shape[2] if shifted else 0, filters), x.dtype)
    for i in range(x.shape[0]):
        columns = out_widths[i]
        for row in range(y.shape[1]):
            y[i, row, columns:] = zero
            if columns == 0:
                continue
            out = y[i, row, :columns]
            if shifted:
                forward_row(
                    x[i], row, widths[i], weights, stride[0], padding, dilation, out, product
                )
            else:
                fill_patches(
                    x[i], row, widths[i], kernel, stride, padding, dilation, columns, patches
                )
                np.dot(patches[:columns], flat, out)
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
    dy, y, x, widths, weights, stride, padding, dilation, relu, out_widths, dx, dweights, dbias
):
    """Propagate `dy` back through `forward`.

    Parameters
    ----------
    dy : ndarray, shape (N, H', W', K)
        Gradient of the output; ignored beyond `out_widths`.
    y, x, widths, weights, stride, padding, dilation, relu, out_widths
        As in `forward`.
    dx : ndarray, shape (N, H, W, C), or (N, 0, 0, 0) where the input gradient is not wanted
        Overwritten.
    dweights, dbias : ndarray
        Like `weights` and bias; overwritten with the sums over the batch.
    """
    zero = x.dtype.type(0)
    filters = dbias.shape[0]
    channels = x.shape[3]
    kernel = weights.shape[:2]
    shifted = stride[1] == 1 and channels >= _CHANNELS_TO_SHIFT
    size = kernel[0] * kernel[1] * channels
    flat_t = np.ascontiguousarray(weights.reshape(size, filters).T)
    flat_gradient = dweights.reshape(size, filters)
    weights_t = np.ascontiguousarray(weights.transpose(0, 1, 3, 2))
    patches = np.empty((0 if shifted else y.shape[2], size), x.dtype)
    patch_product = np.empty((0 if shifted else size, filters), x.dtype)
    pixel_errors = np.empty((y.shape[2] if shifted else 0, channels), x.dtype)
    product = np.empty((channels if shifted else 0, filters), x.dtype)
    masked = np.empty((y.shape[2], filters), x.dtype)
    row_bias = np.empty_like(dbias)
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
            if shifted:
                backward_row(
                    masked[:columns],
                    x[i],
                    row,
                    widths[i],
                    weights_t,
                    stride[0],
                    padding,
                    dilation,
                    dx[i],
                    dweights,
                    pixel_errors,
                    product,
                )
                continue
            fill_patches(x[i], row, widths[i], kernel, stride, padding, dilation, columns, patches)
            np.dot(patches[:columns].T, masked[:columns], patch_product)
            flat_gradient += patch_product
            if dx.size > 0:
                np.dot(masked[:columns], flat_t, patches[:columns])
                add_patches(
                    patches, row, widths[i], kernel, stride, padding, dilation, columns, dx[i]
                )
