"""What layers of several inputs have in common: they join outputs of earlier layers."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence

from ocrlstm.layers.base import Array, Shape

__all__ = ["Join"]


class Join(ABC):
    """A differentiable piece that takes the outputs of several earlier layers.

    Joins have no weights. Otherwise they keep the contract of `Layer`, with one shape, array or
    lengths for every source.

    Parameters
    ----------
    *sources : int or str
        Where the inputs come from: -1 is the layer just before, -2 the one before that, and so on;
        the number that leads just before the first layer means the input of the series. A text is
        the name of an earlier layer of the same series.

    Raises
    ------
    ValueError
        If a source is a number that does not lead back, or an empty name.
    """

    def __init__(self, *sources: int | str) -> None:
        for source in sources:
            if isinstance(source, str):
                if not source:
                    raise ValueError("the name of an earlier layer is empty")
            elif operator.index(source) >= 0:
                raise ValueError(f"layers are counted backwards: -1 is the last, not {source}")
        self.sources = sources

    @abstractmethod
    def plan(self, input_shapes: Sequence[Shape]) -> Shape:
        """Tell the output's shape, or raise ValueError if such inputs cannot be joined."""

    @abstractmethod
    def forward(
        self, inputs: Sequence[Array], lengths: Sequence[Array], training: bool = False
    ) -> tuple[Array, Array]:
        """Compute the output and its lengths; see `Layer.forward`."""

    @abstractmethod
    def backward(self, dy: Array) -> list[Array]:
        """Return the gradient of every input; see `Layer.backward`."""

    def parameters(self) -> dict[str, Array]:
        """Return the weights by name: none."""
        return {}

    def gradients(self) -> dict[str, Array]:
        """Return the gradients of the weights: none."""
        return {}

    def buffers(self) -> dict[str, Array]:
        """Return what is kept beside the weights: nothing."""
        return {}

    @abstractmethod
    def output_lengths(self, lengths: Sequence[Array]) -> Array:
        """Return the valid columns or frames of the output for those of the inputs.

        Raises
        ------
        ValueError
            If inputs of such lengths cannot be joined.
        """

    def check_lengths(self, shapes: Sequence[Shape], lengths: Sequence[Array]) -> None:  # noqa: B027
        """Raise ValueError if inputs of such shapes cannot be joined where they have such lengths.

        Shapes alone do not tell it where widths are free.
        """

    def build(self, shapes: Sequence[Shape], lengths: Sequence[Array]) -> None:  # noqa: B027
        """Keep what `forward` must know of the inputs besides the arrays.

        Parameters
        ----------
        shapes : sequence of tuple
            Of every source, as in `plan`.
        lengths : sequence of ndarray of int64
            Of every source, the lengths that come of the same few inputs: see `SeriesPlan.lengths`.
        """
