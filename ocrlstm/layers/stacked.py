"""Layers one after another, and joins that go back to the outputs of earlier ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.layers.base import Array, Shape, Shapes
from ocrlstm.layers.group import Group, number
from ocrlstm.layers.series import Piece, Series, SeriesPlan

__all__ = ["Stacked"]


class Stacked(Group[Piece]):
    """Run layers one after another; joins also take the outputs of earlier ones.

    Parameters
    ----------
    *layers : Layer or Join
        A layer takes the output of the one before. A join says itself what it takes: see `Join`.
    names : sequence of str or None, optional
        Names of the layers, for joins to go by; None for those that need none.

    Raises
    ------
    ValueError
        If a source of a join is unknown or not earlier, or a name occurs twice.

    Examples
    --------
    A residual block:

    >>> from ocrlstm.layers import Convolution, Shortcut
    >>> block = Stacked(Convolution(8, 3, activation="relu"), Convolution(8, 3), Shortcut(-3))
    >>> block.plan((48, None, 8))[0]
    (48, None, 8)
    """

    def __init__(self, *layers: Piece, names: Sequence[str | None] | None = None) -> None:
        super().__init__(*layers)
        self._series = Series(layers, names)
        self._planned: SeriesPlan | None = None

    def __repr__(self) -> str:
        arguments = [repr(layer) for layer in self.layers]
        if any(self.names):
            arguments.append(f"names={self.names!r}")
        return f"Stacked({', '.join(arguments)})"

    @property
    def names(self) -> tuple[str | None, ...]:
        """The name of every layer, None where it has none."""
        return tuple(self._series.names)

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan each layer on the shapes that it takes; see `Layer.plan`."""
        plan = self._plan(input_shape)
        return plan.shapes[-1], number(plan.weights)

    def plan_buffers(self, input_shape: Shape) -> Shapes:
        """Plan the buffers of each layer on the shapes that it takes."""
        return number(self._plan(input_shape).buffers)

    def _plan(self, input_shape: Shape) -> SeriesPlan:
        # Kept, because series within series would else be planned twice as often at every level.
        if self._planned is None or self._planned.shapes[0] != input_shape:
            plan = SeriesPlan(input_shape)
            for layer, name in zip(self.layers, self.names, strict=True):
                plan.add(layer, name)
            self._planned = plan
        return self._planned

    def products(self, input_shape: Shape) -> int:
        """Sum those of the layers, as many times as there are columns or frames of each."""
        plan = self._plan(input_shape)
        total = sum(products for products, _ in plan.products())
        # Of an output column where images come; of an input frame where sequences do.
        rate = plan.columns()[-1][0] if len(input_shape) == 3 else 0
        return round(total / (rate or 1))

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Build each layer on the shapes that it takes; see `Layer.build`."""
        plan = self._plan(input_shape)
        plan.build(rng, dtype)
        return plan.shapes[-1]

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the last layer's output; see `Layer.forward`."""
        return self._series.forward(x, lengths, training)

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        return self._series.backward(dy, input_gradient=self.input_gradient)

    def output_lengths(self, lengths: Array) -> Array:
        """Pass the lengths through every layer."""
        return self._series.lengths(lengths)[-1]
