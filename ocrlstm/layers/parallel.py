"""Layers side by side."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.threads import run_parallel
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.group import Group, number
from ocrlstm.layers.masking import resized, time_axis

__all__ = ["Parallel"]

# Lengths up to which layers are asked beforehand whether they shorten an item alike.
_PROBED = 1024


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
        self._padded: list[int] = []  # columns or frames of each layer's output, with padding

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan every layer; see `Layer.plan`."""
        plans = [layer.plan(input_shape) for layer in self.layers]
        shapes = [shape for shape, _ in plans]
        if any(shape[:-1] != shapes[0][:-1] for shape in shapes):
            raise ValueError(f"parallel layers give different shapes: {shapes}")
        size = input_shape[-2]
        self._check_lengths(np.arange(_PROBED) if size is None else np.array([size]))
        features = sum(shape[-1] or 0 for shape in shapes)
        return (*shapes[0][:-1], features), number([weights for _, weights in plans])

    def _check_lengths(self, lengths: Array) -> None:
        first, *others = [layer.output_lengths(lengths) for layer in self.layers]
        for layer, given in zip(self.layers[1:], others, strict=True):
            if (given != first).any():
                i = int(np.flatnonzero(given != first)[0])
                raise ValueError(
                    f"parallel layers give different lengths: of {lengths[i]} columns or frames, "
                    f"{self.layers[0]!r} leaves {first[i]} and {layer!r} leaves {given[i]}"
                )

    def plan_buffers(self, input_shape: Shape) -> Shapes:
        """Plan the buffers of every layer."""
        return number([layer.plan_buffers(input_shape) for layer in self.layers])

    def products(self, input_shape: Shape) -> int:
        """Sum those of the layers; see `Layer.products`."""
        return sum(layer.products(input_shape) for layer in self.layers)

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
        self._check_lengths(lengths)  # those beyond what `plan` asked for
        jobs = [(layer, x, lengths, training) for layer in self.layers]
        results = run_parallel(lambda layer, *arguments: layer.forward(*arguments), jobs)
        outputs = [y for y, _ in results]
        padded = [y.shape[time_axis(y)] for y in outputs]
        if training:
            self._padded = padded
        # Layers may drop padding or keep it; the narrowest is enough.
        y = np.concatenate([resized(y, min(padded)) for y in outputs], axis=-1)
        return y, results[0][1]

    def backward(self, dy: Array) -> Array:
        """Return the sum of the layers' input gradients; see `Layer.backward`."""
        if not self._padded:
            raise RuntimeError("backward needs a forward(training=True) before it")
        padded, self._padded = self._padded, []
        edges = np.cumsum([0, *self._sizes])
        jobs = []
        for layer, low, high, size in zip(self.layers, edges[:-1], edges[1:], padded, strict=True):
            layer.input_gradient = self.input_gradient
            jobs.append((layer, np.ascontiguousarray(resized(dy[..., low:high], size))))
        gradients = run_parallel(lambda layer, part: layer.backward(part), jobs)
        # Not in place: the arrays may be views of what the layers hold.
        return sum(gradients[1:], gradients[0]) if self.input_gradient else gradients[0]

    def output_lengths(self, lengths: Array) -> Array:
        """Return the lengths that the first layer gives; all give the same."""
        return self.layers[0].output_lengths(lengths)
