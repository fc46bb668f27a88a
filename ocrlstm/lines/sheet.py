"""Several lines in one picture, one below the other."""

from collections.abc import Sequence

import numpy as np

__all__ = ["draw_sheet"]

_GAP = 4
_GREY = 0.3


def draw_sheet(lines: Sequence[np.ndarray]) -> np.ndarray:
    """Lay lines one below the other on grey, with grey between.

    Parameters
    ----------
    lines : sequence of ndarray of shape (H_i, W_i), float32
        At least one.

    Returns
    -------
    ndarray of shape (H, W), float32
    """
    height = sum(line.shape[0] for line in lines) + _GAP * (len(lines) - 1)
    sheet = np.full((height, max(line.shape[1] for line in lines)), _GREY, np.float32)
    top = 0
    for line in lines:
        sheet[top : top + line.shape[0], : line.shape[1]] = line
        top += line.shape[0] + _GAP
    return sheet
