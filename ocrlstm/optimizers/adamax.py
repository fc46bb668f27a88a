"""Adamax: Adam with the largest gradient of late in place of the mean square."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.checks import check_epsilon, check_shares
from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["Adamax"]


class Adamax(Optimizer):
    """Adamax of Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, sec. 7.1.

    With n the number of the step, from 1::

        m = beta1 * m + (1 - beta1) * g
        u = max(beta2 * u, |g| + epsilon)
        w -= rate / (1 - beta1**n) * m / u

    Parameters
    ----------
    learning_rate : float, default=0.002
    beta1, beta2 : float, default=0.9, 0.999
        How much of the running mean and of the largest gradient is kept at a step, in [0, 1).
    epsilon : float, default=1e-8
        Not in the paper, which would divide 0 by 0 where all gradients are 0; above 0.
    decay : float, default=0.0
        See `Optimizer`.
    """

    slots = ("mean", "largest")

    def __init__(
        self,
        learning_rate: float = 2e-3,
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

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        mean, largest = kept
        mean *= self.beta1
        mean += (1.0 - self.beta1) * gradient
        largest *= self.beta2
        np.maximum(largest, np.abs(gradient) + self.epsilon, out=largest)
        parameter -= self._rate / (1.0 - self.beta1**self.step) * mean / largest
