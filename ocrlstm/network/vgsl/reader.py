"""From a spec to its layers, checked from end to end before anything is allocated."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ocrlstm.layers import Columns, Layer, Parallel, Reversed, SeriesPlan, Stacked
from ocrlstm.layers.base import Shape
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.kind import Place, size
from ocrlstm.network.vgsl.limits import HIGHEST, LARGEST, Budget
from ocrlstm.network.vgsl.syntax import Node, Tree, read_tree
from ocrlstm.network.vgsl.table import KINDS, takes_frames
from ocrlstm.network.vgsl.writer import columns_name, default_name

__all__ = ["NamedLayer", "Spec", "parse_spec", "tells_classes"]

_OPEN_OUTPUT = re.compile(r"O[012](?:[slp]|ca?)")
_INPUT = re.compile(r"\d{1,9}(?:,(\d{1,9}))?,(\d{1,9}),(\d{1,9})", re.ASCII)


@dataclass(frozen=True)
class NamedLayer:
    """One layer of a spec.

    Attributes
    ----------
    name : str
        Unique in the spec; begins the names of the layer's weights in a model file.
    token : str
        How the spec writes it, of brackets the opening one; empty for the columns that were not
        written.
    position : int
        The token's first character in the spec, counted from 1.
    layer : Layer or Join
    """

    name: str
    token: str
    position: int
    layer: Piece


@dataclass(frozen=True)
class Spec:
    """A parsed spec: the input's size and the layers, not yet built.

    Attributes
    ----------
    text : str
    input_shape : tuple
        (height, width or None, channels) or (frames or None, features).
    layers : tuple of NamedLayer
    """

    text: str
    input_shape: Shape
    layers: tuple[NamedLayer, ...]

    @property
    def height(self) -> int:
        """Rows of the images; 1 where the input is a sequence."""
        return (self.input_shape[0] or 1) if len(self.input_shape) == 3 else 1


def parse_spec(text: str, classes: int | None = None) -> Spec:
    """Read a VGSL spec.

    Parameters
    ----------
    text : str
    classes : int, optional
        Number of classes of an ``O1c`` at the end without a number, and what one with a number
        must agree with.

    Returns
    -------
    Spec
        Checked to fit together from end to end; nothing is allocated.

    Raises
    ------
    SpecError
        With the position of the token and the reason.
    """
    tree = read_tree(text)
    shape = _read_input(tree)
    budget = Budget(shape[-2])
    series = _Reader(tree, budget, classes).series(tree.nodes, shape, budget.columns, top=True)
    names = series.plan.series.names
    layers = [
        NamedLayer(name or "", "" if node is None else node.token, position, layer)
        for name, (node, position), layer in zip(
            names, series.places, series.plan.series.pieces, strict=True
        )
    ]
    return Spec(tree.text, shape, tuple(layers))


def tells_classes(text: str) -> bool:
    """Tell whether a spec can be read without being told a number of classes.

    Raises
    ------
    SpecError
        If the brackets of the spec do not match.

    Examples
    --------
    >>> tells_classes("[1,48,0,1 Lbx100 O1c59]"), tells_classes("[1,48,0,1 Lbx100 O1c]")
    (True, False)
    """
    nodes = read_tree(text).nodes
    return not nodes or _OPEN_OUTPUT.fullmatch(nodes[-1].bare) is None


def _read_input(tree: Tree) -> Shape:
    match = _INPUT.fullmatch(tree.input.bare)
    if match is None or tree.input.name is not None:
        raise tree.refuse(tree.input, "expected the input as batch,height,width,channels")
    height, width, channels = (None if part is None else int(part) for part in match.groups())
    reason = None
    if height is not None and not 1 <= height <= HIGHEST:
        reason = f"height must be 1 to {HIGHEST}, not {height}"
    elif width is not None and width > LARGEST:
        reason = f"width must be 0 (any) to {LARGEST}, not {width}"
    elif channels is not None and not 1 <= channels <= LARGEST:
        reason = f"channels must be 1 to {LARGEST}, not {channels}"
    if reason is not None:
        raise tree.refuse(tree.input, reason)
    return (width or None, channels) if height is None else (height, width or None, channels)


def _known(letter: str) -> str:
    """Return what to tell of the tokens that begin with a letter, nothing if none does."""
    known = [token for kind in KINDS for token in kind.examples if token[0] == letter]
    return f"; tokens with {letter} are written like {', '.join(known)}" if known else ""


class _Series:
    """What has been read of one series.

    Attributes
    ----------
    plan : SeriesPlan
    columns : list of ndarray
        For every value of the plan, how many columns or frames it has for the budget's inputs.
    places : list of (Node or None, int)
        For every layer its token, None for unwritten columns, and the position.
    starts : list of int
        For every token, the number of the value that comes to it.
    """

    def __init__(self, shape: Shape, columns: np.ndarray) -> None:
        self.plan = SeriesPlan(shape)
        self.columns = [columns]
        self.places: list[tuple[Node | None, int]] = []
        self.starts: list[int] = []

    def end(self) -> tuple[Shape, np.ndarray]:
        """Return shape and columns of what has come out so far."""
        return self.plan.shapes[-1], self.columns[-1]

    def source(self, written: int | str) -> int | str:
        """Return the source of a layer for that of the token that is read now.

        The token before is -1, and the input before the first one. Where unwritten columns stand
        behind a token, they are meant: what the next token takes.
        """
        if isinstance(written, str):
            return written
        token = len(self.starts) + written
        if token < 0:
            raise ValueError(f"{written} leads beyond the input, which is {-len(self.starts)} here")
        return self.starts[token] - len(self.plan.series.pieces) - 1

    def layer(self) -> Layer:
        """Return all as one layer."""
        pieces, names = self.plan.series.pieces, self.plan.series.names
        return Stacked(*pieces, names=names if any(names) else None)

    def branch(self) -> Layer:
        """Return all as one layer, without a series around a single one that has no name."""
        piece = self.plan.series.pieces[0]
        alone = len(self.plan.series.pieces) == 1 and not any(self.plan.series.names)
        return piece if alone and isinstance(piece, Layer) else self.layer()


class _Reader:
    def __init__(self, tree: Tree, budget: Budget, classes: int | None) -> None:
        self._tree = tree
        self._budget = budget
        self._classes = classes

    def series(
        self, nodes: list[Node], shape: Shape, columns: np.ndarray, top: bool = False
    ) -> _Series:
        """Read layers one after another."""
        series = _Series(shape, columns)
        unwritten = 0
        for number, node in enumerate(nodes):
            if len(series.plan.shapes[-1]) == 3 and takes_frames(node):
                unwritten += 1
                name = columns_name(unwritten) if top else None
                self._add(series, node, Columns(), name, written=False)
            series.starts.append(len(series.plan.series.pieces))
            classes = self._classes if top and number == len(nodes) - 1 else None
            piece = self._piece(node, series, classes)
            self._add(
                series, node, piece, node.name or (default_name(piece, number) if top else None)
            )
        return series

    def _add(
        self, series: _Series, node: Node, piece: Piece, name: str | None, written: bool = True
    ) -> None:
        try:
            shape = series.plan.add(piece, name)
            taken = [series.columns[value] for value in series.plan.series.sources[-1]]
            if isinstance(piece, Layer):
                columns = piece.output_lengths(taken[0])
            else:
                columns = piece.output_lengths(taken)
            if not node.children:  # else those inside have been counted
                self._budget.add_weights(series.plan.weights[-1])
            self._budget.check_output(shape, columns)
        except ValueError as error:
            raise self._tree.refuse(node, str(error)) from None
        series.columns.append(columns)
        series.places.append((node if written else None, node.position))

    def _piece(self, node: Node, series: _Series, classes: int | None) -> Piece:
        """Make the layer of a token or of brackets."""
        try:
            self._budget.count_layer()
            if node.bare == "[":
                return self.series(node.children, *series.end()).layer()
            if node.bare == "(":
                return self._parallel(node.children, series)
            if node.children:
                return self._modified(node, series)
            place = Place(series.plan.shapes[-1], series.source, classes)
            for kind in KINDS:
                match = kind.match(node.bare)
                if match is not None:
                    return kind.read(match, place)
        except ValueError as error:
            raise self._tree.refuse(node, str(error)) from None
        raise self._tree.refuse(node, f"unknown token{_known(node.bare[:1])}")

    def _branch(self, node: Node, series: _Series) -> Layer:
        """Make a layer that takes what has come out of the series so far."""
        return self.series([node], *series.end()).branch()

    def _parallel(self, nodes: list[Node], series: _Series) -> Layer:
        branches = [self._branch(node, series) for node in nodes]
        lengths = series.plan.lengths[-1]
        if len({len(branch.output_lengths(lengths)) for branch in branches}) > 1:
            raise ValueError("its branches make different numbers of items")
        return Parallel(*branches)

    def _modified(self, node: Node, series: _Series) -> Layer:
        """Make the layer of Rx, Ry or R with a number, and of the token behind it."""
        child = node.children[0]
        if node.bare in ("Rx", "Ry"):
            return Reversed(self._branch(child, series), "y" if node.bare == "Ry" else "x")
        return self._parallel([child] * size(node.bare[1:]), series)
