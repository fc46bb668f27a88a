"""How many frames a text needs; plain NumPy, so that asking costs no compiled kernel."""

from __future__ import annotations

import numpy as np

__all__ = ["minimum_frames"]


def minimum_frames(target: np.ndarray) -> int:
    """Return the fewest frames for a CTC target: one a label, and a blank between equal neighbours.

    Parameters
    ----------
    target : ndarray (L,) of int
        Labels of the text.

    Examples
    --------
    >>> minimum_frames(np.array([3, 1, 1, 2]))
    5
    """
    target = np.asarray(target)
    return len(target) + int(np.count_nonzero(target[1:] == target[:-1]))
