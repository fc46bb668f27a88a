"""What a kind of token is: how it is read, and which layers are written so."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ocrlstm.layers.base import Shape
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.limits import LARGEST

__all__ = [
    "NUMBER",
    "Kind",
    "Place",
    "number",
    "optional_sizes",
    "size",
    "sizes",
    "write_number",
]

#: Pattern of a number that is no negative one, for `number`. There is one way only to match it:
#: with several, a stranger's spec could keep the search busy for hours.
NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?"


def _same(source: int | str) -> int | str:
    return source


@dataclass(frozen=True)
class Place:
    """Where in a network a token stands.

    Attributes
    ----------
    shape : tuple or None
        Of what comes; None where it is not known, as for a layer that is written alone.
    source : callable
        Turns a source of a join, as a spec has it, into that of the layer; in writing the other
        way round. They differ because the columns that a spec need not tell count as a layer.
    classes : int or None
        Number of classes, where this is the end of a network for so many.
    """

    shape: Shape | None = None
    source: Callable[[int | str], int | str] = field(default=_same)
    classes: int | None = None


@dataclass(frozen=True)
class Kind:
    """One kind of token.

    Attributes
    ----------
    pattern : str
        Regular expression of the whole token without its name.
    read : callable
        Makes the layer of a match; raises ValueError if there is none.
    write : callable
        Returns the token of a layer; None if the layer is not of this kind. Raises ValueError if
        it is, but has options that VGSL lacks.
    examples : tuple of str
        Tokens as they are usually written, to be told where one is written wrongly.
    """

    pattern: str
    read: Callable[[re.Match[str], Place], Piece]
    write: Callable[[Piece, Place], str | None]
    examples: tuple[str, ...]

    def match(self, bare: str) -> re.Match[str] | None:
        """Return the match if a token, without its name, is of this kind."""
        return re.fullmatch(self.pattern, bare, re.ASCII)


def size(digits: str, least: int = 1) -> int:
    """Return a whole number of a token.

    Raises
    ------
    ValueError
        If it is too small, or larger than any sensible network needs.
    """
    if len(digits) > 9 or not least <= int(digits) <= LARGEST:
        raise ValueError(f"{digits[:20]} is not in {least} to {LARGEST}")
    return int(digits)


def sizes(y: str, x: str) -> tuple[int, int]:
    """Return two whole numbers of a token, vertical and horizontal."""
    return size(y), size(x)


def optional_sizes(
    y: str | None, x: str | None, default: tuple[int, int], least: int = 1
) -> tuple[int, int]:
    """Return two whole numbers of a token, or the default where they are not written."""
    return default if y is None or x is None else (size(y, least), size(x, least))


def number(digits: str) -> float:
    """Return a number of a token.

    Raises
    ------
    ValueError
        If it is too large for a float.
    """
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:20]} is too large")
    return value


def write_number(value: float) -> str:
    """Return how tokens write a number, whatever type of float a layer was given."""
    return repr(float(value))
