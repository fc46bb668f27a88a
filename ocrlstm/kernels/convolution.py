"""Two-dimensional convolution of one image after another, in bands of a few rows.

A band is copied with the border that its windows reach beyond the image. Columns beyond an image's
valid width count as paper (zero), whatever they hold, so an image gives the same result alone and
in a padded batch. In a band, one row of a window is one run of memory, and windows of neighbouring
pixels are rows of a matrix that overlap: products with the kernel need no further copy
(`ocrlstm.kernels.tile`). All is computed in the type of the weights, which bands are copied into.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.tile import add_product, pad_columns, padded

__all__ = ["backward", "forward"]

# Rows of output made from one band: enough to copy the border rarely, few enough for the cache.
_ROWS = 8


@compiled
def _new_band(weights, stride, dilation, columns):  # type: ignore[no-untyped-def]
    """Return room for the band from which `_ROWS` rows of so many columns are made."""
    kernel = weights.shape
    rows = (_ROWS - 1) * stride[0] + (kernel[0] - 1) * dilation[0] + 1
    wide = max(columns - 1, 0) * stride[1] + (kernel[1] - 1) * dilation[1] + 1
    return np.empty((rows, wide, kernel[2]), weights.dtype)


@compiled
def _fill_band(x, y, rectified, width, top, left, band):  # type: ignore[no-untyped-def]
    """Copy a band of an image (H, W, C), zero where it reaches beyond the image.

    Parameters
    ----------
    x : ndarray, shape (H, W, C)
    y : ndarray, shape (H, W, C)
        Where `rectified`: pixels that are not above 0 here are copied as 0.
    rectified : bool
    width : int
        Valid columns of `x`.
    top, left : int
        Row and column of the band where the image begins; negative where the band leaves some out.
    band : ndarray, shape (rows, columns, >= C)
        Overwritten.
    """
    channels = x.shape[2]
    zero = x.dtype.type(0)
    band[:] = zero
    first = max(-left, 0)
    last = min(width, band.shape[1] - left)
    for row in range(max(top, 0), min(top + x.shape[0], band.shape[0])):
        for column in range(first, last):
            pixel, copy = x[row - top, column], band[row, left + column]
            if rectified:
                above = y[row - top, column]
                for c in range(channels):
                    copy[c] = pixel[c] if above[c] > zero else zero
            else:
                for c in range(channels):
                    copy[c] = pixel[c]


@compiled
def _convolve_row(  # type: ignore[no-untyped-def]
    band, row, weights, stride, dilation, columns, product
):
    """Fill `product` (columns, padded filters) with one row of a convolution of a band."""
    one = band.dtype.type(1)
    size = band.itemsize
    channels = band.shape[2]
    filters = weights.shape[3]
    pitch = band.shape[1] * channels
    # A kernel that is not dilated has its columns side by side, as the band has.
    parts = 1 if dilation[1] == 1 else weights.shape[1]
    terms = weights.shape[1] * channels // parts
    for part in range(parts):
        add_product(
            one,
            size,
            band.ctypes.data + (row * pitch + part * dilation[1] * channels) * size,
            stride[1] * channels,
            1,
            dilation[0] * pitch,
            weights.ctypes.data + part * terms * filters * size,
            filters,
            weights.shape[1] * channels * filters,
            terms,
            weights.shape[0],
            product.ctypes.data,
            filters,
            columns,
            filters,
            part > 0,
        )


@compiled
def forward(  # type: ignore[no-untyped-def]
    x, widths, weights, bias, stride, padding, dilation, relu, first, last, y, out_widths
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
    first, last : int
        Rows of the output to compute, `last` exclusive; the others are left as they are.
    y : ndarray, shape (N, H', W', K)
        Overwritten; zero beyond `out_widths`.
    out_widths : ndarray of int64, shape (N,)
    """
    zero = x.dtype.type(0)
    filters = bias.shape[0]
    wide = pad_columns(weights)
    band = _new_band(weights, stride, dilation, y.shape[2])
    product = np.empty((y.shape[2], wide.shape[3]), weights.dtype)
    for i in range(x.shape[0]):
        columns = out_widths[i]
        y[i, first:last, columns:] = zero
        if columns == 0:
            continue
        for row in range(first, last):
            within = (row - first) % _ROWS
            if within == 0:
                _fill_band(
                    x[i],
                    x[i],
                    False,
                    widths[i],
                    padding[0] - row * stride[0],
                    padding[1],
                    band,
                )
            _convolve_row(band, within * stride[0], wide, stride, dilation, columns, product)
            out = y[i, row]
            if relu:
                for column in range(columns):
                    for k in range(filters):
                        out[column, k] = max(product[column, k] + bias[k], zero)
            else:
                for column in range(columns):
                    for k in range(filters):
                        out[column, k] = product[column, k] + bias[k]


