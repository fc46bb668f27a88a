"""The start of a network: what it takes."""

from __future__ import annotations

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Input"]

_NAMES = {2: "sequences (frames, features)", 3: "images (height, width, channels)"}


class Input(Layer):
    """Give what comes, if it is of the shape that the network was made for.

    Parameters
    ----------
    shape : tuple of int or None
        (height, width, channels) of images or (frames, features) of sequences; None for a width
        or number of frames that may differ from item to item.

    Raises
    ------
    ValueError
        If the shape is not of that form.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = tuple(shape)
        length = len(self.shape) - 2  # place of the width or number of frames
        if len(self.shape) not in _NAMES or not all(
            (size is None and i == length) or (isinstance(size, int) and size >= 1)
            for i, size in enumerate(self.shape)
        ):
            raise ValueError(
                "an input is (height, width or None, channels) or (frames or None, features), "
                f"each at least 1, not {shape}"
            )

    def __repr__(self) -> str:
        return f"Input({self.shape})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for the input's own shape, or raise ValueError; see `Layer.plan`."""
        if not self._fits(input_shape):
            raise ValueError(f"this network takes {self._wanted()}, not {input_shape}")
        return input_shape, {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return `x` itself.

        Raises
        ------
        ValueError
            If `x` is of another shape, or the lengths are not one for each item or reach beyond it.
        """
        sizes = x.shape[1:] if x.ndim == 4 else x.shape[:1] + x.shape[2:]
        if x.ndim not in (3, 4) or not self._fits(sizes):
            raise ValueError(f"this network takes {self._wanted()}, not an array {x.shape}")
        items, longest = (x.shape[0], x.shape[2]) if x.ndim == 4 else (x.shape[1], x.shape[0])
        if lengths.shape != (items,):
            raise ValueError(f"{items} items need as many lengths, not {lengths.shape}")
        if items and not 0 <= lengths.min() <= lengths.max() <= longest:
            raise ValueError(
                f"lengths must be within 0 and {longest}, not {lengths.min()} to {lengths.max()}"
            )
        return x, lengths

    def backward(self, dy: Array) -> Array:
        """Return `dy` itself."""
        return dy

    def _fits(self, shape: Shape) -> bool:
        return len(shape) == len(self.shape) and all(
            size in (None, found) for size, found in zip(self.shape, shape, strict=True)
        )

    def _wanted(self) -> str:
        return f"{_NAMES[len(self.shape)]} of {self.shape}"
