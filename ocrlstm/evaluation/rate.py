"""The error rate and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["bootstrap_interval", "bounds", "error_rate", "resample_sums"]

# Numbers drawn at a time; keeps the memory of the bootstrap small for any number of lines.
_BLOCK = 1 << 20


def error_rate(edits: int, total: int) -> float:
    """Return edits over the length of the ground truth, as a fraction.

    It can exceed 1. Where the ground truth has no characters at all, it is 0.0 if nothing was read
    and 1.0 if something was.

    Parameters
    ----------
    edits : int
        Number of edits.
    total : int
        Characters (or words) of the ground truth.

    Returns
    -------
    float
        The rate, never negative or infinite.
    """
    if total == 0:
        return float(edits > 0)
    return edits / total


def bootstrap_interval(
    edits: ArrayLike,
    totals: ArrayLike,
    rng: np.random.Generator,
    resamples: int = 1000,
    coverage: float = 0.95,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of an error rate.

    Whole lines are drawn with replacement, because the errors of one line depend on each other
    (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13).

    Parameters
    ----------
    edits, totals : array_like of int, shape (N,)
        Edits and ground truth length of each line.
    rng : numpy.random.Generator
        Draws the lines.
    resamples : int, default=1000
        Number of samples drawn.
    coverage : float, default=0.95
        Share of the samples' rates that lies between the two bounds.

    Returns
    -------
    tuple of (float, float)
        Lower and upper bound; (0.0, 0.0) for no lines.
    """
    sums = resample_sums([edits, totals], rng, resamples)
    if sums.shape[1] == 0:
        return 0.0, 0.0
    sampled_edits, sampled_totals = sums
    # A sample of nothing but empty lines has the rate that `error_rate` gives it.
    rates = np.where(
        sampled_totals > 0, sampled_edits / np.maximum(sampled_totals, 1), sampled_edits > 0
    )
    return bounds(rates, coverage)


def resample_sums(
    counts: Sequence[ArrayLike], rng: np.random.Generator, resamples: int
) -> NDArray[np.int64]:
    """Draw lines with replacement and add up what was counted in them.

    Parameters
    ----------
    counts : sequence of K array_like of int, shape (N,)
        Several counts of each line; in a sample all are of the same lines.
    rng : numpy.random.Generator
    resamples : int

    Returns
    -------
    ndarray of shape (K, resamples), int64
        Sums over samples of N lines each; of shape (K, 0) for no lines.

    Raises
    ------
    ValueError
        If fewer than one sample is asked for.
    """
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}, expected at least 1")
    columns = np.stack([np.asarray(count, dtype=np.int64) for count in counts])
    lines = columns.shape[1]
    if lines == 0:
        return columns
    block = max(1, _BLOCK // lines)
    sums = [
        columns[:, rng.integers(lines, size=(min(block, resamples - done), lines))].sum(axis=-1)
        for done in range(0, resamples, block)
    ]
    return np.concatenate(sums, axis=1)


def bounds(values: NDArray[np.float64], coverage: float = 0.95) -> tuple[float, float]:
    """Return the quantiles between which a share of the values lies, as many below as above."""
    low, high = np.quantile(values, [(1 - coverage) / 2, (1 + coverage) / 2])
    return float(low), float(high)
