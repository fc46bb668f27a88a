"""Lengths of a batch, checked before anything trusts them."""

from __future__ import annotations

import numpy as np

__all__ = ["check_lengths"]


def check_lengths(lengths: np.ndarray, items: int, longest: int) -> np.ndarray:
    """Return the lengths as an int64 array.

    Parameters
    ----------
    lengths : array_like (N,) of int
        Valid frames or columns of each item.
    items : int
        How many lengths there must be.
    longest : int
        Frames or columns of the batch.

    Raises
    ------
    ValueError
        If there are more or fewer of them, or one is out of range.
    """
    checked = np.asarray(lengths, np.int64)
    if checked.shape != (items,):
        raise ValueError(f"{items} items have lengths of shape {checked.shape}")
    if np.any(checked < 0) or np.any(checked > longest):
        raise ValueError(f"lengths must lie in [0, {longest}], not {checked.tolist()}")
    return checked