@compiled
def _add_kernel_errors(  # type: ignore[no-untyped-def]
    band, errors, rows, columns, stride, dilation, product, dweights
):
    """Add what the first rows of a band give to the gradient of the kernels.

    Parameters
    ----------
    band : ndarray, shape (rows, columns, C)
    errors : ndarray, shape (_ROWS, W', padded filters)
    rows, columns : int
        Of `errors`, that are valid.
    stride, dilation : tuple of int
    product : ndarray, shape (kw * C, padded filters)
        Scratch.
    dweights : ndarray, shape (kh, kw * C, K)
    """
    one = band.dtype.type(1)
    size = band.itemsize
    channels = band.shape[2]
    filters = dweights.shape[2]
    wide = errors.shape[2]
    pitch = band.shape[1] * channels
    kernel_columns = dweights.shape[1] // channels
    parts = 1 if dilation[1] == 1 else kernel_columns
    terms = dweights.shape[1] // parts
    for ky in range(dweights.shape[0]):
        for part in range(parts):
            add_product(
                one,
                size,
                band.ctypes.data
                + (ky * dilation[0] * pitch + part * dilation[1] * channels) * size,
                1,
                stride[1] * channels,
                stride[0] * pitch,
                errors.ctypes.data,
                wide,
                errors.shape[1] * wide,
                columns,
                rows,
                product.ctypes.data + part * terms * wide * size,
                wide,
                terms,
                wide,
                False,
            )
        for term in range(dweights.shape[1]):
            for k in range(filters):
                dweights[ky, term, k] += product[term, k]


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
    wide = padded(filters, weights.itemsize)
    kernel = weights.shape[:2]
    band = _new_band(weights, stride, dilation, y.shape[2])
    errors = np.zeros((_ROWS, y.shape[2], wide), weights.dtype)
    product = np.empty((kernel[1] * x.shape[3], wide), weights.dtype)
    kernel_errors = dweights.reshape(kernel[0], kernel[1] * x.shape[3], filters)
    row_bias = np.empty_like(dbias)
    dweights[:] = zero
    dbias[:] = zero
    dx[:] = zero
    for i in range(x.shape[0]):
        columns = out_widths[i]
        if columns == 0:
            continue
        for top in range(0, y.shape[1], _ROWS):
            rows = min(_ROWS, y.shape[1] - top)
            _fill_band(x[i], x[i], False, widths[i], padding[0] - top * stride[0], padding[1], band)
            _fill_band(dy[i], y[i], relu, columns, -top, 0, errors)
            for row in range(rows):
                row_bias[:] = zero  # one sum over all pixels would lose digits in float32
                for column in range(columns):
                    for k in range(filters):
                        row_bias[k] += errors[row, column, k]
                dbias += row_bias
            _add_kernel_errors(
                band, errors, rows, columns, stride, dilation, product, kernel_errors
            )
        if dx.size > 0:
            _input_errors(
                dy[i], y[i], relu, columns, weights, stride, padding, dilation, widths[i], dx[i]
            )


@compiled
def _phase(first, kernel, stride, padding, dilation):  # type: ignore[no-untyped-def]
    """Return which places of a kernel meet the pixels `first`, `first` + stride, ... of the input.

    Returns
    -------
    begin, step, count : int
        The places are begin, begin + step, ...; count is 0 where none meets them.
    offset, distance : int
        Pixel `first` + m stride meets, with place n of those, output m + offset - n distance.
    """
    for begin in range(min(kernel, stride)):
        if (first + padding - begin * dilation) % stride == 0:
            step = stride
            for factor in range(1, stride):
                if (factor * dilation) % stride == 0:
                    step = factor
                    break
            count = (kernel - begin + step - 1) // step
            offset = (first + padding - begin * dilation) // stride
            return begin, step, count, offset, step * dilation // stride
    return 0, 1, 0, 0, 1


@compiled
def _input_errors(  # type: ignore[no-untyped-def]
    dy, y, relu, columns, weights, stride, padding, dilation, width, dx
):
    """Fill the gradient of one image (H, W, C), whose pixels are 0 so far.

    The pixels that meet the same places of the kernel, those of a row and column modulo the stride,
    are a convolution of `dy` with those places, turned about.
    """
    kernel = weights.shape[:2]
    for top in range(min(stride[0], dx.shape[0])):
        y0, y_step, y_count, y_offset, y_distance = _phase(
            top, kernel[0], stride[0], padding[0], dilation[0]
        )
        for left in range(min(stride[1], width)):
            x0, x_step, x_count, x_offset, x_distance = _phase(
                left, kernel[1], stride[1], padding[1], dilation[1]
            )
            if y_count == 0 or x_count == 0:
                continue
            places = weights[y0::y_step, x0::x_step]
            turned = pad_columns(places[::-1, ::-1].transpose(0, 1, 3, 2))
            reach = (y_count - 1) * y_distance, (x_count - 1) * x_distance
            count = (width - left + stride[1] - 1) // stride[1]
            band = _new_band(turned, (1, 1), (y_distance, x_distance), count)
            product = np.empty((count, turned.shape[3]), weights.dtype)
            for row in range((dx.shape[0] - top + stride[0] - 1) // stride[0]):
                within = row % _ROWS
                if within == 0:
                    _fill_band(
                        dy, y, relu, columns, reach[0] - y_offset - row, reach[1] - x_offset, band
                    )
                _convolve_row(
                    band, within, turned, (1, 1), (y_distance, x_distance), count, product
                )
                out = dx[top + row * stride[0]]
                for column in range(count):
                    for c in range(dx.shape[2]):
                        out[left + column * stride[1], c] = product[column, c]
