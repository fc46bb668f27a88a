"""Clipping of gradients: by their common norm, or each value by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

__all__ = ["clip_by_norm", "clip_by_value"]


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
    _check_limit(limit)
    norm = math.sqrt(sum(_sum_of_squares(gradient) for gradient in gradients.values()))
    if limit < norm < math.inf:
        factor = limit / norm
        for gradient in gradients.values():
            gradient *= factor
    return norm


def clip_by_value(gradients: Mapping[str, np.ndarray], limit: float) -> float:
    """Bring every value of the gradients into [-limit, limit].

    Parameters
    ----------
    gradients : mapping of str to ndarray
        Changed in place where a value lies outside. Unlike `clip_by_norm` this turns the gradient.
    limit : float
        Largest absolute value; inf only measures.

    Returns
    -------
    float
        The largest absolute value before, 0 if there is none. Where it is nan or inf the gradients
        are left as they are, for the caller to throw away.

    Notes
    -----
    Graves, "Generating sequences with recurrent neural networks", 2013.

    Examples
    --------
    >>> gradients = {"w": np.array([3.0, -4.0, 0.5])}
    >>> clip_by_value(gradients, 1.0)
    4.0
    >>> gradients["w"].tolist()
    [1.0, -1.0, 0.5]
    """
    _check_limit(limit)
    # NumPy's maximum hands nan on, Python's does not.
    largest = float(np.max([_largest(gradient) for gradient in gradients.values()], initial=0.0))
    if limit < largest < math.inf:
        for gradient in gradients.values():
            np.clip(gradient, -limit, limit, out=gradient)
    return largest


def _check_limit(limit: float) -> None:
    if not limit > 0.0:
        raise ValueError(f"limit must be above 0, not {limit}")


def _largest(gradient: np.ndarray) -> float:
    return max(float(gradient.max(initial=0.0)), -float(gradient.min(initial=0.0)))


def _sum_of_squares(gradient: np.ndarray) -> float:
    flat = gradient.reshape(-1)
    # einsum with a float64 sum converts in small blocks: no copy of the array, no lost digits.
    return float(np.einsum("i,i->", flat, flat, dtype=np.float64, casting="same_kind"))
