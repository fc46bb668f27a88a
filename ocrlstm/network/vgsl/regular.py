"""Tokens of layers that make training steadier and keep shapes: dropout, normalisations."""

from __future__ import annotations

import re

from ocrlstm.layers import BatchNorm, Dropout, GroupNorm, L1Norm, L2Norm
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.kind import NUMBER, Kind, Place, number, size, write_number

__all__ = ["BATCH_NORM", "DROPOUT", "GROUP_NORM", "UNIT_NORMS"]

# The layers' own defaults.
_MOMENTUM = BatchNorm().momentum
_BATCH_EPSILON = BatchNorm().epsilon
_GROUP_EPSILON = GroupNorm(1).epsilon
_UNIT_EPSILON = L2Norm().epsilon


def _read_dropout(match: re.Match[str], place: Place) -> Piece:
    probability, dimensions = match.groups()
    return Dropout(number(probability or "0.5"), channels=dimensions == "2")


def _write_dropout(layer: Piece, place: Place) -> str | None:
    if type(layer) is not Dropout:
        return None
    return f"Do{write_number(layer.probability)}{',2' if layer.channels else ''}"


def _read_batch_norm(match: re.Match[str], place: Place) -> Piece:
    momentum, epsilon = match.groups()
    return BatchNorm(_optional(momentum, _MOMENTUM), _optional(epsilon, _BATCH_EPSILON))


def _write_batch_norm(layer: Piece, place: Place) -> str | None:
    if type(layer) is not BatchNorm:
        return None
    epsilon = "" if layer.epsilon == _BATCH_EPSILON else f",{write_number(layer.epsilon)}"
    momentum = "" if layer.momentum == _MOMENTUM and not epsilon else write_number(layer.momentum)
    return f"Bn{momentum}{epsilon}"


def _read_group_norm(match: re.Match[str], place: Place) -> Piece:
    groups, epsilon = match.groups()
    return GroupNorm(size(groups), _optional(epsilon, _GROUP_EPSILON))


def _write_group_norm(layer: Piece, place: Place) -> str | None:
    if type(layer) is not GroupNorm:
        return None
    epsilon = "" if layer.epsilon == _GROUP_EPSILON else f",{write_number(layer.epsilon)}"
    return f"Gn{layer.groups}{epsilon}"


def _read_unit_norm(match: re.Match[str], place: Place) -> Piece:
    order, item, epsilon = match.groups()
    make = L1Norm if order == "1" else L2Norm
    return make("item" if item else "channels", _optional(epsilon, _UNIT_EPSILON))


def _write_unit_norm(layer: Piece, place: Place) -> str | None:
    if not isinstance(layer, L1Norm | L2Norm):
        return None
    epsilon = "" if layer.epsilon == _UNIT_EPSILON else f",{write_number(layer.epsilon)}"
    return f"L{layer.order}n{'i' if layer.axis == 'item' else ''}{epsilon}"


def _optional(digits: str | None, default: float) -> float:
    return default if digits is None else number(digits)


#: ``Do0.5``: probability; ``,2`` for whole channels.
DROPOUT = Kind(rf"Do({NUMBER})?(?:,([12]))?", _read_dropout, _write_dropout, ("Do0.5",))
#: ``Bn``; momentum and epsilon may follow.
BATCH_NORM = Kind(
    rf"Bn(?:({NUMBER})(?:,({NUMBER}))?)?", _read_batch_norm, _write_batch_norm, ("Bn",)
)
#: ``Gn8``: groups; epsilon may follow.
GROUP_NORM = Kind(rf"Gn(\d+)(?:,({NUMBER}))?", _read_group_norm, _write_group_norm, ("Gn8",))
#: ``L1n``, ``L2n``: i for the norm of a whole item; epsilon may follow.
UNIT_NORMS = Kind(rf"L([12])n(i?)(?:,({NUMBER}))?", _read_unit_norm, _write_unit_norm, ("L2n",))
