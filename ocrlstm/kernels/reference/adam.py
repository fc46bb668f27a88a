"""One step of Adam on one parameter in plain NumPy: the definition and the oracle."""

from __future__ import annotations

import numpy as np

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
    """Change a parameter and its running means in place; see `ocrlstm.kernels.adam.adam`."""
    mean[:] = beta1 * mean + (1.0 - beta1) * gradient
    square[:] = beta2 * square + (1.0 - beta2) * gradient**2
    parameter[:] = shrink * parameter - step_size * mean / (np.sqrt(square) + epsilon)
