"""Group normalisation."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array, Shape, Shapes
from ocrlstm.layers.standardized import Standardized

__all__ = ["GroupNorm"]


class GroupNorm(Standardized):
    """Standardise each item's groups of channels by themselves, then scale and shift each channel.

    A set of values that share mean and variance is a group of neighbouring channels at all valid
    pixels or frames of one item. So an item's output depends neither on its neighbours in the
    batch nor on padding, and training and recognising are the same. One group standardises the
    whole item, as many groups as channels standardise each channel of it.

    Parameters
    ----------
    groups : int
        Must divide the number of channels.
    epsilon : float, default=1e-5
        Added to the variance.

    Notes
    -----
    Wu and He, ECCV 2018; VGSL's ``Gn`` in kraken. Formulas in `Standardized`.
    """

    def __init__(self, groups: int, epsilon: float = 1e-5) -> None:
        if groups < 1:
            raise ValueError(f"there must be at least 1 group of channels, not {groups}")
        super().__init__(epsilon)
        self.groups = groups

    def __repr__(self) -> str:
        epsilon = "" if self.epsilon == 1e-5 else f", epsilon={self.epsilon}"
        return f"GroupNorm({self.groups}{epsilon})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for channels that the groups divide; see `Layer.plan`."""
        output_shape, weights = super().plan(input_shape)
        channels = weights["gamma"][0]
        if channels % self.groups:
            raise ValueError(f"{channels} channels do not make {self.groups} equal groups")
        return output_shape, weights

    def _mean(self, sums: Array, counts: Array) -> Array:
        size = sums.shape[1] // self.groups
        means = sums.reshape(len(sums), self.groups, size).sum(axis=2)
        means /= np.maximum(counts * size, 1)[:, None]
        return np.repeat(means, size, axis=1)
