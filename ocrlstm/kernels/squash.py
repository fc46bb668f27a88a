"""tanh and the logistic function for use inside kernels: exact in float64, quick in float32.

The float32 tanh is an odd rational function, P(x) of degree 9 over Q(x) of degree 8, fitted on
[-9, 9] by iteratively reweighted least squares to equal relative error (2e-8 before rounding, under
5e-7 with it). It has no branch, so LLVM turns a loop over it into vector instructions, which it
cannot do with a call of libm's tanh.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numba.extending import overload

from ocrlstm.kernels.compiled import compiled

__all__ = ["LIMIT", "P_TERMS", "Q_TERMS", "logistic", "tanh"]

_f = np.float32
_P1, _P3, _P5, _P7, _P9 = (
    _f(9.999999794478546e-01),
    _f(1.3381025315765893e-01),
    _f(3.4955877741327875e-03),
    _f(2.0609077417377195e-05),
    _f(1.3354656001463553e-08),
)
_Q0, _Q2, _Q4, _Q6, _Q8 = (
    _f(1.0),
    _f(4.671434090635357e-01),
    _f(2.587698077961206e-02),
    _f(3.285634283547892e-04),
    _f(7.776555797979967e-07),
)
LIMIT = _f(9.0)
#: Coefficients in z = x^2, the highest first.
P_TERMS = (_P9, _P7, _P5, _P3, _P1)
Q_TERMS = (_Q8, _Q6, _Q4, _Q2, _Q0)
_HALF = _f(0.5)
_ONE = _f(1.0)


def _tanh(x):  # type: ignore[no-untyped-def]
    return math.tanh(x)


@overload(_tanh, inline="always")
def _overload_tanh(x):  # type: ignore[no-untyped-def]
    if x == types.float32:

        def rational(x):  # type: ignore[no-untyped-def]
            x = min(max(x, -LIMIT), LIMIT)
            z = x * x
            p = x * ((((_P9 * z + _P7) * z + _P5) * z + _P3) * z + _P1)
            q = (((_Q8 * z + _Q6) * z + _Q4) * z + _Q2) * z + _Q0
            return min(max(p / q, -_ONE), _ONE)

        return rational

    def exact(x):  # type: ignore[no-untyped-def]
        return math.tanh(x)

    return exact


@compiled
def tanh(x):  # type: ignore[no-untyped-def]
    """Return the hyperbolic tangent of a scalar."""
    return _tanh(x)


@compiled
def logistic(x):  # type: ignore[no-untyped-def]
    """Return ``1 / (1 + exp(-x))`` of a scalar, by the identity ``(1 + tanh(x / 2)) / 2``."""
    half = x * _HALF
    return _tanh(half) * _HALF + _HALF
