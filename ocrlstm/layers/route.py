"""Outputs of earlier layers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ocrlstm.layers.base import Array, Shape
from ocrlstm.layers.join import Join
from ocrlstm.layers.masking import resized, time_axis, zero_beyond

__all__ = ["Route"]


class Route(Join):
    """Join outputs of earlier layers: their channels, or their items one after another.

    Parameters
    ----------
    *sources : int or str
        See `Join`; one or more. With a single one, the series goes on from there.
    axis : {"channels", "batch"}, default="channels"
        "channels": all must be images of one height or all sequences, of the same lengths; the
        output has the channels (features) of the first, then those of the second, and so on.
        "batch": all must have the same shape, but may differ in length; the output has the items
        of the first, then those of the second, and so on.

    Raises
    ------
    ValueError
        If there is no source, or the axis is unknown.

    References
    ----------
    Redmon, darknet, and NumPyNet: ``[route]``.
    """

    def __init__(
        self, *sources: int | str, axis: Literal["channels", "batch"] = "channels"
    ) -> None:
        if not sources:
            raise ValueError("Route needs at least one source, e.g. Route(-1, -3)")
        if axis not in ("channels", "batch"):
            raise ValueError(f"axis must be channels or batch, not {axis!r}")
        super().__init__(*sources)
        self.axis = axis
        self._saved: tuple[list[tuple[int, ...]], Array] | None = None

    def __repr__(self) -> str:
        axis = "" if self.axis == "channels" else f", axis={self.axis!r}"
        return f"Route({', '.join(map(repr, self.sources))}{axis})"

    def plan(self, input_shapes: Sequence[Shape]) -> Shape:
        """Return the common shape, with the channels of all together; see `Join.plan`."""
        first = input_shapes[0]
        same = slice(None, -1) if self.axis == "channels" else slice(None)
        for shape in input_shapes:
            if len(shape) != len(first) or shape[same] != first[same]:
                what = "channels" if self.axis == "channels" else "items"
                raise ValueError(f"{what} of {first} and {shape} cannot stand side by side")
        if self.axis == "batch":
            return first
        return (*first[:-1], sum(shape[-1] or 0 for shape in input_shapes))

    def output_lengths(self, lengths: Sequence[Array]) -> Array:
        """Return the common lengths, or all of them one after another; see `Join`."""
        if self.axis == "batch":
            return np.concatenate(lengths)
        first = lengths[0]
        for other in lengths[1:]:
            if len(other) != len(first):
                raise ValueError(
                    f"channels of {len(first)} and {len(other)} items cannot be joined"
                )
            if not np.array_equal(other, first):
                i = int(np.argmax(other != first))
                raise ValueError(
                    "channels can be joined where lengths are equal, "
                    f"not {first[i]} and {other[i]} columns or frames"
                )
        return first

    def forward(
        self, inputs: Sequence[Array], lengths: Sequence[Array], training: bool = False
    ) -> tuple[Array, Array]:
        """Return the inputs joined; see `Join.forward`."""
        out_lengths = self.output_lengths(lengths)
        sizes = [x.shape[time_axis(x)] for x in inputs]
        # Padding may differ: of channels the narrowest is enough, items must all fit in.
        size = min(sizes) if self.axis == "channels" else max(sizes)
        y = np.concatenate([resized(x, size) for x in inputs], axis=self._axis(inputs[0]))
        zero_beyond(y, out_lengths)
        if training:
            self._saved = ([x.shape for x in inputs], out_lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> list[Array]:
        """Return each input's part of `dy`; see `Join.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (shapes, lengths), self._saved = self._saved, None
        dy = dy.copy()
        zero_beyond(dy, lengths)
        axis, time = self._axis(dy), time_axis(dy)
        edges = np.cumsum([shape[axis] for shape in shapes])[:-1]
        parts = np.split(dy, edges, axis=axis)
        return [
            np.ascontiguousarray(resized(part, shape[time]))
            for part, shape in zip(parts, shapes, strict=True)
        ]

    def _axis(self, x: Array) -> int:
        if self.axis == "channels":
            return x.ndim - 1
        return 0 if x.ndim == 4 else 1
