"""Plain stochastic gradient descent."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["SGD"]


class SGD(Optimizer):
    """Stochastic gradient descent: ``w -= rate * g`` (Robbins and Monro, 1951).

    Parameters
    ----------
    learning_rate : float, default=0.01
    decay : float, default=0.0
        See `Optimizer`.
    """

    def __init__(self, learning_rate: float = 1e-2, *, decay: float = 0.0) -> None:
        super().__init__(learning_rate, decay)

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        parameter -= np.multiply(gradient, self._rate, out=self._scratch_like(parameter))
