"""Layers side by side, among them the bidirectional LSTM."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.threads import run_parallel
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.group import Group, number
from ocrlstm.layers.lstm import LSTM
from ocrlstm.layers.reversed import Reversed

__all__ = ["Parallel", "bidirectional"]


class Parallel(Group[Layer]):
    """Run several layers on one input, on a thread each, and join their features.

    Parameters
    ----------
    *layers : Layer
        All must give outputs that agree in everything but the last axis.
    """

    def __init__(self, *layers: Layer) -> None:
        if not layers:
            raise ValueError("Parallel needs at least one layer")
        super().__init__(*layers)
        self._sizes: list[int] = []

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan every layer; see `Layer.plan`."""
        plans = [layer.plan(input_shape) for layer in self.layers]
        shapes = [shape for shape, _ in plans]
        if any(shape[:-1] != shapes[0][:-1] for shape in shapes):
            raise ValueError(f"parallel layers give different shapes: {shapes}")
        features = sum(shape[-1] or 0 for shape in shapes)
        return (*shapes[0][:-1], features), number([weights for _, weights in plans])

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Build every layer; see `Layer.build`."""
        output_shape, _ = self.plan(input_shape)
        shapes = [layer.build(input_shape, rng, dtype) for layer in self.layers]
        self._sizes = [shape[-1] or 0 for shape in shapes]
        return output_shape

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the outputs joined on the last axis; see `Layer.forward`."""
        jobs = [(layer, x, lengths, training) for layer in self.layers]
        results = run_parallel(lambda layer, *arguments: layer.forward(*arguments), jobs)
        return np.concatenate([y for y, _ in results], axis=-1), results[0][1]

    def backward(self, dy: Array) -> Array:
        """Return the sum of the layers' input gradients; see `Layer.backward`."""
        edges = np.cumsum([0, *self._sizes])
        jobs = []
        for layer, low, high in zip(self.layers, edges[:-1], edges[1:], strict=True):
            layer.input_gradient = self.input_gradient
            # A copy, because the sum below may be made in it, and `dy` is the caller's.
            jobs.append((layer, dy[..., low:high].copy()))
        gradients = run_parallel(lambda layer, part: layer.backward(part), jobs)
        total = gradients[0]
        if self.input_gradient:
            for gradient in gradients[1:]:
                total += gradient
        return total

    def output_lengths(self, lengths: Array) -> Array:
        """Return the lengths that the first layer gives; all give the same."""
        return self.layers[0].output_lengths(lengths)


def bidirectional(states: int, *, peephole_at_start: bool = True) -> Parallel:
    """Return two LSTMs, one reading forwards and one backwards: OCRopus' BIDILSTM."""
    return Parallel(
        LSTM(states, peephole_at_start=peephole_at_start),
        Reversed(LSTM(states, peephole_at_start=peephole_at_start)),
    )
