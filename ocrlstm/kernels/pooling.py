"""Max and average pooling over the valid pixels of each image.

A window may reach into the padding, but never lies in it alone; there are no pixels in the padding
or beyond an image's width, so they neither win nor count.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled

__all__ = ["average_backward", "average_forward", "max_backward", "max_forward"]


@compiled
def max_forward(  # type: ignore[no-untyped-def]
    x, widths, size, stride, padding, y, winners, out_widths
):
    """Take the largest value of every window, and note which it was.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C)
    widths : ndarray of int64, shape (N,)
        Valid columns of each image.
    size, stride : tuple of int
        Each (vertical, horizontal); ``size[0] * size[1] <= 256``.
    padding : tuple of int
        (vertical, horizontal), at most half the size.
    y : ndarray, shape (N, H', W', C)
        Overwritten; zero beyond `out_widths`.
    winners : ndarray of uint8, shape (N, H', W', C), or (0, 0, 0, 0) where not wanted
        Place of the winner in its window, counted along rows.
    out_widths : ndarray of int64, shape (N,)
    """
    zero = x.dtype.type(0)
    channels = x.shape[3]
    note = winners.size > 0
    for i in range(x.shape[0]):
        for row in range(y.shape[1]):
            top, low, high = _window(row, 0, size, stride, padding, x.shape[1])
            y[i, row, out_widths[i] :] = zero
            for column in range(out_widths[i]):
                left, begin, end = _window(column, 1, size, stride, padding, widths[i])
                out = y[i, row, column]
                for c in range(channels):
                    out[c] = x[i, low, begin, c]
                if note:
                    winners[i, row, column] = (low - top) * size[1] + begin - left
                for py in range(low, high):
                    for px in range(begin, end):
                        if py == low and px == begin:
                            continue
                        pixel = x[i, py, px]
                        if note:
                            place = (py - top) * size[1] + px - left
                            who = winners[i, row, column]
                            for c in range(channels):
                                wins = pixel[c] > out[c]
                                who[c] = place if wins else who[c]
                                out[c] = pixel[c] if wins else out[c]
                        else:
                            for c in range(channels):
                                out[c] = max(pixel[c], out[c])


@compiled
def max_backward(  # type: ignore[no-untyped-def]
    dy, widths, winners, size, stride, padding, out_widths, dx
):
    """Give the gradient of every window to its winner.

    Parameters
    ----------
    dy : ndarray, shape (N, H', W', C)
        Ignored beyond `out_widths`.
    widths, winners, size, stride, padding, out_widths
        As in `max_forward`.
    dx : ndarray, shape (N, H, W, C)
        Overwritten.
    """
    dx[:] = 0
    channels = dx.shape[3]
    for i in range(dx.shape[0]):
        for row in range(dy.shape[1]):
            top, low, high = _window(row, 0, size, stride, padding, dx.shape[1])
            for column in range(out_widths[i]):
                left, begin, end = _window(column, 1, size, stride, padding, widths[i])
                for py in range(low, high):
                    for px in range(begin, end):
                        place = (py - top) * size[1] + px - left
                        pixel = dx[i, py, px]
                        for c in range(channels):
                            if winners[i, row, column, c] == place:
                                pixel[c] += dy[i, row, column, c]


@compiled
def average_forward(x, widths, size, stride, padding, y, out_widths):  # type: ignore[no-untyped-def]
    """Take the mean of the valid pixels of every window.

    Parameters
    ----------
    x, widths, size, stride, padding, y, out_widths
        As in `max_forward`, with windows of any size.
    """
    zero = x.dtype.type(0)
    channels = x.shape[3]
    for i in range(x.shape[0]):
        for row in range(y.shape[1]):
            _, low, high = _window(row, 0, size, stride, padding, x.shape[1])
            y[i, row, out_widths[i] :] = zero
            for column in range(out_widths[i]):
                _, begin, end = _window(column, 1, size, stride, padding, widths[i])
                out = y[i, row, column]
                out[:] = zero
                for py in range(low, high):
                    for px in range(begin, end):
                        pixel = x[i, py, px]
                        for c in range(channels):
                            out[c] += pixel[c]
                count = x.dtype.type((high - low) * (end - begin))
                for c in range(channels):
                    out[c] /= count


@compiled
def average_backward(dy, widths, size, stride, padding, out_widths, dx):  # type: ignore[no-untyped-def]
    """Give every valid pixel of a window its share of the window's gradient.

    Parameters
    ----------
    dy : ndarray, shape (N, H', W', C)
        Ignored beyond `out_widths`.
    widths, size, stride, padding, out_widths
        As in `average_forward`.
    dx : ndarray, shape (N, H, W, C)
        Overwritten.
    """
    dx[:] = 0
    channels = dx.shape[3]
    share = np.empty(channels, dx.dtype)
    for i in range(dx.shape[0]):
        for row in range(dy.shape[1]):
            _, low, high = _window(row, 0, size, stride, padding, dx.shape[1])
            for column in range(out_widths[i]):
                _, begin, end = _window(column, 1, size, stride, padding, widths[i])
                count = dx.dtype.type((high - low) * (end - begin))
                for c in range(channels):
                    share[c] = dy[i, row, column, c] / count
                for py in range(low, high):
                    for px in range(begin, end):
                        pixel = dx[i, py, px]
                        for c in range(channels):
                            pixel[c] += share[c]


@compiled
def _window(number, axis, size, stride, padding, pixels):  # type: ignore[no-untyped-def]
    """Return where a window begins, and the first and the end of the pixels in it."""
    begin = number * stride[axis] - padding[axis]
    return begin, max(begin, 0), min(begin + size[axis], pixels)
