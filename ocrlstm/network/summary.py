"""The table of a network's layers: what comes out of each, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ocrlstm.layers.base import Shape
from ocrlstm.network.graph import Graph

__all__ = ["LayerSummary", "format_summary", "summarize"]

_WIDEST_LAYER = 48


@dataclass(frozen=True)
class LayerSummary:
    """A line of the table.

    Attributes
    ----------
    name : str
    layer : str
        How the layer is made in Python.
    output_shape : tuple
    parameters : int
        Number of weights.
    products : Fraction
        Multiply-adds for each frame of the output; of a layer before a subsampling, for all the
        columns that one frame comes of. For the whole item, where the network takes items of one
        size. For each column of the input, where the network makes a single frame of items of any
        width.
    once : int
        In that last case, the multiply-adds besides that an item takes whatever its width.
    """

    name: str
    layer: str
    output_shape: Shape
    parameters: int
    products: Fraction
    once: int


def summarize(graph: Graph) -> list[LayerSummary]:
    """Return the lines of a network's table, without building it."""
    plan = graph.plan
    factor = 1 / _unit(graph)[1]
    return [
        LayerSummary(
            name,
            repr(piece),
            shape,
            sum(math.prod(size) for size in weights.values()),
            products * factor,
            once,
        )
        for (name, piece), shape, weights, (products, once) in zip(
            graph.layers.items(), plan.shapes[1:], plan.weights, plan.products(), strict=True
        )
    ]


def format_summary(graph: Graph) -> str:
    """Return the table as text."""
    lines = summarize(graph)
    rows = [["layer", "", "output shape", "parameters", f"multiply-adds per {_unit(graph)[0]}"]]
    rows.append(["", "input", _shape(graph.input_shape), "", ""])
    for line in lines:
        layer = line.layer
        if len(layer) > _WIDEST_LAYER:
            layer = f"{layer[: _WIDEST_LAYER - 3]}..."
        products = _products(line.products, line.once)
        rows.append([line.name, layer, _shape(line.output_shape), f"{line.parameters:,}", products])
    totals = _products(
        sum((line.products for line in lines), Fraction(0)), sum(line.once for line in lines)
    )
    rows.append(["total", "", "", f"{sum(line.parameters for line in lines):,}", totals])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    text = [_line(row, widths) for row in rows]
    return "\n".join([text[0], rule, *text[1:-1], rule, text[-1]])


def _unit(graph: Graph) -> tuple[str, Fraction]:
    """Return what multiply-adds are told of, and how many a column of the input has of them."""
    size = graph.input_shape[-2]
    if size is not None:
        return "item", Fraction(1, size)
    rate = graph.plan.columns()[-1][0]
    if rate:
        return ("column" if len(graph.output_shape) == 3 else "frame"), rate
    return f"{'column' if len(graph.input_shape) == 3 else 'frame'} of the input", Fraction(1)


def _products(products: Fraction, once: int) -> str:
    return f"{round(products):,}" + (f" + {once:,} an item" if once else "")


def _shape(shape: Shape) -> str:
    names = ["height", "width", "channels"] if len(shape) == 3 else ["frames", "features"]
    sizes = (name if size is None else str(size) for name, size in zip(names, shape, strict=True))
    return " x ".join(sizes)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Set texts to the left, the two columns of numbers to the right."""
    cells = [
        cell.rjust(width) if i >= 3 else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
