"""Non-linearities: what each makes of a number, and its slope there.

One compiled loop over an array for each name, made from the table of formulas. A kernel with a
non-linearity inside calls `value` and `slope` and is made by a function of the name, as `_loops`
makes the loops here: the name must be known when it is compiled.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.exponential import erfc, exp, log1p
from ocrlstm.kernels.squash import tanh

__all__ = ["NAMES", "OF_INPUT", "SELU_ALPHA", "SELU_SCALE", "backward", "forward", "slope", "value"]

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
def _is_odd(x):  # type: ignore[no-untyped-def]
    return x - _TWO * np.floor(_HALF * x) == _ONE


@compiled
def _normal(x):  # type: ignore[no-untyped-def]
    """Return the probability that a normal variable of mean 0 and variance 1 is below `x`."""
    return _HALF * erfc(_like(x, -_SQRT_HALF) * x)


#: Value of x, and slope at x where the value is y. Conditions are such that NaN comes out as NaN.
#: At a kink the slope is that on one of its sides.
_FORMULAS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "logistic": (lambda x: _ONE / (_ONE + exp(-x)), lambda x, y: y * (_ONE - y)),
    # 2 / (1 + exp(-x)) - 1
    "loggy": (lambda x: tanh(_HALF * x), lambda x, y: _HALF * (_ONE - y) * (_ONE + y)),
    "tanh": (lambda x: tanh(x), lambda x, y: (_ONE - y) * (_ONE + y)),
    "relu": (
        lambda x: _ZERO if x <= _ZERO else x,
        lambda x, y: _ZERO if y <= _ZERO else _ONE,
    ),
    "leaky": (
        lambda x: _like(x, 0.1) * x if x <= _ZERO else x,
        lambda x, y: _like(y, 0.1) if y <= _ZERO else _ONE,
    ),
    "relie": (
        lambda x: _like(x, 0.01) * x if x <= _ZERO else x,
        lambda x, y: _like(y, 0.01) if y <= _ZERO else _ONE,
    ),
    "ramp": (
        lambda x: _like(x, 0.1) * x if x <= _ZERO else _like(x, 1.1) * x,
        lambda x, y: _like(y, 0.1) if y <= _ZERO else _like(y, 1.1),
    ),
    "linear": (lambda x: x, lambda x, y: _ONE),
    "plse": (
        lambda x: (
            _like(x, 0.01) * (x + _FOUR)
            if x < -_FOUR
            else _like(x, 0.01) * (x - _FOUR) + _ONE
            if x > _FOUR
            else _EIGHTH * x + _HALF
        ),
        lambda x, y: _like(y, 0.01) if y < _ZERO or y > _ONE else _EIGHTH,
    ),
    "stair": (
        lambda x: np.floor(_HALF * x) + (x - np.floor(x) if _is_odd(np.floor(x)) else _ZERO),
        lambda x, y: _ONE if _is_odd(np.floor(x)) else _ZERO,
    ),
    "hardtan": (
        lambda x: min(max(x, -_ONE), _ONE),
        lambda x, y: _ZERO if y <= -_ONE or y >= _ONE else _ONE,
    ),
    "lhtan": (
        lambda x: (
            _like(x, 0.001) * x
            if x < _ZERO
            else _like(x, 0.001) * (x - _ONE) + _ONE
            if x > _ONE
            else x
        ),
        lambda x, y: _like(y, 0.001) if y < _ZERO or y > _ONE else _ONE,
    ),
    "elu": (
        lambda x: _expm1(x) if x <= _ZERO else x,
        lambda x, y: y + _ONE if y <= _ZERO else _ONE,
    ),
    "selu": (
        lambda x: (
            _like(x, SELU_SCALE * SELU_ALPHA) * _expm1(x)
            if x <= _ZERO
            else _like(x, SELU_SCALE) * x
        ),
        lambda x, y: y + _like(y, SELU_SCALE * SELU_ALPHA) if y <= _ZERO else _like(y, SELU_SCALE),
    ),
    "elliot": (
        lambda x: _HALF * x / (_ONE + abs(x)) + _HALF,
        lambda x, y: _HALF / ((_ONE + abs(x)) * (_ONE + abs(x))),
    ),
    "symmelliot": (
        lambda x: x / (_ONE + abs(x)),
        lambda x, y: _ONE / ((_ONE + abs(x)) * (_ONE + abs(x))),
    ),
    # The slope is the logistic function of x.
    "softplus": (
        lambda x: max(x, _ZERO) + log1p(exp(-abs(x))),
        lambda x, y: -_expm1(-y),
    ),
    "softsign": (
        lambda x: x / (_ONE + abs(x)),
        lambda x, y: _ONE / ((_ONE + abs(x)) * (_ONE + abs(x))),
    ),
    "gelu": (
        lambda x: x * _normal(x),
        lambda x, y: _normal(x) + x * (_like(x, _DENSITY_AT_0) * exp(-_HALF * x * x)),
    ),
    "swish": (
        lambda x: x / (_ONE + exp(-x)),
        lambda x, y: (_ONE + x / (_ONE + exp(x))) / (_ONE + exp(-x)),
    ),
    "hardswish": (
        lambda x: x * (min(max(x + _THREE, _ZERO), _SIX) / _SIX),
        lambda x, y: _ZERO if x <= -_THREE else (_ONE if x > _THREE else x / _THREE + _HALF),
    ),
}

NAMES = tuple(_FORMULAS)

#: Those whose slope is made of x alone, because y does not tell it, or not to all digits; the
#: slopes of the others are made of y alone.
OF_INPUT = frozenset({"stair", "elliot", "symmelliot", "softsign", "gelu", "swish", "hardswish"})


def value(name, x):  # type: ignore[no-untyped-def]
    """Return what a non-linearity makes of a scalar; for kernels, `name` a constant in them."""
    return _FORMULAS[name][0](x)


def slope(name, x, y):  # type: ignore[no-untyped-def]
    """Return the slope of a non-linearity at `x`, where its value is `y`; as `value`."""
    return _FORMULAS[name][1](x, y)


@overload(value, inline="always", prefer_literal=True)
def _overload_value(name, x):  # type: ignore[no-untyped-def]
    # Inlined, or LLVM may find a long formula too long for its loop, and then makes no vectors.
    formula = njit(inline="always")(_FORMULAS[name.literal_value][0])
    return lambda name, x: formula(x)


@overload(slope, inline="always", prefer_literal=True)
def _overload_slope(name, x, y):  # type: ignore[no-untyped-def]
    formula = njit(inline="always")(_FORMULAS[name.literal_value][1])
    return lambda name, x, y: formula(x, y)


@functools.cache
def _loops(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the loops over flat arrays of values and of gradients; `name` is fixed in them."""

    @compiled
    def values(z, y):  # type: ignore[no-untyped-def]
        for i in range(len(z)):
            y[i] = value(name, z[i])

    @compiled
    def gradients(z, y, dy, dz):  # type: ignore[no-untyped-def]
        for i in range(len(z)):
            dz[i] = dy[i] * slope(name, z[i], y[i])

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
    _loops(name)[0](z, y)


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
    _loops(name)[1](z, y, dy, dz)


def _flat(*arrays: np.ndarray) -> list[np.ndarray]:
    # The loops check nothing: a shorter array would be read beyond its end.
    shapes = [array.shape for array in arrays]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError(f"arrays of one shape are needed, not {shapes}")
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("arrays of a non-linearity must be C-contiguous")
    return [array.reshape(-1) for array in arrays]
