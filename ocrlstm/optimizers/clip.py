"""Clipping of gradients by their common norm."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

__all__ = ["clip_by_norm"]


def clip_by_norm(gradients: Mapping[str, np.ndarray], limit: float) -> float:
    """Scale all gradients by one factor so that their common norm is at most `limit`.

    Parameters
    ----------
    gradients : mapping of str to ndarray
        Changed in place if their norm is above the limit.
    limit : float
        Largest Euclidean norm of all values taken together; inf only measures.

    Returns
    -------
    float
        The norm before. Where it is nan or inf the gradients are left as they are, for the
        caller to throw away.

    Notes
    -----
    Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks", ICML
    2013. Squares are summed in float64, so that large float32 gradients do not overflow.

    Examples
    --------
    >>> gradients = {"w": np.array([3.0, 4.0])}
    >>> clip_by_norm(gradients, 1.0)
    5.0
    >>> gradients["w"].round(3).tolist()
    [0.6, 0.8]
    """
    if not limit > 0.0:
        raise ValueError(f"limit must be above 0, not {limit}")
    norm = math.sqrt(sum(_sum_of_squares(gradient) for gradient in gradients.values()))
    if limit < norm < math.inf:
        factor = limit / norm
        for gradient in gradients.values():
            gradient *= factor
    return norm


def _sum_of_squares(gradient: np.ndarray) -> float:
    flat = gradient.reshape(-1)
    # einsum with a float64 sum converts in small blocks: no copy of the array, no lost digits.
    return float(np.einsum("i,i->", flat, flat, dtype=np.float64, casting="same_kind"))
