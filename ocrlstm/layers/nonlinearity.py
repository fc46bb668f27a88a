"""Non-linearities by name, for the layers that end with one."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels import activation as kernel
from ocrlstm.kernels.threads import run_parallel, split, thread_count
from ocrlstm.layers.base import Array

__all__ = [
    "ACTIVATIONS",
    "activate",
    "activation_gradient",
    "check_activation",
    "needs_preactivation",
]

#: Names of all non-linearities; their formulas are in `ocrlstm.kernels.activation`.
ACTIVATIONS: tuple[str, ...] = kernel.NAMES

_PART = 1 << 16  # values below which waking a thread costs more than it saves


def check_activation(name: str) -> str:
    """Return `name`, or raise ValueError, listing the names there are."""
    if name not in ACTIVATIONS:
        raise ValueError(f"unknown activation {name!r}; there are {', '.join(ACTIVATIONS)}")
    return name


def needs_preactivation(name: str) -> bool:
    """Tell whether the slope is made of the input `z`; otherwise it is made of the output `y`."""
    return check_activation(name) in kernel.OF_INPUT


def activate(name: str, z: Array) -> Array:
    """Apply a non-linearity to every value.

    Parameters
    ----------
    name : str
        One of `ACTIVATIONS`.
    z : ndarray of float32 or float64, any shape

    Returns
    -------
    ndarray
        Of the shape and type of `z`: a new array, or `z` itself if the name is "linear". Many
        non-linearities make something else of 0, so what lies beyond the lengths is the caller's
        to clear.
    """
    if check_activation(name) == "linear":
        return z
    y = np.empty(z.shape, z.dtype)
    flat, out = np.ascontiguousarray(z).reshape(-1), y.reshape(-1)
    run_parallel(
        lambda low, high: kernel.forward(name, flat[low:high], out[low:high]), _parts(z.size)
    )
    return y


def activation_gradient(name: str, z: Array | None, y: Array, dy: Array) -> Array:
    """Return the gradient of the input of a non-linearity.

    Parameters
    ----------
    name : str
        One of `ACTIVATIONS`.
    z : ndarray or None
        Input of `activate`; may be None where `needs_preactivation` is False.
    y : ndarray
        Its output.
    dy : ndarray
        Gradient of `y`.

    Returns
    -------
    ndarray
        Of the shape of `dy`: a new array, or `dy` itself if the name is "linear".

    Raises
    ------
    ValueError
        If the shapes differ, or `z` is needed and None.
    """
    if check_activation(name) == "linear":
        return dy
    if needs_preactivation(name):
        if z is None:
            raise ValueError(f"the gradient of {name!r} needs its input, not the output alone")
    else:
        z = y
    if not z.shape == y.shape == dy.shape:
        raise ValueError(f"shapes differ: input {z.shape}, output {y.shape}, gradient {dy.shape}")
    dz = np.empty(dy.shape, dy.dtype)
    flat = [np.ascontiguousarray(array).reshape(-1) for array in (z, y, dy, dz)]
    run_parallel(
        lambda low, high: kernel.backward(name, *(array[low:high] for array in flat)),
        _parts(dz.size),
    )
    return dz


def _parts(size: int) -> list[tuple[int, int]]:
    return split(size, min(thread_count(), 1 + size // _PART))
