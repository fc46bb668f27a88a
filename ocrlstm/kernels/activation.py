"""Non-linearities: what each makes of a number, and its slope there.

One compiled loop over an array for each name, made from the two tables of formulas `value` and
`slope`. Kernels with a non-linearity inside call those with its number, its place in `NAMES`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.exponential import erfc, exp, log1p
from ocrlstm.kernels.squash import tanh

__all__ = ["NAMES", "OF_INPUT", "SELU_ALPHA", "SELU_SCALE", "backward", "forward", "slope", "value"]

NAMES = (
    "logistic", "loggy", "tanh", "relu", "leaky", "relie", "ramp", "linear", "plse", "stair",
    "hardtan", "lhtan", "elu", "selu", "elliot", "symmelliot", "softplus", "softsign", "gelu",
    "swish", "hardswish",
)  # fmt: skip
(
    LOGISTIC, LOGGY, TANH, RELU, LEAKY, RELIE, RAMP, LINEAR, PLSE, STAIR,
    HARDTAN, LHTAN, ELU, SELU, ELLIOT, SYMMELLIOT, SOFTPLUS, SOFTSIGN, GELU,
    SWISH, HARDSWISH,
) = range(len(NAMES))  # fmt: skip

#: Those whose slope needs the input: the output does not tell it, or not to all digits.
OF_INPUT = frozenset({STAIR, ELLIOT, SYMMELLIOT, SOFTSIGN, GELU, SWISH, HARDSWISH})

# Klambauer et al., NIPS 2017, equation 14: mean 0 and variance 1 are a fixed point.
SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805

_SQRT_HALF = math.sqrt(0.5)
_DENSITY_AT_0 = 1 / math.sqrt(2 * math.pi)  # of the normal distribution

# Exact in float32, so they narrow no float64 and widen no float32.
_f = np.float32
_ZERO, _HALF, _ONE, _TWO, _THREE, _FOUR, _SIX = map(_f, (0, 0.5, 1, 2, 3, 4, 6))
_EIGHTH = _f(0.125)


def _like(x, constant):  # type: ignore[no-untyped-def]
    """Return a constant in the type of a number: a float64 one would widen a float32 loop."""
    return type(x)(constant)


@overload(_like, inline="always")
def _overload_like(x, constant):  # type: ignore[no-untyped-def]
    if x == types.float32:
        return lambda x, constant: np.float32(constant)
    return lambda x, constant: np.float64(constant)


def _expm1(x):  # type: ignore[no-untyped-def]
    return math.expm1(x)


@overload(_expm1, inline="always")
def _overload_expm1(x):  # type: ignore[no-untyped-def]
    if x != types.float32:
        return lambda x: math.expm1(x)

    def of_tanh(x):  # type: ignore[no-untyped-def]
        """Keep the digits of exp(x) - 1 near 0, for x not above it."""
        t = tanh(_HALF * x)
        return _TWO * t / (_ONE - t)

    return of_tanh


@compiled
def _normal(x):  # type: ignore[no-untyped-def]
    """Return the probability that a normal variable of mean 0 and variance 1 is below `x`."""
    return _HALF * erfc(_like(x, -_SQRT_HALF) * x)


@compiled
def value(kind, x):  # type: ignore[no-untyped-def]
    """Return non-linearity number `kind` of a scalar, float32 or float64.

    Conditions are such that NaN comes out as NaN.
    """
    if kind == LOGISTIC:
        return _ONE / (_ONE + exp(-x))
    if kind == LOGGY:  # 2 / (1 + exp(-x)) - 1
        return tanh(_HALF * x)
    if kind == TANH:
        return tanh(x)
    if kind == RELU:
        return _ZERO if x <= _ZERO else x
    if kind == LEAKY:
        return _like(x, 0.1) * x if x <= _ZERO else x
    if kind == RELIE:
        return _like(x, 0.01) * x if x <= _ZERO else x
    if kind == RAMP:
        return _like(x, 0.1) * x if x <= _ZERO else _like(x, 1.1) * x
    if kind == PLSE:
        if x < -_FOUR:
            return _like(x, 0.01) * (x + _FOUR)
        return _like(x, 0.01) * (x - _FOUR) + _ONE if x > _FOUR else _EIGHTH * x + _HALF
    if kind == STAIR:
        step, half = np.floor(x), np.floor(_HALF * x)
        return (x - step) + half if step - _TWO * half == _ONE else half
    if kind == HARDTAN:
        return min(max(x, -_ONE), _ONE)
    if kind == LHTAN:
        if x < _ZERO:
            return _like(x, 0.001) * x
        return _like(x, 0.001) * (x - _ONE) + _ONE if x > _ONE else x
    if kind == ELU:
        return _expm1(x) if x <= _ZERO else x
    if kind == SELU:
        low = _like(x, SELU_SCALE * SELU_ALPHA) * _expm1(x)
        return low if x <= _ZERO else _like(x, SELU_SCALE) * x
    if kind == ELLIOT:
        return _HALF * x / (_ONE + abs(x)) + _HALF
    if kind == SYMMELLIOT or kind == SOFTSIGN:
        return x / (_ONE + abs(x))
    if kind == SOFTPLUS:
        return max(x, _ZERO) + log1p(exp(-abs(x)))
    if kind == GELU:
        return x * _normal(x)
    if kind == SWISH:
        return x / (_ONE + exp(-x))
    if kind == HARDSWISH:
        return x * (min(max(x + _THREE, _ZERO), _SIX) / _SIX)
    return x


@compiled
def slope(kind, x, y):  # type: ignore[no-untyped-def]
    """Return the derivative of non-linearity number `kind` at `x`, where it gave `y`.

    Only the kinds in `OF_INPUT` look at `x`, and only the others at `y`. At a kink the slope is
    that on one of its sides.
    """
    if kind == LOGISTIC:
        return y * (_ONE - y)
    if kind == LOGGY:
        return _HALF * (_ONE - y) * (_ONE + y)
    if kind == TANH:
        return (_ONE - y) * (_ONE + y)
    if kind == RELU:
        return _ZERO if y <= _ZERO else _ONE
    if kind == LEAKY:
        return _like(y, 0.1) if y <= _ZERO else _like(y, 1.0)
    if kind == RELIE:
        return _like(y, 0.01) if y <= _ZERO else _like(y, 1.0)
    if kind == RAMP:
        return _like(y, 0.1) if y <= _ZERO else _like(y, 1.1)
    if kind == PLSE:
        return _like(y, 0.01) if y < _ZERO or y > _ONE else _EIGHTH
    if kind == STAIR:
        return _ONE if np.floor(x) - _TWO * np.floor(_HALF * x) == _ONE else _ZERO
    if kind == HARDTAN:
        return _ZERO if y <= -_ONE or y >= _ONE else _ONE
    if kind == LHTAN:
        return _like(y, 0.001) if y < _ZERO or y > _ONE else _ONE
    if kind == ELU:
        return y + _ONE if y <= _ZERO else _ONE
    if kind == SELU:
        left = y + _like(y, SELU_SCALE * SELU_ALPHA)
        return left if y <= _ZERO else _like(y, SELU_SCALE)
    if kind == ELLIOT:
        return _HALF / ((_ONE + abs(x)) * (_ONE + abs(x)))
    if kind == SYMMELLIOT or kind == SOFTSIGN:
        return _ONE / ((_ONE + abs(x)) * (_ONE + abs(x)))
    if kind == SOFTPLUS:  # the logistic function of x
        return -_expm1(-y)
    if kind == GELU:
        return _normal(x) + x * (_like(x, _DENSITY_AT_0) * exp(-_HALF * x * x))
    if kind == SWISH:
        s = _ONE / (_ONE + exp(-x))
        return s + s * (x * (_ONE - s))
    if kind == HARDSWISH:
        inner = x / _THREE + _HALF
        return _ZERO if x <= -_THREE else (_ONE if x > _THREE else inner)
    return _ONE


@functools.cache
def _loops(kind: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the loops over flat arrays of values and of gradients; `kind` is fixed in them."""

    @compiled
    def values(z, y):  # type: ignore[no-untyped-def]
        for i in range(len(z)):
            y[i] = value(kind, z[i])

    @compiled
    def gradients(z, y, dy, dz):  # type: ignore[no-untyped-def]
        for i in range(len(z)):
            dz[i] = dy[i] * slope(kind, z[i], y[i])

    return values, gradients


