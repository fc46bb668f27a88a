"""What layers have in common that give values the mean 0 and the variance 1."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ocrlstm.kernels import normalization as kernel
from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Standardized", "positions"]


class Standardized(Layer):
    """Standardise sets of values, then scale and shift each channel.

    Which values make a set is told by `_mean`. Weights gamma (C,) and beta (C,).

    Parameters
    ----------
    epsilon : float
        Added to the variance.

    Notes
    -----
    ``y = gamma h + beta`` with ``h = (x - mean) / sqrt(variance + epsilon)``, the variance being
    the mean square of ``x - mean``. The mean and the variance depend on every ``x`` of the set:
    ``dx = (g - mean(g) - h mean(g h)) / sqrt(variance + epsilon)`` with ``g = gamma dy`` and means
    over the set.
    """

    def __init__(self, epsilon: float) -> None:
        super().__init__()
        if not 0 < epsilon < np.inf:
            raise ValueError(f"epsilon must be above 0 and finite, not {epsilon}")
        self.epsilon = epsilon
        self._saved: tuple[Array, Array, Array, Array] | None = None

    @abstractmethod
    def _mean(self, sums: Array, counts: Array) -> Array:
        """Return the mean of the set that each item's channel belongs to.

        Parameters
        ----------
        sums : ndarray of float64, shape (N, C)
            Sums over the valid pixels or frames of each item and channel.
        counts : ndarray of int64, shape (N,)
            Number of those pixels or frames.

        Returns
        -------
        ndarray of float64, shape (N, C)
            0 for a set without values.
        """

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images or sequences with a known number of channels; see `Layer.plan`."""
        channels = input_shape[-1]
        if channels is None or (len(input_shape) == 3 and input_shape[0] is None):
            raise ValueError(f"a normalisation takes a fixed height and depth, not {input_shape}")
        return input_shape, {"gamma": (channels,), "beta": (channels,)}

    def _initialize(self, rng: np.random.Generator) -> None:
        self._parameters["gamma"][:] = 1

    def _statistics(self, x: Array, lengths: Array, training: bool) -> tuple[Array, Array]:
        """Return the mean and the variance (N, C) of the set of each item's channel."""
        counts = positions(x, lengths)
        centre = self._mean(kernel.sums(x, lengths), counts)
        return centre, self._mean(kernel.deviations(x, lengths, centre), counts)

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the standardised values; see `Layer.forward`."""
        centre, variance = self._statistics(x, lengths, training)
        inverse = 1 / np.sqrt(variance + self.epsilon)
        shift = np.broadcast_to(self._parameters["beta"], centre.shape)
        y = kernel.scale(x, lengths, centre, inverse * self._parameters["gamma"], shift)
        if training:
            self._saved = (x, lengths, centre, inverse)
        return y, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        x, lengths, centre, inverse = self._saved
        self._saved = None
        plain, crossed = kernel.products(dy, x, lengths, centre)
        self._gradients["beta"][:] = plain.sum(axis=0)
        self._gradients["gamma"][:] = (crossed * inverse).sum(axis=0)
        if not self.input_gradient:
            return np.empty((0,) * x.ndim, x.dtype)
        gamma, counts = self._parameters["gamma"].astype(np.float64), positions(x, lengths)
        mean = self._mean(gamma * plain, counts)
        mean_crossed = self._mean(gamma * crossed * inverse, counts)
        return kernel.combine(
            dy, x, lengths, centre, gamma * inverse, -(inverse**2) * mean_crossed, -inverse * mean
        )


def positions(x: Array, lengths: Array) -> Array:
    """Return the number of valid pixels or frames of every item."""
    return lengths * x.shape[1] if x.ndim == 4 else lengths
