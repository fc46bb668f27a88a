"""What layers made of other layers have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from ocrlstm.layers.base import Array, Layer
from ocrlstm.layers.join import Join

__all__ = ["Group", "number"]

P = TypeVar("P", bound=Layer | Join)
T = TypeVar("T")


class Group(Layer, Generic[P]):
    """A layer made of layers, whose weights are theirs.

    Parameters
    ----------
    *layers : Layer or Join
    """

    def __init__(self, *layers: P) -> None:
        super().__init__()
        self.layers = layers

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.layers))})"

    def parameters(self) -> dict[str, Array]:
        """Return the weights, named by the layer's number, a dot, and their own name."""
        return number([layer.parameters() for layer in self.layers])

    def gradients(self) -> dict[str, Array]:
        """Return the gradients by the names of `parameters`."""
        return number([layer.gradients() for layer in self.layers])

    def buffers(self) -> dict[str, Array]:
        """Return the arrays kept beside the weights, named as `parameters` are."""
        return number([layer.buffers() for layer in self.layers])

    def children(self) -> Iterator[Layer]:
        """Yield the layers in order, and no joins: these hold nothing."""
        return (layer for layer in self.layers if isinstance(layer, Layer))


def number(parts: Sequence[Mapping[str, T]]) -> dict[str, T]:
    """Join dicts of several layers into one, with each layer's number before its names."""
    return {f"{i}.{name}": value for i, part in enumerate(parts) for name, value in part.items()}
