"""Blocks of pixels: repeated, summed, or exchanged for channels.

Each kernel of a pair is the transpose of the other, hence its gradient.
"""

from __future__ import annotations

from ocrlstm.kernels.compiled import compiled

__all__ = ["blocks_to_channels", "channels_to_blocks", "repeat_blocks", "sum_blocks"]


@compiled
def repeat_blocks(x, widths, factor, scale, y):  # type: ignore[no-untyped-def]
    """Make a block of every pixel.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C)
    widths : ndarray of int64, shape (N,)
        Columns of each image to be read.
    factor : tuple of int
        Height and width of a block.
    scale : float
        Factor of all values.
    y : ndarray, shape (N, fy * H or more, fx * W or more, C)
        Overwritten; zero beyond ``fy * H`` rows and ``fx * widths`` columns.
    """
    fy, fx = factor
    channels = x.shape[3]
    scale = x.dtype.type(scale)
    y[:, fy * x.shape[1] :] = 0
    for i in range(x.shape[0]):
        for row in range(fy * x.shape[1]):
            y[i, row, fx * widths[i] :] = 0
            for column in range(widths[i]):
                pixel = x[i, row // fy, column]
                for kx in range(fx):
                    out = y[i, row, column * fx + kx]
                    for c in range(channels):
                        out[c] = scale * pixel[c]


@compiled
def sum_blocks(x, widths, factor, scale, y):  # type: ignore[no-untyped-def]
    """Make a pixel of every whole block: the sum.

    Parameters
    ----------
    x : ndarray, shape (N, fy * H or more, fx * W or more, C)
    widths : ndarray of int64, shape (N,)
        Columns of each output to be written.
    factor, scale
        As in `repeat_blocks`.
    y : ndarray, shape (N, H, W, C)
        Overwritten; zero beyond `widths`.
    """
    fy, fx = factor
    channels = x.shape[3]
    scale = x.dtype.type(scale)
    for i in range(x.shape[0]):
        for row in range(y.shape[1]):
            y[i, row] = 0
            for ky in range(fy):
                for column in range(widths[i]):
                    out = y[i, row, column]
                    for kx in range(fx):
                        pixel = x[i, row * fy + ky, column * fx + kx]
                        for c in range(channels):
                            out[c] += pixel[c]
            for column in range(widths[i]):
                for c in range(channels):
                    y[i, row, column, c] *= scale


@compiled
def channels_to_blocks(x, widths, factor, y):  # type: ignore[no-untyped-def]
    """Lay the channels of every pixel out as a block.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C * fy * fx)
    widths : ndarray of int64, shape (N,)
        Columns of each image to be read.
    factor : tuple of int
        Height and width of a block, fy and fx: channel ``(c * fy + i) * fx + j`` goes to channel c
        in row i and column j of the block.
    y : ndarray, shape (N, fy * H, fx * W or more, C)
        Overwritten; zero beyond ``fx * widths``.
    """
    fy, fx = factor
    channels = y.shape[3]
    for i in range(x.shape[0]):
        for row in range(x.shape[1]):
            for ky in range(fy):
                out = y[i, row * fy + ky]
                out[fx * widths[i] :] = 0
                for column in range(widths[i]):
                    pixel = x[i, row, column]
                    for kx in range(fx):
                        for c in range(channels):
                            out[column * fx + kx, c] = pixel[(c * fy + ky) * fx + kx]


@compiled
def blocks_to_channels(x, widths, factor, y):  # type: ignore[no-untyped-def]
    """Put the pixels of every whole block into the channels of one.

    Parameters
    ----------
    x : ndarray, shape (N, fy * H, fx * W or more, C)
    widths : ndarray of int64, shape (N,)
        Columns of each output to be written.
    factor
        As in `channels_to_blocks`.
    y : ndarray, shape (N, H, W, C * fy * fx)
        Overwritten; zero beyond `widths`.
    """
    fy, fx = factor
    channels = x.shape[3]
    for i in range(x.shape[0]):
        for row in range(y.shape[1]):
            y[i, row, widths[i] :] = 0
            for ky in range(fy):
                line = x[i, row * fy + ky]
                for column in range(widths[i]):
                    out = y[i, row, column]
                    for kx in range(fx):
                        for c in range(channels):
                            out[(c * fy + ky) * fx + kx] = line[column * fx + kx, c]
