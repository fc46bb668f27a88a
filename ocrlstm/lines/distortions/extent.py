"""Where the ink of a line begins and ends."""

import numpy as np

__all__ = ["ink_columns", "ink_rows"]

# Rows with less ink than this share of the row with the most lie outside of the letters.
_LEAST_ROW = 0.05


def ink_columns(pixels: np.ndarray) -> tuple[int, int]:
    """Give the first column with ink and the one after the last; (0, 0) when there is none.

    Beyond lies the padding, which stays paper: the network never meets anything else there.
    """
    inked = np.flatnonzero(pixels.any(axis=0))
    return (int(inked[0]), int(inked[-1]) + 1) if inked.size else (0, 0)


def ink_rows(pixels: np.ndarray) -> tuple[int, int]:
    """Give the first row of the letters and the one after the last; (0, 0) without ink.

    A few stray pixels are no letters.
    """
    ink = pixels.sum(axis=1)
    inked = np.flatnonzero(ink > _LEAST_ROW * ink.max(initial=0.0))
    return (int(inked[0]), int(inked[-1]) + 1) if inked.size else (0, 0)
