"""Tokens of layers that take outputs of earlier ones."""

from __future__ import annotations

import re

from ocrlstm.layers import Route, Shortcut
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.activations import ACTIVATION, read_activation, write_activation
from ocrlstm.network.vgsl.kind import NUMBER, Kind, Place, number, write_number
from ocrlstm.network.vgsl.limits import check_copies
from ocrlstm.network.vgsl.syntax import NAME

__all__ = ["ROUTE", "SHORTCUT"]

_SOURCE = rf"-[1-9]\d{{0,8}}|@{NAME.pattern}"


def _read_source(written: str, place: Place) -> int | str:
    return place.source(written[1:] if written.startswith("@") else int(written))


def _write_source(source: int | str, place: Place) -> str:
    source = place.source(source)
    return f"@{source}" if isinstance(source, str) else str(source)


def _read_shortcut(match: re.Match[str], place: Place) -> Piece:
    activation, source, alpha, beta = match.groups()
    return Shortcut(
        _read_source(source, place),
        number(alpha or "1"),
        number(beta or "1"),
        read_activation(activation or "l"),
    )


def _write_shortcut(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Shortcut:
        return None
    activation = "" if layer.activation == "linear" else write_activation(layer.activation)
    factors = (layer.alpha, layer.beta)
    written = "" if factors == (1.0, 1.0) else "".join(f",{write_number(f)}" for f in factors)
    return f"Sc{activation}{_write_source(layer.source, place)}{written}"


def _read_route(match: re.Match[str], place: Place) -> Piece:
    batch, written = match.groups()
    sources = written.split(",")
    if batch:
        check_copies(len(sources))  # of one item each, or more
    return Route(
        *(_read_source(source, place) for source in sources),
        axis="batch" if batch else "channels",
    )


def _write_route(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Route:
        return None
    sources = ",".join(_write_source(source, place) for source in layer.sources)
    return f"Rt{'b' if layer.axis == 'batch' else ''}{sources}"


#: ``Sc-3``: a source to add; a non-linearity before it and two factors behind it may be told.
SHORTCUT = Kind(
    rf"Sc({ACTIVATION})?({_SOURCE})(?:,(-?{NUMBER}),(-?{NUMBER}))?",
    _read_shortcut,
    _write_shortcut,
    ("Sc-2",),
)
#: ``Rt-1,-3``: sources to put side by side; ``Rtb`` one after another in the batch.
ROUTE = Kind(rf"Rt(b?)((?:{_SOURCE})(?:,(?:{_SOURCE}))*)", _read_route, _write_route, ("Rt-1,-2",))
