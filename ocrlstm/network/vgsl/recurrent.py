"""Tokens of layers that read step by step: along the frames of a line or the rows of a column."""

from __future__ import annotations

import re
from typing import TypeVar

from ocrlstm.layers import (
    GRU,
    LSTM,
    RNN,
    Bidirectional,
    ConnectedRNN,
    Layer,
    Reversed,
    Vertical,
)
from ocrlstm.layers.recurrent import Recurrent
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.activations import NAMED, read_activation
from ocrlstm.network.vgsl.kind import Kind, Place, size

__all__ = ["GRUS", "LSTMS", "RNNS"]

Cells = TypeVar("Cells", bound=Recurrent)


def _arranged(cells: Layer, direction: str, axis: str) -> Layer:
    if direction == "r":
        cells = Reversed(cells)
    elif direction == "b":
        cells = Bidirectional(cells)
    return Vertical(cells) if axis == "y" else cells


def _written(layer: Piece, kind: type[Cells]) -> tuple[str, Cells] | None:
    """Return direction, axis and summary as letters, and the cells; None for other layers."""
    axis, direction = "x", "f"
    if type(layer) is Vertical:
        axis, layer = "y", layer.layer
    if type(layer) is Bidirectional:
        direction, layer = "b", layer.layer
    elif type(layer) is Reversed and layer.axis == "x":
        direction, layer = "r", layer.layer
    if not isinstance(layer, kind) or type(layer) is not kind:
        return None
    return f"{direction}{axis}{'' if layer.sequences else 's'}", layer


def _read_lstm(match: re.Match[str], place: Place) -> Piece:
    direction, axis, summary, kind, states = match.groups()
    cells = LSTM(
        size(states),
        peepholes=kind not in ("n", "c"),
        peephole_at_start=kind != "h",
        sequences=not summary,
    )
    return _arranged(cells, direction, axis)


def _write_lstm(layer: Piece, place: Place) -> str | None:
    found = _written(layer, LSTM)
    if found is None:
        return None
    where, cells = found
    # Without peepholes it makes no difference where they act.
    kind = "n" if not cells.peepholes else "" if cells.peephole_at_start else "h"
    return f"L{where}{kind}{cells.states}"


def _read_gru(match: re.Match[str], place: Place) -> Piece:
    direction, axis, summary, before, states = match.groups()
    cells = GRU(size(states), reset_after=not before, sequences=not summary)
    return _arranged(cells, direction, axis)


def _write_gru(layer: Piece, place: Place) -> str | None:
    found = _written(layer, GRU)
    if found is None:
        return None
    where, cells = found
    return f"G{where}{'' if cells.reset_after else 'b'}{cells.states}"


def _read_rnn(match: re.Match[str], place: Place) -> Piece:
    direction, axis, summary, activation, states, outputs = match.groups()
    activation = read_activation(activation) if activation else "tanh"
    cells: Recurrent
    if outputs is None:
        cells = RNN(size(states), activation, sequences=not summary)
    else:
        cells = ConnectedRNN(size(states), size(outputs), activation, sequences=not summary)
    return _arranged(cells, direction, axis)


def _write_rnn(layer: Piece, place: Place) -> str | None:
    found: tuple[str, RNN | ConnectedRNN] | None = _written(layer, RNN)
    if found is None:
        found = _written(layer, ConnectedRNN)
    if found is None:
        return None
    where, cells = found
    activation = "" if cells.activation == "tanh" else f":{cells.activation}:"
    outputs = f",{cells.outputs}" if isinstance(cells, ConnectedRNN) else ""
    return f"R{where}{activation}{cells.states}{outputs}"


_WHERE = r"([frb])([xy])(s?)"

#: ``Lfx100``: direction, axis, s for the last step only, kind of cells, states. Of the kinds, o is
#: kraken's letter for cells with peepholes, n and kraken's c are those without, h those of OCRopus,
#: whose output peephole does not act on the first frame.
LSTMS = Kind(rf"L{_WHERE}([nohc]?)(\d+)", _read_lstm, _write_lstm, ("Lbx100",))
#: ``Gfx100``, as ``L``; the kind b resets before the product.
GRUS = Kind(rf"G{_WHERE}(b?)(\d+)", _read_gru, _write_gru, ("Gbx100",))
#: ``Rfx100``, as ``L``; a non-linearity before the states, an output layer's size behind them.
RNNS = Kind(rf"R{_WHERE}({NAMED})?(\d+)(?:,(\d+))?", _read_rnn, _write_rnn, ("Rbx100",))
