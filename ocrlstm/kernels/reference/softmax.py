"""The softmax of one row after another: the definition of `ocrlstm.kernels.softmax`."""

from __future__ import annotations

import numpy as np

__all__ = ["backward", "forward"]


def forward(
    scores: np.ndarray, bias: np.ndarray, scale: float, inside: np.ndarray, log: bool
) -> None:
    """Replace scores (R, C) by posteriors or their logarithms, or 0 in rows not `inside` (R,)."""
    for row, is_inside in zip(scores, inside, strict=True):
        z = (row + bias) * scale
        log_posteriors = z - np.logaddexp.reduce(z)
        row[:] = (log_posteriors if log else np.exp(log_posteriors)) if is_inside else 0


def backward(
    dy: np.ndarray, y: np.ndarray, scale: float, inside: np.ndarray, log: bool, dz: np.ndarray
) -> None:
    """Fill `dz` (R, C) by the Jacobian of a row's softmax, class by class."""
    for row in range(len(dy)):
        dz[row] = 0
        if not inside[row]:
            continue
        p = np.exp(y[row]) if log else y[row]
        for k in range(len(p)):  # dp_k/dz_c = p_k ([k = c] - p_c), and d(log p_k) is that over p_k
            slope = -p.copy()
            slope[k] += 1
            dz[row] += dy[row, k] * (slope if log else p[k] * slope) * scale
