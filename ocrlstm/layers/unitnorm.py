"""What layers have in common that divide values by their norm."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ocrlstm.kernels import normalization, unit_norm
from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Axis", "UnitNorm"]

Axis = Literal["channels", "item"]


class UnitNorm(Layer):
    """Divide the values of each pixel, frame or item by their norm.

    Where all values of a set are zero, the output is zero, and so is the gradient: the quotient
    has no derivative there, and one over `epsilon` would drown all other gradients.

    Parameters
    ----------
    axis : {"channels", "item"}, default="channels"
        The values that are divided by their common norm: the channels of a pixel or frame, or all
        valid values of an item.
    epsilon : float, default=1e-8
        Keeps the norm above 0.

    Attributes
    ----------
    order : {1, 2}
        The norm ``n``: ``sum |x| + epsilon`` or ``sqrt(sum x**2 + epsilon**2)``. Set by subclasses.

    Notes
    -----
    ``y = x / n``, ``dx = (dy - v sum(dy y)) / n`` with ``v = sign(x)`` for order 1 and ``v = y``
    for order 2.
    """

    order: Literal[1, 2]

    def __init__(self, axis: Axis = "channels", epsilon: float = 1e-8) -> None:
        super().__init__()
        if axis not in get_args(Axis):
            raise ValueError(f"axis must be one of {', '.join(get_args(Axis))}, not {axis!r}")
        if not 0 < epsilon < np.inf:
            raise ValueError(f"epsilon must be above 0 and finite, not {epsilon}")
        self.axis = axis
        self.epsilon = epsilon
        self._saved: tuple[Array, Array, Array] | None = None

    def __repr__(self) -> str:
        epsilon = "" if self.epsilon == 1e-8 else f", epsilon={self.epsilon}"
        return f"{type(self).__name__}({self.axis!r}{epsilon})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for any input; see `Layer.plan`."""
        return input_shape, {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the values over their norms; see `Layer.forward`."""
        if self.axis == "item":
            inverses = self._of_items(x, lengths)
            zeros = np.zeros_like(inverses)
            y = normalization.scale(x, lengths, zeros, inverses, zeros)
        else:
            y, inverses = unit_norm.unit_forward(x, lengths, self.order, self.epsilon)
        if training:
            self._saved = (y, lengths, inverses)
        return y, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        y, lengths, inverses = self._saved
        self._saved = None
        if self.axis == "channels":
            return unit_norm.unit_backward(dy, y, inverses, lengths, self.order)
        zeros = np.zeros_like(inverses)
        along = normalization.products(dy, y, lengths, zeros)[1].sum(axis=1, keepdims=True)
        direction = np.sign(y) if self.order == 1 else y
        return normalization.combine(
            dy, direction, lengths, zeros, inverses, -along * inverses, zeros
        )

    def _of_items(self, x: Array, lengths: Array) -> Array:
        """Return one over each item's norm, 0 for an item of zeros, for every channel (N, C)."""
        zeros = np.zeros((len(lengths), x.shape[-1]))
        if self.order == 1:
            total = normalization.sums(np.abs(x), lengths).sum(axis=1, keepdims=True)
            norm = total + self.epsilon
        else:
            squares = normalization.deviations(x, lengths, zeros)
            total = squares.sum(axis=1, keepdims=True)
            norm = np.sqrt(total + self.epsilon**2)
        return zeros + np.where(total > 0, 1 / norm, 0)
