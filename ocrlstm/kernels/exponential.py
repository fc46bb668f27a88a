"""exp, log1p and erfc for use inside kernels: exact in float64, quick in float32.

The float32 ones are polynomials fitted by iteratively reweighted least squares to equal relative
error (5e-8 and less before rounding). They have no branch, so LLVM turns a loop over them into
vector instructions, which it cannot do with calls of libm. Infinities and NaN come out as they do
from libm.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numba.extending import overload

from ocrlstm.kernels.compiled import compiled

__all__ = ["erfc", "exp", "log1p"]

_f = np.float32
_HALF, _ONE, _TWO = _f(0.5), _f(1.0), _f(2.0)

# exp(r) for |r| <= log(2) / 2.
_E0, _E1, _E2, _E3, _E4, _E5, _E6 = (
    _f(1.0),
    _f(1.0),
    _f(4.9999992075e-01),
    _f(1.6666420072e-01),
    _f(4.1668226194e-02),
    _f(8.3748240552e-03),
    _f(1.3836835445e-03),
)
# 2 atanh(s) / s as a polynomial in s^2 for 0 <= s <= 1/3.
_L0, _L1, _L2, _L3, _L4 = (
    _f(2.0),
    _f(6.6666314682e-01),
    _f(4.0024910281e-01),
    _f(2.7960602765e-01),
    _f(2.8178334859e-01),
)
# exp(x^2) erfc(x) / t as a polynomial in t = 1 / (1 + x / 2) for 0 <= x <= 14; erfc is 0 beyond.
_C0, _C1, _C2, _C3, _C4, _C5, _C6, _C7, _C8 = (
    _f(2.8208433099e-01),
    _f(2.8241210239e-01),
    _f(2.4283510843e-01),
    _f(2.0375247030e-01),
    _f(-2.9148217295e-02),
    _f(2.8173258776e-01),
    _f(-4.9040557617e-01),
    _f(2.8612350041e-01),
    _f(-5.9386350985e-02),
)
_LOG2_E = _f(1.4426950408889634)
# log(2) in two parts, the first with few digits, so that its product with a whole number is exact.
_LOG_2_HIGH = _f(0.693359375)
_LOG_2_LOW = _f(math.log(2) - 0.693359375)
_LOWEST, _HIGHEST = _f(-104.0), _f(89.0)  # exp is 0 below, infinite above
_BIAS, _MANTISSA_BITS = np.int32(127), np.int32(23)


def _exp(x):  # type: ignore[no-untyped-def]
    return math.exp(x)


@overload(_exp, inline="always")
def _overload_exp(x):  # type: ignore[no-untyped-def]
    if x != types.float32:
        return lambda x: math.exp(x)

    def polynomial(x):  # type: ignore[no-untyped-def]
        x = min(max(x, _LOWEST), _HIGHEST)
        n = np.floor(x * _LOG2_E + _HALF)
        r = (x - n * _LOG_2_HIGH) - n * _LOG_2_LOW
        p = (((((_E6 * r + _E5) * r + _E4) * r + _E3) * r + _E2) * r + _E1) * r + _E0
        # Times 2^n in two steps, because one float32 holds neither 2^128 nor 2^-150.
        half = np.floor(n * _HALF)
        first = np.int32((np.int32(half) + _BIAS) << _MANTISSA_BITS).view(np.float32)
        second = np.int32((np.int32(n - half) + _BIAS) << _MANTISSA_BITS).view(np.float32)
        return p * first * second

    return polynomial


def _log1p(x):  # type: ignore[no-untyped-def]
    return math.log1p(x)


@overload(_log1p, inline="always")
def _overload_log1p(x):  # type: ignore[no-untyped-def]
    if x != types.float32:
        return lambda x: math.log1p(x)

    def polynomial(x):  # type: ignore[no-untyped-def]
        s = x / (_TWO + x)
        q = s * s
        return s * ((((_L4 * q + _L3) * q + _L2) * q + _L1) * q + _L0)

    return polynomial


def _erfc(x):  # type: ignore[no-untyped-def]
    return math.erfc(x)


@overload(_erfc, inline="always")
def _overload_erfc(x):  # type: ignore[no-untyped-def]
    if x != types.float32:
        return lambda x: math.erfc(x)

    def polynomial(x):  # type: ignore[no-untyped-def]
        size = abs(x)
        t = _ONE / (_ONE + _HALF * size)
        p = (((_C8 * t + _C7) * t + _C6) * t + _C5) * t + _C4
        p = (((p * t + _C3) * t + _C2) * t + _C1) * t + _C0
        right = p * t * _exp(-size * size)
        return _TWO - right if x < 0 else right

    return polynomial


@compiled
def exp(x):  # type: ignore[no-untyped-def]
    """Return e to the power of a scalar."""
    return _exp(x)


@compiled
def log1p(x):  # type: ignore[no-untyped-def]
    """Return ``log(1 + x)`` of a scalar; in float32 only for x in [0, 1]."""
    return _log1p(x)


@compiled
def erfc(x):  # type: ignore[no-untyped-def]
    """Return ``2 / sqrt(pi)`` times the integral of ``exp(-t^2)`` from a scalar to infinity."""
    return _erfc(x)
