"""A dimension split in two, and one part moved to another dimension."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Reshape"]

_NAMES = {1: "height", 2: "width", 3: "depth"}


class Reshape(Layer):
    """Split a dimension and move one part to another one: VGSL's ``S<d>(<a>x<b>)<e>,<f>``.

    Dimension `d` is read as `a` groups of `b`. The number of the group goes to dimension `e`, the
    place in the group to dimension `f`. One of them stays in `d`, the other becomes the slower
    (outer) index of its new dimension. If `d`, `e` and `f` are the same, the order within `d`
    changes from a x b to b x a.

    ``S1(1x0)1,3`` stacks the rows of a column into its channels, top row first; ``S2(0x2)2,3``
    joins every two neighbouring columns; ``S3(3x0)2,3`` takes three sets of channels apart and
    lays them side by side. An item's width is its own valid one: a width that does not split
    evenly loses the columns at its right end, and what is laid side by side follows without a gap.

    Images and sequences are taken, the latter as images of height 1.

    Parameters
    ----------
    d : {1, 2, 3}
        The dimension to split: 1 height, 2 width (frames), 3 depth (channels, features).
    a, b : int
        Sizes of the parts; one of them may be 0 for what the other leaves. A part that moves out
        of the width or into it must have a number, since widths differ from line to line.
    e, f : {1, 2, 3}
        Where the parts go; one of them must be `d`.

    Notes
    -----
    The generalised reshape of TensorFlow's VGSL (Smith et al., 2016, "End-to-End Interpretation of
    the French Street Name Signs Dataset") and of kraken. Dimension 0, the batch, is refused: items
    are independent.
    """

    def __init__(self, d: int, a: int, b: int, e: int, f: int) -> None:
        super().__init__()
        self.d, self.a, self.b, self.e, self.f = d, a, b, e, f
        token = f"S{d}({a}x{b}){e},{f}"
        if not {d, e, f} <= _NAMES.keys():
            raise ValueError(
                f"{token}: dimensions are 1 (height), 2 (width) and 3 (depth), not {d}, {e}, {f}"
            )
        if d not in (e, f):
            raise ValueError(f"{token}: one part must stay in {d}, not go to {e} and {f}")
        if min(a, b) < 0 or max(a, b) == 0:
            raise ValueError(
                f"{token}: parts are at least 1, and one may be 0 for the rest, not {a} and {b}"
            )
        self._moved, self._target = (a, e) if e != d else (b, f)
        self._parts = (a, b)
        if d == 2:
            # What a width is divided by; the other part is whatever an item's own width leaves.
            self._parts = (a, 0) if e != d or (self._target == d and b == 0) else (0, b)
        if (d == 2 or self._target == 2) and d != self._target and self._moved == 0:
            raise ValueError(
                f"{token}: a part that moves to or from the width needs its number, not 0"
            )
        self._lengths: Array | None = None
        self._shape: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Reshape({self.d}, {self.a}, {self.b}, {self.e}, {self.f})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels) or sequences; see `Layer.plan`."""
        height, width, channels = input_shape if len(input_shape) == 3 else (1, *input_shape)
        if height is None or channels is None:
            raise ValueError(f"a reshape takes a fixed height and depth, not {input_shape}")
        if self.d == 2 and self.a and self.b and self.a * self.b != width:
            free = "a free width" if width is None else f"width {width}"
            raise ValueError(f"{free} does not split into {self.a} x {self.b}")
        if self.d == 2 and width is not None and width < max(self._parts):
            raise ValueError(f"width {width} is less than one part of {max(self._parts)}")
        sizes = self._output_sizes(height, channels)
        columns = None if width is None else int(self.output_lengths(np.array(width)))
        if len(input_shape) == 3:
            return (sizes[0], columns, sizes[1]), {}
        if sizes[0] != 1:
            raise ValueError(f"{self!r} of a sequence would have {sizes[0]} rows instead of one")
        return (columns, sizes[1]), {}

    def output_lengths(self, lengths: Array) -> Array:
        """Return the widths of the output."""
        if self.d == 2:
            groups = lengths // max(self._parts)
            return groups * max(self._parts) if self._target == 2 else groups
        return lengths * self._moved if self._target == 2 else lengths

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the values in their new places; see `Layer.forward`."""
        images = _images(x)
        height, channels = self._output_sizes(images.shape[1], images.shape[3])
        out_lengths = self.output_lengths(lengths)
        columns, items = int(out_lengths.max(initial=0)), len(lengths)
        shape = (items, height, columns, channels) if x.ndim == 4 else (columns, items, channels)
        y = np.zeros(shape, x.dtype)
        for source, target in self._views(images, _images(y), lengths):
            target[...] = source
        if training:
            self._lengths, self._shape = lengths, x.shape
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradients in their old places; see `Layer.backward`."""
        if self._lengths is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        lengths, self._lengths = self._lengths, None
        dx = np.zeros(self._shape, dy.dtype)
        for source, target in self._views(_images(dx), _images(dy), lengths):
            source[...] = target
        return dx

    def _split(self, size: int) -> tuple[int, int]:
        """Return the sizes of both parts of a dimension."""
        a, b = self._parts
        a, b = a or size // b, b or size // a
        if a * b != size:
            raise ValueError(f"{_NAMES[self.d]} {size} does not split into {self.a} x {self.b}")
        return a, b

    def _output_sizes(self, height: int, channels: int) -> tuple[int, int]:
        """Return height and channels of the output."""
        sizes = {1: height, 2: 1, 3: channels}
        moved = self._moved
        if self.d != 2:
            a, b = self._split(sizes[self.d])
            moved = a if self.e != self.d else b
            sizes[self.d] = a * b // moved
        sizes[self._target] *= moved
        return sizes[1], sizes[3]

    def _views(self, x: Array, y: Array, lengths: Array) -> Iterator[tuple[Array, Array]]:
        """Yield two views of each item, of the input and the output, with axes in one order."""
        out_lengths, axis = self.output_lengths(lengths), self.d - 1
        source = axis if self.e != self.d else axis + 1  # once the dimension is split
        order = [k for k in range(4) if k != source]
        order.insert(self._target - 1, source)
        for i, length in enumerate(lengths):
            width = length // max(self._parts) * max(self._parts) if self.d == 2 else length
            item = x[i, :, :width]
            parts = self._split(item.shape[axis])
            split = item.reshape(item.shape[:axis] + parts + item.shape[self.d :])
            moved = split.transpose(order)
            yield moved, y[i, :, : out_lengths[i]].reshape(moved.shape)


def _images(x: Array) -> Array:
    """Return sequences as images of height 1, images as they are."""
    return x if x.ndim == 4 else x.transpose(1, 0, 2)[:, None]
