"""Inputs with their targets, in batches."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ocrlstm.network.graph import Graph
from ocrlstm.network.items import Inputs, Items
from ocrlstm.network.objective import Objective
from ocrlstm.network.targets import Outputs, Targets, make_targets

__all__ = ["Samples", "check_count", "make_samples", "portions"]


@dataclass(frozen=True)
class Samples:
    """Some of the items with their targets.

    Attributes
    ----------
    inputs : Inputs
    targets : Targets
    numbers : ndarray of int
        Which of the items.
    """

    inputs: Inputs
    targets: Targets
    numbers: np.ndarray

    def __len__(self) -> int:
        return len(self.numbers)

    def part(self, places: np.ndarray) -> Samples:
        """Return the samples at some places of `numbers`."""
        return Samples(self.inputs, self.targets, self.numbers[places])


def make_samples(
    graph: Graph, objective: Objective, x: Items, y: Items, lengths: np.ndarray | None
) -> Samples:
    """Return all items with their targets.

    Raises
    ------
    ValueError
        If there are none, or they do not fit the network, the loss, or each other.
    """
    inputs = Inputs(x, lengths, graph.input_shape, graph.dtype)
    if len(inputs) == 0:
        raise ValueError("there are no items in x")
    padded = None if inputs.size is None else int(graph.frames(np.array([inputs.size]))[0])
    outputs = Outputs(graph.output_shape, graph.frames(inputs.lengths), padded, graph.dtype)
    targets = make_targets(y, objective.kind, outputs)
    return Samples(inputs, targets, np.arange(len(inputs)))


def portions(numbers: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """Yield numbers in portions of a size; the last one may be smaller."""
    for low in range(0, len(numbers), size):
        yield numbers[low : low + size]


def check_count(name: str, value: int, least: int = 1) -> None:
    """Raise ValueError if a setting is no whole number, or too small."""
    try:
        fits = operator.index(value) >= least
    except TypeError:
        fits = False
    if not fits:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
