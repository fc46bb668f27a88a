"""Gradient descent with momentum, as OCRopus trains."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.checks import check_shares
from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["Momentum"]


class Momentum(Optimizer):
    """Heavy-ball momentum: ``d = momentum * d - rate * g``, ``w += d`` (Polyak, 1964).

    As in OCRopus the rate is part of what is carried on: a new rate acts on new gradients only.
    At a constant rate this is the same as the form ``d = momentum * d + g``, ``w -= rate * d``.
    The steps add up to ``rate / (1 - momentum)`` times a lasting gradient.

    Parameters
    ----------
    learning_rate : float, default=0.01
    momentum : float, default=0.9
        Share of the last step that is made again, in [0, 1); 0.9 in OCRopus.
    decay : float, default=0.0
        See `Optimizer`.
    """

    slots = ("step_before",)

    def __init__(
        self, learning_rate: float = 1e-2, momentum: float = 0.9, *, decay: float = 0.0
    ) -> None:
        check_shares(momentum=momentum)
        super().__init__(learning_rate, decay)
        self.momentum = momentum

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        (step_before,) = kept
        step_before *= self.momentum
        step_before -= np.multiply(gradient, self._rate, out=self._scratch_like(parameter))
        parameter += step_before
