"""Momentum that looks ahead."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.momentum import Momentum

__all__ = ["NesterovMomentum"]


class NesterovMomentum(Momentum):
    """Nesterov's accelerated gradient, 1983, as Sutskever et al. write it, ICML 2013.

    ``d = momentum * d - rate * g``, ``w += momentum * d - rate * g``: as `Momentum`, but the
    parameters stand where the next step will carry them, so that the gradient is taken there.

    Parameters
    ----------
    learning_rate, momentum, decay : float
        As in `Momentum`.
    """

    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        (step_before,) = kept
        descent = np.multiply(gradient, self._rate, out=self._scratch_like(parameter))
        step_before *= self.momentum
        step_before -= descent
        parameter -= descent
        parameter += np.multiply(step_before, self.momentum, out=descent)
