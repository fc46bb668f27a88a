"""Dropout."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Dropout"]

_STEPS = 65_536


class Dropout(Layer):
    """Set a random share of the values to zero in training, and scale the rest up.

    Parameters
    ----------
    probability : float
        Share of values dropped, in [0, 1); kept to 1/65536.
    channels : bool, default=False
        Drop whole channels (features) of a line instead of single values.

    Attributes
    ----------
    rng : numpy.random.Generator
        Source of the masks. A trainer replaces it before each step, so that a step's masks depend
        on the step's number only and a resumed run meets the same ones.

    Notes
    -----
    Srivastava et al., JMLR 15 (2014), in the "inverted" form: kept values are divided by
    ``1 - probability``, so recognising changes nothing.
    """

    def __init__(self, probability: float, *, channels: bool = False) -> None:
        if not 0 <= probability < 1:
            raise ValueError(f"dropout probability must be in [0, 1), not {probability}")
        super().__init__()
        self.probability = probability
        self.channels = channels
        self.rng = np.random.default_rng(0)
        self._mask: Array | None = None

    def __repr__(self) -> str:
        channels = ", channels=True" if self.channels else ""
        return f"Dropout({self.probability}{channels})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for any input; see `Layer.plan`."""
        return input_shape, {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return `x`, masked and scaled in training; see `Layer.forward`."""
        if not training:
            return x, lengths
        if self.channels:
            # The batch is the first axis of images and the second of sequences.
            shape = (x.shape[0], 1, 1, x.shape[3]) if x.ndim == 4 else (1, *x.shape[1:])
        else:
            shape = x.shape
        # Two random bytes decide about a value: half the work of a random float.
        kept = max(1, round(_STEPS * (1 - self.probability)))
        mask = self.rng.integers(0, _STEPS, shape, np.uint16) < kept
        self._mask = np.multiply(mask, _STEPS / kept, dtype=x.dtype)
        return x * self._mask, lengths

    def backward(self, dy: Array) -> Array:
        """Return `dy` under the mask of the last forward; see `Layer.backward`."""
        if self._mask is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        mask, self._mask = self._mask, None
        return dy * mask
