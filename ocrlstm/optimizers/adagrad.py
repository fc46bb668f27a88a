"""Adagrad: steps that shorten with all that a parameter has moved."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.checks import check_epsilon
from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["Adagrad"]


class Adagrad(Optimizer):
    """Adagrad of Duchi, Hazan and Singer, JMLR 12 (2011).

    ``s += g**2``, ``w -= rate * g / (sqrt(s) + epsilon)``: rare features learn fast, and all slow
    down for good.

    Parameters
    ----------
    learning_rate : float, default=0.01
    epsilon : float, default=1e-10
        Keeps the denominator off 0; above 0.
    decay : float, default=0.0
        See `Optimizer`.
    """

    slots = ("sum_of_squares",)

    def __init__(
        self, learning_rate: float = 1e-2, epsilon: float = 1e-10, *, decay: float = 0.0
    ) -> None:
        check_epsilon(epsilon)
        super().__init__(learning_rate, decay)
        self.epsilon = epsilon

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        (sum_of_squares,) = kept
        sum_of_squares += gradient * gradient
        parameter -= self._rate * gradient / (np.sqrt(sum_of_squares) + self.epsilon)
