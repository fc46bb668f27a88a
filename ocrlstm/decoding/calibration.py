"""Fit the temperature at which confidences come true."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["TEMPERATURE_GRID", "fit_temperature"]

#: Temperatures at which a fit looks at the confidences: from 1/4 to 8, ten to a doubling.
TEMPERATURE_GRID: tuple[float, ...] = tuple(2.0 ** (k / 10) for k in range(-20, 31))

# Standard deviation of the logarithm of the temperature, of what is expected before any line is
# seen. Line models of several sets lie within 1 to 1.35. Less than that, because the characters of
# a line depend on each other and tell less than their number says: fits on 15 and on 50 lines came
# out best so, for other lines held out of training parts, of prints alike and far.
_PRIOR = 0.1
# A ground truth is rarely free of faults, so that no single character may weigh more than this
# posterior from 0 or 1 makes it.
_NEAREST = 1e-6


def fit_temperature(confidences: ArrayLike, right: ArrayLike) -> float:
    """Return the temperature at which the confidences of symbols fit how often they are right.

    It has the least negative log-likelihood of "right" and "wrong", so it serves the confidences
    that users see, and not the frames between the characters. Two things keep it sensible where
    there are few lines or none is wrong: the targets are those of Platt, (n + 1) / (n + 2) for the
    n right ones and 1 / (m + 2) for the m wrong ones (Probabilistic Outputs for Support Vector
    Machines, 1999, section 2.2), and the logarithm of the temperature is expected to be 0 with a
    standard deviation of 0.1.

    Parameters
    ----------
    confidences : array_like of shape (K, L)
        Confidence of each symbol at every temperature of `TEMPERATURE_GRID`; see
        `symbol_confidences`.
    right : array_like of bool, shape (L,)
        Whether the symbol is right.

    Returns
    -------
    float
        Rounded to four digits, so that it does not depend on the last bits of a posterior; 1.0
        where there is no symbol.

    Raises
    ------
    ValueError
        If the shapes do not belong together.
    """
    p = np.asarray(confidences, np.float64)
    is_right = np.asarray(right, bool)
    if p.shape != (len(TEMPERATURE_GRID), len(is_right)):
        raise ValueError(
            f"confidences have shape {p.shape}, expected {(len(TEMPERATURE_GRID), len(is_right))}"
        )
    if not is_right.size:
        return 1.0
    p = np.clip(p, _NEAREST, 1 - _NEAREST)
    rights = int(is_right.sum())
    wrongs = len(is_right) - rights
    target = np.where(is_right, (rights + 1) / (rights + 2), 1 / (wrongs + 2))
    loss = -(np.log(p) @ target + np.log1p(-p) @ (1 - target))
    logarithms = np.log(TEMPERATURE_GRID)
    loss += logarithms**2 / (2 * _PRIOR**2)
    return round(float(np.exp(_lowest(logarithms, loss))), 4)


def _lowest(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Return where the parabola through the least y of an even grid and its neighbours is least."""
    k = int(y.argmin())
    if not 0 < k < len(y) - 1:
        return float(x[k])
    before, least, after = y[k - 1 : k + 2]
    bend = before - 2 * least + after
    shift = 0.5 * (before - after) / bend if bend > 0 else 0.0
    return float(x[k] + shift * (x[1] - x[0]))
