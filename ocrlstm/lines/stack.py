"""Normalised lines of any width -> one batch of the network's input."""

from collections.abc import Sequence

import numpy as np

__all__ = ["stack_lines"]


def stack_lines(
    lines: Sequence[np.ndarray], minimum_width: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Put lines of one height and any width into one array.

    Parameters
    ----------
    lines : sequence of ndarray of shape (H, W_i), float32
    minimum_width : int, default=1
        Narrower lines are widened with paper.

    Returns
    -------
    x : ndarray of shape (N, H, W, 1), float32
        Zero to the right of each line.
    widths : ndarray of shape (N,), int64
        Widths of the lines.
    """
    widths = np.array([max(line.shape[1], minimum_width) for line in lines], np.int64)
    x = np.zeros((len(lines), lines[0].shape[0], int(widths.max()), 1), np.float32)
    for item, line in zip(x, lines, strict=True):
        item[:, : line.shape[1], 0] = line
    return x, widths
