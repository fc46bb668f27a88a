"""Do confidences come true? Of the characters read with 0.9, nine in ten should be right.

Calibration errors as in Guo, Pleiss, Sun and Weinberger, On Calibration of Modern Neural Networks,
ICML 2017, section 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rapidfuzz.distance import Levenshtein

__all__ = ["Bin", "Reliability", "mark_right", "measure_reliability"]


@dataclass(frozen=True)
class Bin:
    """Characters whose confidences are close to each other.

    Attributes
    ----------
    low, high : float
        Bounds of the confidences: those of the bin, or the least and the greatest in it where bins
        hold as many characters each.
    count : int
        Characters.
    confidence : float
        Their mean confidence.
    accuracy : float
        Share of them that is right.
    """

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True)
class Reliability:
    """How confidences and truth agree.

    Attributes
    ----------
    characters : int
        Characters read; those not read have no confidence.
    confidence, accuracy : float
        Mean confidence, and share that is right.
    ece_equal_width : float
        Expected calibration error over `bins`: the mean of ``|accuracy - confidence|`` weighted by
        the characters of each bin (equation 3 of Guo et al.).
    ece_equal_mass : float
        The same over `mass_bins`.
    bins : tuple of Bin
        Of confidences 0 to 0.1, 0.1 to 0.2, ...; the last holds 1. Those without characters are
        left out.
    mass_bins : tuple of Bin
        Ten bins that hold as many characters each, least sure ones first.
    """

    characters: int
    confidence: float
    accuracy: float
    ece_equal_width: float
    ece_equal_mass: float
    bins: tuple[Bin, ...]
    mass_bins: tuple[Bin, ...]


def mark_right(truth: Sequence[str], read: Sequence[str]) -> list[bool]:
    """Tell which of the characters read are right, in one cheapest alignment.

    Parameters
    ----------
    truth, read : sequence of str
        Characters of the ground truth and those read, both in the order of the image.

    Returns
    -------
    list of bool
        As long as `read`.

    Examples
    --------
    >>> mark_right("corn", "cown!")
    [True, True, False, True, False]
    """
    right = [False] * len(read)
    for code in Levenshtein.opcodes(truth, read):
        if code.tag == "equal":
            right[code.dest_start : code.dest_end] = [True] * (code.dest_end - code.dest_start)
    return right


def measure_reliability(confidences: ArrayLike, right: ArrayLike, bins: int = 10) -> Reliability:
    """Compare the confidences of characters with how many of them are right.

    Parameters
    ----------
    confidences : array_like of float, shape (N,)
        In [0, 1].
    right : array_like of bool, shape (N,)
        See `mark_right`.
    bins : int, default=10
        Number of bins of either kind.

    Returns
    -------
    Reliability

    Raises
    ------
    ValueError
        If the shapes differ, or a confidence is not in [0, 1].

    Examples
    --------
    >>> found = measure_reliability([0.95, 0.85, 0.85, 0.85], [True, True, True, False])
    >>> round(found.ece_equal_width, 4)  # 1/4 of |1 - 0.95| and 3/4 of |2/3 - 0.85|
    0.15
    """
    sure = np.asarray(confidences, np.float64)
    is_right = np.asarray(right, bool)
    if sure.shape != is_right.shape or sure.ndim != 1:
        raise ValueError(
            f"confidences have shape {sure.shape} and right has {is_right.shape}, "
            "expected (N,) for both"
        )
    if bins < 1:
        raise ValueError(f"bins is {bins}, expected at least 1")
    if not ((sure >= 0) & (sure <= 1)).all():
        raise ValueError("a confidence is not in [0, 1]")
    numbers = np.minimum((sure * bins).astype(int), bins - 1)
    by_width = [
        _make_bin(sure[inside], is_right[inside], number / bins, (number + 1) / bins)
        for number in range(bins)
        if (inside := numbers == number).any()
    ]
    order = np.argsort(sure, kind="stable")
    by_mass = [
        _make_bin(sure[part], is_right[part], float(sure[part[0]]), float(sure[part[-1]]))
        for part in np.array_split(order, bins)
        if part.size
    ]
    return Reliability(
        len(sure),
        float(sure.mean()) if sure.size else 1.0,
        float(is_right.mean()) if sure.size else 1.0,
        _calibration_error(by_width),
        _calibration_error(by_mass),
        tuple(by_width),
        tuple(by_mass),
    )


def _make_bin(sure: NDArray[np.float64], right: NDArray[np.bool_], low: float, high: float) -> Bin:
    return Bin(low, high, len(sure), float(sure.mean()), float(right.mean()))


def _calibration_error(bins: Iterable[Bin]) -> float:
    parts = [(each.count, abs(each.accuracy - each.confidence)) for each in bins]
    total = sum(count for count, _ in parts)
    return sum(count * gap for count, gap in parts) / total if total else 0.0
