"""Max pooling over the valid pixels of each image."""

from __future__ import annotations

from ocrlstm.kernels.compiled import compiled

__all__ = ["max_backward", "max_forward"]


@compiled
def max_forward(x, size, stride, y, winners, out_widths):  # type: ignore[no-untyped-def]
    """Take the largest value of every window, and note which it was.

    Windows that reach beyond an image's valid width are left out, so padding never wins.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C)
    size, stride : tuple of int
        Each (vertical, horizontal); ``size[0] * size[1] <= 256``.
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
            y[i, row, out_widths[i] :] = zero
            for column in range(out_widths[i]):
                out = y[i, row, column]
                for c in range(channels):
                    out[c] = x[i, row * stride[0], column * stride[1], c]
                if note:
                    winners[i, row, column] = 0
                for ky in range(size[0]):
                    for kx in range(size[1]):
                        if ky + kx == 0:
                            continue
                        pixel = x[i, row * stride[0] + ky, column * stride[1] + kx]
                        if note:
                            place = ky * size[1] + kx
                            who = winners[i, row, column]
                            for c in range(channels):
                                wins = pixel[c] > out[c]
                                who[c] = place if wins else who[c]
                                out[c] = pixel[c] if wins else out[c]
                        else:
                            for c in range(channels):
                                out[c] = max(pixel[c], out[c])


@compiled
def max_backward(dy, winners, size, stride, out_widths, dx):  # type: ignore[no-untyped-def]
    """Give the gradient of every window to its winner.

    Parameters
    ----------
    dy : ndarray, shape (N, H', W', C)
    winners, size, stride, out_widths
        As in `max_forward`.
    dx : ndarray, shape (N, H, W, C)
        Overwritten.
    """
    dx[:] = 0
    channels = dx.shape[3]
    for i in range(dx.shape[0]):
        for row in range(dy.shape[1]):
            for column in range(out_widths[i]):
                for ky in range(size[0]):
                    for kx in range(size[1]):
                        place = ky * size[1] + kx
                        pixel = dx[i, row * stride[0] + ky, column * stride[1] + kx]
                        for c in range(channels):
                            if winners[i, row, column, c] == place:
                                pixel[c] += dy[i, row, column, c]
