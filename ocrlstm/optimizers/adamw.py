"""Adam with decoupled weight decay."""

from __future__ import annotations

import numpy as np

from ocrlstm.optimizers.adam import Adam

__all__ = ["AdamW"]


class AdamW(Adam):
    """Adam with the weight decay of Loshchilov and Hutter, ICLR 2019.

    Before Adam's step, ``w *= 1 - rate * weight_decay``. Only arrays of two or more axes decay:
    biases, peepholes and the scales of a normalisation do not.

    Parameters
    ----------
    learning_rate : float, default=0.001
    weight_decay : float, default=0.01
        Strength of the decay of the weights, 0 or more.
    beta1, beta2, epsilon : float, default=0.9, 0.999, 1e-8
        As in `Adam`.
    decay : float, default=0.0
        Of the learning rate; see `Optimizer`.
    """

    def __init__(
        self,
        learning_rate: float = 1e-3,
        weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        *,
        decay: float = 0.0,
    ) -> None:
        if not weight_decay >= 0.0:
            raise ValueError(f"weight_decay must be 0 or more, not {weight_decay}")
        super().__init__(learning_rate, beta1, beta2, epsilon, decay=decay)
        self.weight_decay = weight_decay

    def _shrink(self, parameter: np.ndarray) -> float:
        return 1.0 - self._rate * self.weight_decay if parameter.ndim >= 2 else 1.0
