"""The error rate and how far it can be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["bootstrap_interval", "error_rate"]

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
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}, expected at least 1")
    counts = np.stack([np.asarray(edits, dtype=np.int64), np.asarray(totals, dtype=np.int64)])
    lines = counts.shape[1]
    if lines == 0:
        return 0.0, 0.0
    block = max(1, _BLOCK // lines)
    sums = [
        counts[:, rng.integers(lines, size=(min(block, resamples - done), lines))].sum(axis=-1)
        for done in range(0, resamples, block)
    ]
    sampled_edits, sampled_totals = np.concatenate(sums, axis=1)
    # A sample of nothing but empty lines has the rate that `error_rate` gives it.
    rates = np.where(
        sampled_totals > 0, sampled_edits / np.maximum(sampled_totals, 1), sampled_edits > 0
    )
    low, high = np.quantile(rates, [(1 - coverage) / 2, (1 + coverage) / 2])
    return float(low), float(high)
