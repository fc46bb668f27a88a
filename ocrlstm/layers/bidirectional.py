"""A layer and its like that reads from the end, side by side."""

from __future__ import annotations

import copy

from ocrlstm.layers.base import Layer
from ocrlstm.layers.lstm import LSTM
from ocrlstm.layers.parallel import Parallel
from ocrlstm.layers.reversed import Reversed

__all__ = ["Bidirectional", "bidirectional"]


class Bidirectional(Parallel):
    """Run a layer forwards and a copy of it backwards, each with weights of its own.

    Parameters
    ----------
    layer : Layer
        With `sequences` False, its last state and, of the copy, that after the first frame.

    Notes
    -----
    Features and weights are those of ``Parallel(layer, Reversed(layer))``. Schuster and Paliwal,
    *Bidirectional recurrent neural networks*, IEEE Transactions on Signal Processing 45 (1997).
    """

    def __init__(self, layer: Layer) -> None:
        super().__init__(layer, Reversed(copy.deepcopy(layer)))

    def __repr__(self) -> str:
        return f"Bidirectional({self.layer!r})"

    @property
    def layer(self) -> Layer:
        """The layer that reads forwards."""
        return self.layers[0]


def bidirectional(states: int, *, peephole_at_start: bool = True) -> Bidirectional:
    """Return two LSTMs, one reading forwards and one backwards: OCRopus' BIDILSTM."""
    return Bidirectional(LSTM(states, peephole_at_start=peephole_at_start))
