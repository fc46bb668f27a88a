"""Batch normalisation."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array, Shape, Shapes
from ocrlstm.layers.standardized import Standardized, positions

__all__ = ["BatchNorm"]


class BatchNorm(Standardized):
    """Standardise each channel, then scale and shift it.

    In training a set of values that share mean and variance is a channel at all valid pixels or
    frames of the batch, padding left out. Running means of both are kept, and used for
    recognising, where an item's output hence does not depend on its neighbours.

    Buffers "mean" and "variance" (C,), at first 0 and 1. A batch of a single position has no
    variance to learn from and leaves them as they are. A frozen layer uses them in training too,
    and never changes them.

    Parameters
    ----------
    momentum : float, default=0.1
        Share of the batch in the running statistics, in (0, 1].
    epsilon : float, default=1e-5
        Added to the variance.

    Notes
    -----
    Ioffe and Szegedy, ICML 2015. ``running += momentum * (batch - running)``, where the batch's
    variance is the unbiased one, with P - 1 for its P positions. Other formulas in `Standardized`.
    """

    def __init__(self, momentum: float = 0.1, epsilon: float = 1e-5) -> None:
        if not 0 < momentum <= 1:
            raise ValueError(f"momentum must be in (0, 1], not {momentum}")
        super().__init__(epsilon)
        self.momentum = momentum

    def __repr__(self) -> str:
        given = [("momentum", self.momentum, 0.1), ("epsilon", self.epsilon, 1e-5)]
        return f"BatchNorm({', '.join(f'{k}={v}' for k, v, usual in given if v != usual)})"

    def plan_buffers(self, input_shape: Shape) -> Shapes:
        """Plan the running statistics; see `Layer.plan_buffers`."""
        channels = self.plan(input_shape)[1]["gamma"]
        return {"mean": channels, "variance": channels}

    def _initialize(self, rng: np.random.Generator) -> None:
        super()._initialize(rng)
        self._buffers["variance"][:] = 1

    def _mean(self, sums: Array, counts: Array) -> Array:
        if self.frozen:  # mean and variance depend on no x, so nothing comes back through them
            return np.zeros_like(sums)
        means = sums.sum(axis=0) / max(1, counts.sum())
        return np.broadcast_to(means, sums.shape)

    def _statistics(self, x: Array, lengths: Array, training: bool) -> tuple[Array, Array]:
        running = self._buffers["mean"], self._buffers["variance"]
        if not training or self.frozen:
            shape = (len(lengths), x.shape[-1])
            return np.broadcast_to(running[0], shape), np.broadcast_to(running[1], shape)
        centre, variance = super()._statistics(x, lengths, training)
        count = int(positions(x, lengths).sum())
        if count > 1:
            running[0][:] += self.momentum * (centre[0] - running[0])
            running[1][:] += self.momentum * (variance[0] * count / (count - 1) - running[1])
        return centre, variance
