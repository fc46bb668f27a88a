"""Find images whose height is far from that of the others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["OddHeight", "find_odd_heights"]

# A height is odd if it is so many times the median, or the median so many times it.
_ODD = 2.5
# Of a folder with fewer images the median says little; then that of all is taken.
_FEW = 20


class OddHeight(NamedTuple):
    """An image of an odd height.

    Attributes
    ----------
    number : int
        Of the image.
    height : int
    median : float
        What it is compared with.
    of_folder : bool
        The median is that of its folder, not that of all.
    """

    number: int
    height: int
    median: float
    of_folder: bool


def find_odd_heights(
    heights: npt.NDArray[np.int64], folders: npt.NDArray[np.int64]
) -> list[OddHeight]:
    """Find images far higher or lower than the median of their folder.

    Books differ in resolution, but the lines of one do not, and they mostly have a folder of their
    own.

    Parameters
    ----------
    heights : ndarray of int, shape (N,)
        In pixels; 0 is unknown, and not looked at.
    folders : ndarray of int, shape (N,)
        Number of each image's folder.

    Returns
    -------
    list of OddHeight
        In the order of the images.

    Examples
    --------
    >>> find_odd_heights(np.array([40, 42, 0, 200]), np.zeros(4, int))
    [OddHeight(number=3, height=200, median=42.0, of_folder=False)]
    """
    known = np.flatnonzero(heights > 0)
    if len(known) == 0:
        return []
    whole = float(np.median(heights[known]))
    order = known[np.argsort(folders[known], kind="stable")]
    starts = np.flatnonzero(np.diff(folders[order])) + 1
    odd: list[OddHeight] = []
    for numbers in np.split(order, starts):
        of_folder = len(numbers) >= _FEW
        median = float(np.median(heights[numbers])) if of_folder else whole
        found = heights[numbers]
        for number in numbers[(found * _ODD < median) | (found > median * _ODD)].tolist():
            odd.append(OddHeight(number, int(heights[number]), median, of_folder))
    return sorted(odd)
