"""A non-linearity on its own."""

from __future__ import annotations

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.masking import zero_beyond
from ocrlstm.layers.nonlinearity import (
    activate,
    activation_gradient,
    check_activation,
    needs_preactivation,
)

__all__ = ["Activation"]


class Activation(Layer):
    """Apply a non-linearity to every value of images or sequences.

    Parameters
    ----------
    name : str
        One of `ocrlstm.layers.nonlinearity.ACTIVATIONS`.

    Raises
    ------
    ValueError
        If there is none of that name.

    Notes
    -----
    ``y = f(x)``, ``dx = f'(x) dy``. The formulas are in `ocrlstm.kernels.activation`.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = check_activation(name)
        self._saved: tuple[Array | None, Array, Array] | None = None

    def __repr__(self) -> str:
        return f"Activation({self.name!r})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for any input; see `Layer.plan`."""
        return input_shape, {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the values, zero beyond the lengths; see `Layer.forward`."""
        y = activate(self.name, x)
        if y is not x:
            zero_beyond(y, lengths)
        if training:
            self._saved = (x if needs_preactivation(self.name) else None, y, lengths)
        return y, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (x, y, lengths), self._saved = self._saved, None
        dx = activation_gradient(self.name, x, y, dy)
        if dx is not dy:
            zero_beyond(dx, lengths)
        return dx
