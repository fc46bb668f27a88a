"""From layers back to a spec."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ocrlstm.errors import SpecError
from ocrlstm.layers import Bidirectional, Columns, Join, Parallel, Reversed, SeriesPlan, Stacked
from ocrlstm.layers.base import Shape
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.kind import Place
from ocrlstm.network.vgsl.syntax import NAME, read_tree
from ocrlstm.network.vgsl.table import KINDS, takes_frames

__all__ = ["columns_name", "default_name", "token_of", "write_spec"]

_LETTERS = re.compile(r"[A-Z][a-z]*")


def columns_name(count: int) -> str:
    """Return the name of the columns that a spec does not write, for the first ones and so on."""
    return "columns" if count == 1 else f"columns_{count}"


def default_name(layer: Piece, number: int) -> str:
    """Return the name of a layer that is given none.

    Parameters
    ----------
    layer : Layer or Join
    number : int
        How many layers are before it, not counting columns that the spec leaves out.

    Returns
    -------
    str
        The letters of its token and the number: ``Lbx_4``. The class instead of the letters where
        there is no such token.

    Examples
    --------
    >>> from ocrlstm.layers import LSTM, Stacked
    >>> default_name(LSTM(100), 4), default_name(Stacked(LSTM(100)), 0)
    ('Lfx_4', 'Stacked_0')
    """
    try:
        token = _token(layer, Place())
    except ValueError:
        token = None
    letters = None if token is None else _LETTERS.match(token)
    return f"{letters.group() if letters else type(layer).__name__}_{number}"


def token_of(layer: Piece, shape: Shape | None = None) -> str:
    """Return how a spec writes a layer, without a name.

    Parameters
    ----------
    layer : Layer or Join
    shape : tuple, optional
        Of what comes to it. The outputs ``O0``, ``O1`` and ``O2`` differ in nothing else; ``O1``
        is written where the shape is not known.

    Raises
    ------
    SpecError
        If VGSL cannot write it.

    Examples
    --------
    >>> from ocrlstm.layers import LSTM, Reversed
    >>> token_of(Reversed(LSTM(100)))
    'Lrx100'
    """
    try:
        return _write(layer, Place(shape))
    except ValueError as error:
        raise SpecError(str(error)) from None


def write_spec(input_shape: Shape, layers: Iterable[tuple[str, Piece]]) -> str:
    """Write a network as a VGSL spec.

    A spec tells what a network computes; how its first weights are drawn is not in it.

    Parameters
    ----------
    input_shape : tuple
        (height, width or None, channels) or (frames or None, features).
    layers : iterable of (str, Layer or Join)
        With their names. Names that `default_name` would give are not written, nor are the columns
        before a layer that takes frames if they are named as `parse_spec` names them.

    Returns
    -------
    str
        `parse_spec` makes the same layers of it, with the same names, as long as they are within
        its bounds.

    Raises
    ------
    SpecError
        If VGSL cannot write one of the layers or names; tells which.

    Examples
    --------
    >>> from ocrlstm.layers import LSTM, Columns, Softmax
    >>> layers = [("columns", Columns()), ("reader", LSTM(100)), ("O_1", Softmax(59))]
    >>> write_spec((48, None, 1), layers)
    '[1,48,0,1 Lfx{reader}100 O1c59]'
    """
    layers = list(layers)
    batch = ["1", *(str(size or 0) for size in input_shape)]
    try:
        tokens = _write_series(input_shape, layers, hide_columns=True)
    except _HiddenError:
        tokens = _write_series(input_shape, layers, hide_columns=False)
    return f"[{' '.join([','.join(batch), *tokens])}]"


class _HiddenError(Exception):
    """A join takes what comes before unwritten columns; it has no number then."""


def _write_series(
    input_shape: Shape, layers: Sequence[tuple[str, Piece]], hide_columns: bool
) -> list[str]:
    plan = SeriesPlan(input_shape)
    tokens: list[str] = []
    starts: list[int] = []  # the number of the value that comes to each token
    hidden = 0
    for i, (name, layer) in enumerate(layers):
        shape = plan.shapes[-1]
        try:
            plan.add(layer, name)
            if (
                hide_columns
                and type(layer) is Columns
                and name == columns_name(hidden + 1)
                and i + 1 < len(layers)
                and _takes_frames(layers[i + 1][1], plan.shapes[-1])
            ):
                hidden += 1
                continue
            starts.append(i)
            token = _write(layer, Place(shape, _source_writer(starts)))
            if name != default_name(layer, len(tokens)):
                token = _with_name(token, name)
        except ValueError as error:
            raise SpecError(f"layer {name!r}: {error}") from None
        tokens.append(token)
    return tokens


def _takes_frames(layer: Piece, shape: Shape) -> bool:
    """Whether a spec leaves out the columns before a layer."""
    if isinstance(layer, Join):
        return False
    token = _write(layer, Place(shape))
    return takes_frames(read_tree(f"[1,1,0,1 {token}]").nodes[0])


def _source_writer(starts: Sequence[int]) -> Callable[[int | str], int | str]:
    """Return what turns the sources of the layer before which `starts` ends into those of a spec.

    See `Place.source`.
    """

    def source(actual: int | str) -> int | str:
        if isinstance(actual, str):
            if not NAME.fullmatch(actual):
                raise ValueError(f"VGSL cannot write the name {actual!r}")
            return actual
        value = starts[-1] + 1 + actual
        if value not in starts:
            raise _HiddenError
        return starts.index(value) - len(starts)

    return source


def _with_name(token: str, name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"VGSL cannot write the name {name!r}; letters, digits and _ would do")
    if token[0] in "[(":
        rest = token[1:]
        return f"{token[0]}{{{name}}}{'' if rest[0] in ')]' else ' '}{rest}"
    letters = _LETTERS.match(token)
    end = letters.end() if letters else 0
    return f"{token[:end]}{{{name}}}{token[end:]}"


def _write(layer: Piece, place: Place) -> str:
    """Return the token of a layer, or all that stands in its brackets."""
    token = _token(layer, place)
    if token is not None:
        return token
    if type(layer) is Stacked:
        return _write_stacked(layer, place.shape)
    if isinstance(layer, Parallel) and type(layer) in (Parallel, Bidirectional):
        return f"({' '.join(_write(part, Place(place.shape)) for part in layer.layers)})"
    if type(layer) is Reversed:
        return f"R{layer.axis}{_write(layer.layer, Place(place.shape))}"
    raise ValueError(f"VGSL cannot write {layer!r}")


def _token(layer: Piece, place: Place) -> str | None:
    for kind in KINDS:
        token = kind.write(layer, place)
        if token is not None:
            return token
    return None


def _write_stacked(stacked: Stacked, shape: Shape | None) -> str:
    plan = None if shape is None else SeriesPlan(shape)
    tokens = []
    for layer, name in zip(stacked.layers, stacked.names, strict=True):
        token = _write(layer, Place(plan.shapes[-1] if plan else None))
        tokens.append(token if name is None else _with_name(token, name))
        if plan:
            plan.add(layer, name)
    return f"[{' '.join(tokens)}]"
