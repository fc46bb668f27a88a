"""Tokens of layers that change shapes, or nothing."""

from __future__ import annotations

import re

from ocrlstm.layers import Addition, Columns, Identity, Reshape, Summary
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.kind import Kind, Place, size

__all__ = ["ADDITION", "COLUMNS", "IDENTITY", "RESHAPE", "SUMMARY"]


def _read_columns(match: re.Match[str], place: Place) -> Piece:
    return Columns()


def _write_columns(layer: Piece, place: Place) -> str | None:
    return "S1(1x0)1,3" if type(layer) is Columns else None


def _read_reshape(match: re.Match[str], place: Place) -> Piece:
    d, a, b, e, f = match.groups()
    return Reshape(int(d), size(a, 0), size(b, 0), int(e), int(f))


def _write_reshape(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Reshape:
        return None
    b = layer.b
    if (layer.d, layer.a, b, layer.e, layer.f) == (1, 1, 0, 1, 3):  # this token means Columns
        if place.shape is None or len(place.shape) != 3:
            raise ValueError(f"VGSL writes {layer!r} only where the height is known")
        b = place.shape[0] or 0
    return f"S{layer.d}({layer.a}x{b}){layer.e},{layer.f}"


def _read_addition(match: re.Match[str], place: Place) -> Piece:
    axis, chunk = match.groups()
    if axis == "1":
        return Addition(size(chunk), "height")
    if axis == "3":
        return Addition(size(chunk), "channels")
    raise ValueError("only the parts of axis 1 (height) or 3 (channels) can be added")


def _write_addition(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Addition:
        return None
    return f"A{1 if layer.axis == 'height' else 3},{layer.chunk}"


def _read_identity(match: re.Match[str], place: Place) -> Piece:
    return Identity()


def _write_identity(layer: Piece, place: Place) -> str | None:
    return "I" if type(layer) is Identity else None


def _read_summary(match: re.Match[str], place: Place) -> Piece:
    return Summary("y" if match.group(1) == "y" else "x")


def _write_summary(layer: Piece, place: Place) -> str | None:
    return f"Su{layer.axis}" if type(layer) is Summary else None


#: ``S1(1x0)1,3``: the columns of images as frames.
COLUMNS = Kind(r"S1\(1x0\)1,3", _read_columns, _write_columns, ("S1(1x0)1,3",))
#: ``S1(2x12)1,3``: dimension, its parts, and where they go.
RESHAPE = Kind(r"S(\d)\((\d+)x(\d+)\)(\d),(\d)", _read_reshape, _write_reshape, ("S1(2x12)1,3",))
#: ``A3,8``: axis and size of the parts that are added up.
ADDITION = Kind(r"A(\d),(\d+)", _read_addition, _write_addition, ("A3,8",))
#: ``I``
IDENTITY = Kind("I", _read_identity, _write_identity, ("I",))
#: ``Sux``: the last frame or column only, ``Suy`` the last row.
SUMMARY = Kind("Su([xy])", _read_summary, _write_summary, ("Sux",))
