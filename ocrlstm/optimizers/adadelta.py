"""Adadelta: steps that take their size from the steps before."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.checks import check_epsilon, check_shares
from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["Adadelta"]


class Adadelta(Optimizer):
    """Adadelta of Zeiler, "ADADELTA: an adaptive learning rate method", 2012.

    ::

        v = rho * v + (1 - rho) * g**2
        d = g * sqrt(u + epsilon) / sqrt(v + epsilon)
        u = rho * u + (1 - rho) * d**2
        w -= rate * d

    Parameters
    ----------
    learning_rate : float, default=1.0
        1 in the paper: the steps find their size themselves.
    rho : float, default=0.95
        How much of the running means is kept at a step, in [0, 1).
    epsilon : float, default=1e-6
        Sets off the first steps; above 0.
    decay : float, default=0.0
        See `Optimizer`.
    """

    slots = ("square", "square_of_steps")

    def __init__(
        self,
        learning_rate: float = 1.0,
        rho: float = 0.95,
        epsilon: float = 1e-6,
        *,
        decay: float = 0.0,
    ) -> None:
        check_shares(rho=rho)
        check_epsilon(epsilon)
        super().__init__(learning_rate, decay)
        self.rho = rho
        self.epsilon = epsilon

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        square, square_of_steps = kept
        square *= self.rho
        square += (1.0 - self.rho) * gradient * gradient
        step = gradient * np.sqrt((square_of_steps + self.epsilon) / (square + self.epsilon))
        square_of_steps *= self.rho
        square_of_steps += (1.0 - self.rho) * step * step
        parameter -= self._rate * step
