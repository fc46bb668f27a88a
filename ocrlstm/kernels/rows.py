"""Images and sequences as rows of memory, for kernels that need not know which of them they see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ocrlstm.kernels.threads import run_parallel, split

__all__ = ["run_on_rows"]


def run_on_rows(
    kernel: Callable[..., None], x: np.ndarray, lengths: np.ndarray, *arguments: Any
) -> None:
    """Run a kernel on all that is valid, spread over the threads by items.

    Calls ``kernel(low, high, steps, rows, sizes, *arguments)`` for the items ``low <= i < high``.
    In the flat array the r-th row of an item begins at ``i * steps[0] + r * steps[1]``; the item
    has ``rows[i]`` rows of ``sizes[i]`` values. A row is a row of an image with its valid columns,
    or a valid frame of a sequence.

    Parameters
    ----------
    kernel : callable
    x : ndarray, shape (N, H, W, C) or (T, N, F)
    lengths : ndarray of int64, shape (N,)
        Valid columns or frames of each item.
    *arguments
        The kernel's own.
    """
    items = len(lengths)
    if x.ndim == 4:
        height, width, channels = x.shape[1:]
        steps = (height * width * channels, width * channels)
        rows, sizes = np.full(items, height, np.int64), lengths * channels
    else:
        features = x.shape[2]
        steps = (features, items * features)
        rows, sizes = lengths, np.full(items, features, np.int64)
    run_parallel(lambda low, high: kernel(low, high, steps, rows, sizes, *arguments), split(items))
