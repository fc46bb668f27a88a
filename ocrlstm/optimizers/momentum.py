"""Gradient descent with momentum, as OCRopus trains."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["Momentum"]


class Momentum(Optimizer):
    """Heavy-ball momentum: ``d = momentum * d - rate * g``, ``w += d``.

    As in OCRopus the rate is part of what is carried on: a new rate acts on new gradients only.
    At a constant rate this is the same as the form ``d = momentum * d + g``, ``w -= rate * d``.
    The steps add up to ``rate / (1 - momentum)`` times a lasting gradient.

    Parameters
    ----------
    momentum : float
        Share of the last step that is made again, in [0, 1); 0.9 in OCRopus.
    """

    slots = ("step_before",)

    def __init__(self, momentum: float = 0.9) -> None:
        if not 0.0 <= momentum < 1.0:
            raise ValueError(f"momentum must lie in [0, 1), not {momentum}")
        super().__init__()
        self.momentum = momentum

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        (step_before,) = kept
        step_before *= self.momentum
        step_before -= np.multiply(gradient, self._rate, out=self._scratch_like(parameter))
        parameter += step_before
