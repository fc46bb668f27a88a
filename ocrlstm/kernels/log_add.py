"""Sums of probabilities that are held as logarithms."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

__all__ = ["log_add", "log_add3"]

# 1 + exp(-37) is 1 in float64: a term that far below the largest adds nothing, so neither an
# exponential nor a logarithm need be paid for it. The tests are written as `not ... < ...` so
# that a nan goes the long way and shows in the result.
NEGLIGIBLE = -37.0


@njit(nogil=True, cache=True)
def log_add(a: float, b: float) -> float:
    """Return ``log(exp(a) + exp(b))``; -inf stands for the probability 0."""
    if b > a:
        a, b = b, a
    if a == -np.inf:
        return a + b
    difference = b - a
    if difference < NEGLIGIBLE:
        return a
    return a + math.log(1.0 + math.exp(difference))


@njit(nogil=True, cache=True)
def log_add3(a: float, b: float, c: float) -> float:
    """Return ``log(exp(a) + exp(b) + exp(c))`` with a single logarithm."""
    if b > a:
        a, b = b, a
    if c > a:
        a, c = c, a
    if a == -np.inf:
        return a + b + c
    total = 1.0
    difference = b - a
    if not difference < NEGLIGIBLE:
        total += math.exp(difference)
    difference = c - a
    if not difference < NEGLIGIBLE:
        total += math.exp(difference)
    if total == 1.0:
        return a
    return a + math.log(total)
