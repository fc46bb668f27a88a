"""Frozen records that the stages hand on: what was read, where, and how surely."""

from __future__ import annotations

from dataclasses import dataclass

from ocrlstm.errors import OcrError

__all__ = ["Character", "Line", "Reading"]


@dataclass(frozen=True)
class Character:
    """One character (grapheme) of a line.

    Attributes
    ----------
    text : str
        The character as the codec spells it; one or more code points.
    x0, x1 : float
        Left and right edge in pixels of the source image, ``0 <= x0 <= x1 <= width``.
    confidence : float
        Posterior of the character where it is surest, in [0, 1].
    alternatives : tuple of (str, float)
        What else it might be by the image, each with its confidence, the likeliest first; only
        where they were asked for.
    """

    text: str
    x0: float
    x1: float
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Reading:
    """A text that a line may be.

    Attributes
    ----------
    text : str
    score : float
        Natural logarithm of its probability by the network, plus what language model and word list
        give. Only differences between readings of one line mean something.
    """

    text: str
    score: float


@dataclass(frozen=True)
class Line:
    """One text line as it was read.

    Attributes
    ----------
    text : str
        The text in logical order and in the model's normal form; empty for a blank line.
    confidence : float
        Geometric mean of the characters' confidences, 1.0 for a line without characters.
    characters : tuple of Character
        From left to right in the image.
    source : str
        Path of the image, or a word for an image that came from memory.
    error : OcrError or None
        Why the line could not be read; `text` is then empty and `confidence` 0.
    readings : tuple of Reading
        The likeliest texts, beginning with `text` itself; only where they were asked for.
    """

    text: str
    confidence: float
    characters: tuple[Character, ...] = ()
    source: str = ""
    error: OcrError | None = None
    readings: tuple[Reading, ...] = ()
