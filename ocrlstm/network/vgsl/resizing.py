"""Tokens of layers that make images larger or smaller by whole factors."""

from __future__ import annotations

import re

from ocrlstm.layers import Shuffler, Upsample
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.kind import NUMBER, Kind, Place, number, sizes, write_number

__all__ = ["SHUFFLE", "UNSHUFFLE", "UPSAMPLE"]


def _read_upsample(match: re.Match[str], place: Place) -> Piece:
    way, y, x, scale = match.groups()
    return Upsample(sizes(y, x), way == "Dn", number(scale or "1"))


def _write_upsample(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Upsample:
        return None
    scale = "" if layer.scale == 1 else f",{write_number(layer.scale)}"
    return f"{'Dn' if layer.down else 'Up'}{layer.factor[0]},{layer.factor[1]}{scale}"


def _read_shuffle(match: re.Match[str], place: Place) -> Piece:
    return Shuffler(sizes(*match.groups()))


def _write_shuffle(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Shuffler or layer.inverse:
        return None
    return f"Ps{layer.factor[0]},{layer.factor[1]}"


def _read_unshuffle(match: re.Match[str], place: Place) -> Piece:
    return Shuffler(sizes(*match.groups()), inverse=True)


def _write_unshuffle(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Shuffler or not layer.inverse:
        return None
    return f"S{layer.factor[0]},{layer.factor[1]}"


#: ``Up2,2``: pixels repeated; ``Dn2,2``: means of blocks; a factor of the values may follow.
UPSAMPLE = Kind(
    rf"(Up|Dn)(\d+),(\d+)(?:,(-?{NUMBER}))?", _read_upsample, _write_upsample, ("Up2,2", "Dn2,2")
)
#: ``Ps2,2``: channels become blocks of pixels.
SHUFFLE = Kind(r"Ps(\d+),(\d+)", _read_shuffle, _write_shuffle, ("Ps2,2",))
#: ``S2,2``: blocks of pixels become channels, as in Tesseract.
UNSHUFFLE = Kind(r"S(\d+),(\d+)", _read_unshuffle, _write_unshuffle, ("S2,2",))
