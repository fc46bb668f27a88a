"""A series of layers and joins: where each takes its inputs from, and the way through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.join import Join

__all__ = ["WIDEST", "Piece", "Series", "SeriesPlan"]

#: No line is wider than this where one of any width is planned for.
WIDEST = 65_536
_FEW = 64
# So wide that all strides there are divide it, and still a number that int64 holds many times.
_LONG = 720_720**2

Piece = Layer | Join


class Series:
    """Layers and joins in order: a graph whose edges lead back to earlier outputs.

    The *values* of a series are its input and then the output of every piece, so that piece i
    gives value i + 1. A layer takes the value just before it, a join those that it names.

    Parameters
    ----------
    pieces : iterable of Layer or Join
    names : sequence of str or None, optional
        One for every piece; None for those that no join names.

    Attributes
    ----------
    pieces : list of Layer or Join
    names : list of (str or None)
    sources : list of tuple of int
        For every piece, the numbers of the values that it takes.

    Raises
    ------
    ValueError
        If a source is unknown or not earlier, or a name or a piece occurs twice.
    """

    def __init__(
        self, pieces: Iterable[Piece] = (), names: Sequence[str | None] | None = None
    ) -> None:
        self.pieces: list[Piece] = []
        self.names: list[str | None] = []
        self.sources: list[tuple[int, ...]] = []
        self._named: dict[str, int] = {}
        self._input: tuple[tuple[int, ...], np.dtype] | None = None
        pieces = list(pieces)
        names = [None] * len(pieces) if names is None else list(names)
        if len(names) != len(pieces):
            raise ValueError(f"{len(names)} names for {len(pieces)} layers")
        for piece, name in zip(pieces, names, strict=True):
            self.add(piece, name)

    def add(self, piece: Piece, name: str | None = None) -> None:
        """Put a piece behind the others.

        Raises
        ------
        ValueError
            If a source of a join is unknown or not earlier, or name or piece are there already.
        """
        if name is not None and name in self._named:
            raise ValueError(f"the name {name!r} occurs twice")
        if any(piece is other for other in self.pieces):
            raise ValueError(f"{piece!r} is in the series already; make another one")
        sources = self.resolve(piece)
        self.pieces.append(piece)
        self.names.append(name)
        self.sources.append(sources)
        if name is not None:
            self._named[name] = len(self.pieces)

    def resolve(self, piece: Piece) -> tuple[int, ...]:
        """Return the numbers of the values that a piece would take if it came next.

        Raises
        ------
        ValueError
            If one of its sources is unknown or not earlier.
        """
        if isinstance(piece, Join):
            return tuple(self._value(source) for source in piece.sources)
        if isinstance(piece, Layer):
            return (len(self.pieces),)
        raise ValueError(f"expected a layer or a join, not {piece!r}")

    def _value(self, source: int | str) -> int:
        if isinstance(source, str):
            if source not in self._named:
                known = ", ".join(self._named) or "none"
                raise ValueError(f"no earlier layer is named {source!r}; names so far: {known}")
            return self._named[source]
        value = len(self.pieces) + 1 + source
        if value < 0:
            raise ValueError(
                f"{source} leads beyond the input, which is {-len(self.pieces) - 1} here"
            )
        return value

    def forward(
        self, x: Array, lengths: Array, training: bool = False, *, input_gradient: bool = True
    ) -> tuple[Array, Array]:
        """Return output and lengths of the last piece; see `Layer.forward`.

        Where `backward` will not be asked for the gradient of the input, frozen layers with nothing
        to train before them compute as for recognising: they keep nothing, and drop nothing out.
        """
        wanted = self._wanted(input_gradient) if training else []
        if training:
            self._input = (x.shape, x.dtype)
        values = {0: (x, lengths)}
        last_use = {value: i for i, sources in enumerate(self.sources) for value in sources}
        for i, (piece, sources) in enumerate(zip(self.pieces, self.sources, strict=True)):
            taken = [values[value] for value in sources]
            if isinstance(piece, Join):
                inputs, input_lengths = zip(*taken, strict=True)
                values[i + 1] = piece.forward(inputs, input_lengths, training)
            else:
                rests = training and piece.frozen and not wanted[i + 1]
                values[i + 1] = piece.forward(*taken[0], training and not rests)
            # Long before the end, so that the memory of what nobody takes any more is free.
            values = {v: kept for v, kept in values.items() if last_use.get(v, 0) > i or v > i}
        return values[len(self.pieces)]

    def backward(self, dy: Array, *, input_gradient: bool = True) -> Array:
        """Return the gradient of the input; set the gradients of all weights.

        Parameters
        ----------
        dy : ndarray
            Gradient of the output of the last ``forward(..., training=True)``.
        input_gradient : bool, default=True
            Whether the gradient of the input is asked for; zeros without meaning if not.

        Notes
        -----
        The gradient of a value is the sum over all that take it. Layers that nothing leads on
        from, and those below which nobody needs a gradient, are passed over.
        """
        if self._input is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        input_shape, dtype = self._input
        self._input = None
        wanted = self._wanted(input_gradient)
        found: dict[int, Array] = {len(self.pieces): dy}
        summed: set[int] = set()
        for i in reversed(range(len(self.pieces))):
            piece, sources = self.pieces[i], self.sources[i]
            gradient = found.pop(i + 1, None)
            if gradient is None or not wanted[i + 1]:
                _clear(piece)
                continue
            if isinstance(piece, Join):
                gradients = piece.backward(gradient)
            else:
                piece.input_gradient = wanted[i]
                gradients = [piece.backward(gradient)]
            for value, part in zip(sources, gradients, strict=True):
                if not wanted[value]:
                    continue
                if value not in found:
                    found[value] = part
                elif value in summed:
                    found[value] += part
                else:  # not in place: the array may be a view of what another layer holds
                    found[value] = found[value] + part
                    summed.add(value)
        return found[0] if 0 in found else np.zeros(input_shape, dtype)

    def _wanted(self, input_gradient: bool) -> list[bool]:
        """Return of which values the gradient is of use: those that weights to train lie before."""
        wanted = [input_gradient]
        for piece, sources in zip(self.pieces, self.sources, strict=True):
            weights = isinstance(piece, Layer) and not piece.frozen and bool(piece.parameters())
            wanted.append(weights or any(wanted[value] for value in sources))
        return wanted

    def lengths(self, lengths: Array) -> list[Array]:
        """Return the lengths (N,) of every value for those of the input."""
        values = [lengths]
        for piece, sources in zip(self.pieces, self.sources, strict=True):
            taken = [values[value] for value in sources]
            if isinstance(piece, Join):
                values.append(piece.output_lengths(taken))
            else:
                values.append(piece.output_lengths(taken[0]))
        return values


def _clear(piece: Piece) -> None:
    if isinstance(piece, Layer):
        for gradient in piece.gradients().values():
            gradient[...] = 0


class SeriesPlan:
    """Shapes of a series, found out piece by piece, so that an error can be told with its place.

    Parameters
    ----------
    input_shape : tuple
        (height, width, channels) or (frames, features).

    Attributes
    ----------
    series : Series
        The pieces so far.
    shapes : list of tuple
        Of every value: the input, then the output of each piece.
    weights, buffers : list of dict of str to tuple of int
        For every piece, the shapes of `Layer.parameters` and `Layer.buffers`; empty for joins.
    lengths : list of ndarray of int64
        Of every value, the lengths that come of a few dozen inputs: of `WIDEST` columns or frames
        first, then of fewer. One only where the shape of the input tells its size.

    Examples
    --------
    >>> from ocrlstm.layers import LSTM, Columns, Softmax
    >>> plan = SeriesPlan((48, None, 1))
    >>> [plan.add(layer) for layer in (Columns(), LSTM(7), Softmax(5))]
    [(None, 48), (None, 7), (None, 5)]
    >>> plan.weights[2]
    {'W2': (5, 8)}
    """

    def __init__(self, input_shape: Shape) -> None:
        self.series = Series()
        self.shapes: list[Shape] = [input_shape]
        self.lengths: list[Array] = [_sample(input_shape)]
        self.weights: list[Shapes] = []
        self.buffers: list[Shapes] = []

    def add(self, piece: Piece, name: str | None = None) -> Shape:
        """Plan one more piece, and allocate nothing.

        Returns
        -------
        tuple
            The shape of its output.

        Raises
        ------
        ValueError
            If it does not fit what is before it, or its name is taken; the plan is as it was then.
        """
        sources = self.series.resolve(piece)
        shapes = [self.shapes[value] for value in sources]
        lengths = [self.lengths[value] for value in sources]
        weights: Shapes = {}
        buffers: Shapes = {}
        if isinstance(piece, Join):
            shape = piece.plan(shapes)
            piece.check_lengths(shapes, lengths)
            output_lengths = piece.output_lengths(lengths)
        else:
            shape, weights = piece.plan(shapes[0])
            buffers = piece.plan_buffers(shapes[0])
            output_lengths = piece.output_lengths(lengths[0])
        self.series.add(piece, name)
        self.shapes.append(shape)
        self.weights.append(weights)
        self.buffers.append(buffers)
        self.lengths.append(output_lengths)
        return shape

    def columns(self) -> list[tuple[Fraction, int]]:
        """Return of every value how many columns or frames it has for those of the input.

        Returns
        -------
        list of (Fraction, int)
            For each column of the input, of one of any width in the long run; and for the whole
            input, where it does not depend on its width. One of them is 0. Where an item becomes
            several, they are counted together.
        """
        size = self.shapes[0][-2]
        inputs = np.array([_LONG, 2 * _LONG] if size is None else [size], np.int64)
        found = []
        for lengths in self.series.lengths(inputs):
            total = [int(count) for count in lengths.reshape(-1, len(inputs)).sum(axis=0)]
            rate = Fraction(total[-1] - (0 if size else total[0]), size or _LONG)
            found.append((rate, 0 if rate else total[0]))
        return found

    def products(self) -> list[tuple[Fraction, int]]:
        """Return of every piece its multiply-adds: see `Layer.products`.

        Returns
        -------
        list of (Fraction, int)
            For each column or frame of the input; and for the whole input besides, by layers behind
            one that gives a single frame of inputs of any width.
        """
        columns = self.columns()
        found = []
        for i, (piece, sources) in enumerate(
            zip(self.series.pieces, self.series.sources, strict=True)
        ):
            if isinstance(piece, Join):
                found.append((Fraction(0), 0))
                continue
            shape = self.shapes[sources[0]]
            rate, count = columns[i + 1] if len(shape) == 3 else columns[sources[0]]
            products = piece.products(shape)
            found.append((products * rate, products * count))
        return found

    def build(self, rng: np.random.Generator | None, dtype: np.dtype | type) -> None:
        """Allocate the weights of all layers, in order; see `Layer.build`."""
        for piece, sources in zip(self.series.pieces, self.series.sources, strict=True):
            shapes = [self.shapes[value] for value in sources]
            if isinstance(piece, Join):
                piece.build(shapes, [self.lengths[value] for value in sources])
            else:
                piece.build(shapes[0], rng, dtype)


def _sample(input_shape: Shape) -> Array:
    """Return lengths that tell whether joins fit: wide and narrow, of every remainder."""
    size = input_shape[-2]
    few = np.arange(_FEW, dtype=np.int64)
    return np.append(WIDEST - few, few + 1) if size is None else np.array([size], np.int64)