def forward(name: str, z: np.ndarray, y: np.ndarray) -> None:
    """Apply a non-linearity to every value.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    z : ndarray, C-contiguous, float32 or float64
    y : ndarray, C-contiguous
        Receives the values; may be `z` itself.

    Raises
    ------
    ValueError
        If the arrays differ in shape, or one is not C-contiguous.
    """
    z, y = _flat(z, y)
    _loops(NAMES.index(name))[0](z, y)


def backward(name: str, z: np.ndarray, y: np.ndarray, dy: np.ndarray, dz: np.ndarray) -> None:
    """Multiply a gradient with the slopes of a non-linearity.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    z, y : ndarray, C-contiguous
        Input and output of `forward`. The one that the slope is not made of (`OF_INPUT`) may be
        any array of the shape.
    dy : ndarray, C-contiguous
        Gradient of `y`.
    dz : ndarray, C-contiguous
        Receives the gradient of `z`; may be `dy` itself.

    Raises
    ------
    ValueError
        If the arrays differ in shape, or one is not C-contiguous.
    """
    z, y, dy, dz = _flat(z, y, dy, dz)
    _loops(NAMES.index(name))[1](z, y, dy, dz)


def _flat(*arrays: np.ndarray) -> list[np.ndarray]:
    # The loops check nothing: a shorter array would be read beyond its end.
    shapes = [array.shape for array in arrays]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError(f"arrays of one shape are needed, not {shapes}")
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("arrays of a non-linearity must be C-contiguous")
    return [array.reshape(-1) for array in arrays]
