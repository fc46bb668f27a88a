"""Tokens of connected layers, outputs and non-linearities of their own."""

from __future__ import annotations

import re

from ocrlstm.layers import Activation, Connected, Convolution, Logistic, Softmax, Stacked
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.activations import (
    ACTIVATION,
    SOFTMAX,
    read_activation,
    with_softmax,
    without_softmax,
    write_activation,
)
from ocrlstm.network.vgsl.kind import NUMBER, Kind, Place, number, size, write_number

__all__ = ["ACTIVATIONS", "CONNECTED", "HEAT_MAP", "OUTPUT", "SQUASHED"]


def _read_connected(match: re.Match[str], place: Place) -> Piece:
    activation, without_bias, units = match.groups()
    name = read_activation(activation)
    return with_softmax(Connected(size(units), name, not without_bias), activation)


def _write_connected(layer: Piece, place: Place) -> str | None:
    layer, softmax = without_softmax(layer)
    if type(layer) is not Connected or (softmax and layer.activation != "linear"):
        return None
    activation = SOFTMAX if softmax else write_activation(layer.activation)
    return f"F{activation}{'' if layer.bias else 'n'}{layer.units}"


def _read_output(match: re.Match[str], place: Place) -> Piece:
    dimensions, kind, digits, temperature = match.groups()
    if kind.startswith("c") and dimensions != "1":
        raise ValueError(f"CTC needs a sequence: write O1c, not O{dimensions}c")
    if dimensions == "0" and place.shape is not None and place.shape[0] != 1:
        frames = "any number of" if place.shape[0] is None else place.shape[0]
        raise ValueError(
            f"one output for the whole needs one frame, not {frames}; put F, Sux or an L or G "
            "with s before it"
        )
    classes = _classes(digits, place)
    if kind == "l":
        if temperature is not None:
            raise ValueError("only a softmax has a temperature")
        return Logistic(classes)
    return Softmax(classes, log=kind != "p", temperature=number(temperature or "1"))


def _classes(digits: str | None, place: Place) -> int:
    written = None if digits is None else size(digits)
    if written is None and place.classes is None:
        raise ValueError("the number of classes is not known here; write it, as in O1c100")
    if written is not None and place.classes not in (None, written):
        raise ValueError(f"{written} classes, but the codec has {place.classes}")
    return written or place.classes or 0


def _write_output(layer: Piece, place: Place) -> str | None:
    if not isinstance(layer, Softmax | Logistic) or layer.classes is None:
        return None
    dimensions = "0" if place.shape is not None and place.shape[0] == 1 else "1"
    if isinstance(layer, Logistic):
        return f"O{dimensions}l{layer.classes}"
    kind = "p" if not layer.log else "c" if dimensions == "1" else "s"
    return f"O{dimensions}{kind}{layer.classes}{_temperature(layer)}"


def _read_heat_map(match: re.Match[str], place: Place) -> Piece:
    kind, digits = match.groups()
    if kind == "c":
        raise ValueError("CTC needs a sequence: write O1c, not O2c")
    classes = _classes(digits, place)
    if kind == "l":
        return Convolution(classes, 1, activation="logistic")
    return _heat_map(classes, log=kind != "p")


def _write_heat_map(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Stacked or len(layer.layers) != 2 or any(layer.names):
        return None
    scores = layer.layers[0]
    if not isinstance(scores, Convolution):
        return None
    # With posteriors instead of their logarithms it is the convolution Cm.
    same = repr(layer) == repr(_heat_map(scores.filters))
    return f"O2s{scores.filters}" if same else None


def _heat_map(classes: int, log: bool = True) -> Stacked:
    return Stacked(Convolution(classes, 1), Softmax(log=log))


def _read_squashed(match: re.Match[str], place: Place) -> Piece:
    kind, temperature = match.groups()
    if kind == "l":
        if temperature is not None:
            raise ValueError("only a softmax has a temperature")
        return Logistic()
    return Softmax(log=kind == "s", temperature=number(temperature or "1"))


def _write_squashed(layer: Piece, place: Place) -> str | None:
    if not isinstance(layer, Softmax | Logistic) or layer.classes is not None:
        return None
    if isinstance(layer, Logistic):
        return "Ol"
    return f"O{'s' if layer.log else 'p'}{_temperature(layer)}"


def _temperature(layer: Softmax) -> str:
    return "" if layer.temperature == 1 else f",{write_number(layer.temperature)}"


def _read_activation(match: re.Match[str], place: Place) -> Piece:
    return Activation(read_activation(match.group(1)))


def _write_activation(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Activation:
        return None
    return f"Ac{write_activation(layer.name).rstrip(':')}"


#: ``Fr64``: non-linearity, units.
CONNECTED = Kind(
    rf"F({ACTIVATION}|{SOFTMAX})(n?)(\d+)", _read_connected, _write_connected, ("Fr64",)
)
#: ``O1c59``: dimensions, kind, classes; the temperature of a softmax may follow.
OUTPUT = Kind(
    rf"O([01])([slp]|ca?)(?:(\d+)(?:,({NUMBER}))?)?",
    _read_output,
    _write_output,
    ("O1c59", "O0s10"),
)
#: ``O2s5``: a score a class at every pixel.
HEAT_MAP = Kind(r"O2([slpc])(\d+)?", _read_heat_map, _write_heat_map, ("O2s5",))
#: ``Os``: an output without weights; the temperature may follow.
SQUASHED = Kind(rf"O([slp])(?:,({NUMBER}))?", _read_squashed, _write_squashed, ("Os",))
#: ``Acr``, ``Ac:elu``
ACTIVATIONS = Kind(rf"Ac({ACTIVATION}|:[a-z]+)", _read_activation, _write_activation, ("Acr",))
