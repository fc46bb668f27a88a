"""Plain stochastic gradient descent."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.optimizer import Optimizer

__all__ = ["SGD"]


class SGD(Optimizer):
    """Stochastic gradient descent: ``w -= rate * g``."""

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        parameter -= np.multiply(gradient, self._rate, out=self._scratch_like(parameter))
