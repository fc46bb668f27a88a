"""One step of Adam on one parameter, in a single pass over its arrays.

The step is bound by memory: a dozen NumPy calls would each walk the arrays again.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

__all__ = ["adam"]


def adam(
    parameter: np.ndarray,
    gradient: np.ndarray,
    mean: np.ndarray,
    square: np.ndarray,
    shrink: float,
    beta1: float,
    beta2: float,
    step_size: float,
    epsilon: float,
) -> None:
    """Change a parameter and its running means in place.

    ``mean = beta1 * mean + (1 - beta1) * g``, ``square = beta2 * square + (1 - beta2) * g**2``,
    ``w = shrink * w - step_size * mean / (sqrt(square) + epsilon)`` (Kingma and Ba, ICLR 2015,
    with the corrections of the means drawn into `step_size` and `epsilon`).

    Parameters
    ----------
    parameter, gradient, mean, square : ndarray
        Of one shape and one type, float32 or float64, which the sums are made in; all but
        `gradient` C-contiguous.
    shrink : float
        Factor on the parameter before the step, 1 for no weight decay.
    beta1, beta2 : float
        How much of the running means is kept.
    step_size, epsilon : float
        The step's size and the bound on its denominator.
    """
    for array in (parameter, mean, square):
        if not array.flags.c_contiguous:
            raise ValueError("a parameter and its running means must be C-contiguous")
    number = parameter.dtype.type  # scalars of the arrays' own type keep float32 loops narrow
    _adam(
        parameter.reshape(-1),
        np.ascontiguousarray(gradient).reshape(-1),
        mean.reshape(-1),
        square.reshape(-1),
        number(shrink),
        number(beta1),
        number(1.0 - beta1),
        number(beta2),
        number(1.0 - beta2),
        number(step_size),
        number(epsilon),
    )


@njit(nogil=True, cache=True, error_model="numpy")
def _adam(
    parameter: np.ndarray,
    gradient: np.ndarray,
    mean: np.ndarray,
    square: np.ndarray,
    shrink: float,
    beta1: float,
    rest1: float,
    beta2: float,
    rest2: float,
    step_size: float,
    epsilon: float,
) -> None:
    for i in range(len(parameter)):
        g = gradient[i]
        m = beta1 * mean[i] + rest1 * g
        v = beta2 * square[i] + rest2 * (g * g)
        mean[i] = m
        square[i] = v
        parameter[i] = shrink * parameter[i] - step_size * (m / (math.sqrt(v) + epsilon))
