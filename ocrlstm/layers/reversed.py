"""A layer that reads its sequences from the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Reversed"]


class Reversed(Layer):
    """Run a layer over each sequence backwards, from that sequence's own end.

    Parameters
    ----------
    layer : Layer
        Takes and gives sequences of the same length.
    """

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer
        self._order: Array | None = None

    def __repr__(self) -> str:
        return f"Reversed({self.layer!r})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan the layer inside; see `Layer.plan`."""
        return self.layer.plan(input_shape)

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Build the layer inside; see `Layer.build`."""
        return self.layer.build(input_shape, rng, dtype)

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Reverse, run the layer inside, reverse again; see `Layer.forward`."""
        order = _reversal(x.shape[0], lengths)
        y, lengths = self.layer.forward(_reorder(x, order), lengths, training)
        if training:
            self._order = order
        return _reorder(y, order), lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._order is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        order, self._order = self._order, None
        self.layer.input_gradient = self.input_gradient
        dx = self.layer.backward(_reorder(dy, order))
        return _reorder(dx, order) if self.input_gradient else dx

    def parameters(self) -> dict[str, Array]:
        """Return the weights of the layer inside."""
        return self.layer.parameters()

    def gradients(self) -> dict[str, Array]:
        """Return the gradients of the layer inside."""
        return self.layer.gradients()

    def buffers(self) -> dict[str, Array]:
        """Return the arrays that the layer inside keeps beside its weights."""
        return self.layer.buffers()

    def children(self) -> Iterator[Layer]:
        """Yield the layer inside."""
        yield self.layer


def _reversal(steps: int, lengths: Array) -> Array:
    """Return for every frame and line the frame it changes places with, shape (T, N)."""
    t = np.arange(steps)[:, None]
    return np.where(t < lengths, lengths - 1 - t, t)


def _reorder(x: Array, order: Array) -> Array:
    return x[order, np.arange(x.shape[1])]
