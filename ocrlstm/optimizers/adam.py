"""Adam: steps scaled by running means of the gradient and of its square."""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.kernels.adam import adam
from ocrlstm.optimizers.checks import check_epsilon, check_shares
from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["Adam"]


class Adam(Optimizer):
    """Adam of Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015.

    With n the number of the step, from 1::

        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        w -= rate * (m / (1 - beta1**n)) / (sqrt(v / (1 - beta2**n)) + epsilon)

    Parameters
    ----------
    learning_rate : float, default=0.001
    beta1, beta2 : float, default=0.9, 0.999
        How much of the running means is kept at a step, in [0, 1).
    epsilon : float, default=1e-8
        Bounds the steps of parameters whose gradients are next to 0; above 0.
    decay : float, default=0.0
        Of the learning rate; see `Optimizer`.
    """

    slots = ("mean", "square")

    def __init__(
        self,
        learning_rate: float = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        *,
        decay: float = 0.0,
    ) -> None:
        check_shares(beta1=beta1, beta2=beta2)
        check_epsilon(epsilon)
        super().__init__(learning_rate, decay)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self._step_size = 0.0
        self._bound = 0.0

    def _prepare(self) -> None:
        # w -= step_size * m / (sqrt(v) + bound), with the corrections of both means drawn out
        correction = math.sqrt(1.0 - self.beta2**self.step)
        self._step_size = self._rate * correction / (1.0 - self.beta1**self.step)
        self._bound = self.epsilon * correction

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        mean, square = kept
        adam(
            parameter,
            gradient,
            mean,
            square,
            self._shrink(parameter),
            self.beta1,
            self.beta2,
            self._step_size,
            self._bound,
        )

    def _shrink(self, parameter: np.ndarray) -> float:
        """Return the factor by which the parameter is shrunk before the step."""
        return 1.0
