"""RMSprop: steps scaled by the running root mean square of the gradient."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.checks import check_epsilon, check_shares
from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["RMSprop"]


class RMSprop(Optimizer):
    """RMSprop of Tieleman and Hinton, "Lecture 6.5", Coursera, 2012.

    ``v = rho * v + (1 - rho) * g**2``, ``w -= rate * g / (sqrt(v) + epsilon)``.

    Parameters
    ----------
    learning_rate : float, default=0.001
    rho : float, default=0.9
        How much of the running mean is kept at a step, in [0, 1).
    epsilon : float, default=1e-8
        Keeps the denominator off 0; above 0.
    decay : float, default=0.0
        See `Optimizer`.
    """

    slots = ("square",)

    def __init__(
        self,
        learning_rate: float = 1e-3,
        rho: float = 0.9,
        epsilon: float = 1e-8,
        *,
        decay: float = 0.0,
    ) -> None:
        check_shares(rho=rho)
        check_epsilon(epsilon)
        super().__init__(learning_rate, decay)
        self.rho = rho
        self.epsilon = epsilon

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        (square,) = kept
        square *= self.rho
        square += (1.0 - self.rho) * gradient * gradient
        parameter -= self._rate * gradient / (np.sqrt(square) + self.epsilon)
