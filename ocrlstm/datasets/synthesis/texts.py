"""Texts to draw: files of lines, taken as they stand or cut into lines of other lengths."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from numpy.random import Generator

from ocrlstm.datasets.synthesis.habits import apply_habits
from ocrlstm.errors import DatasetError, EncodingError

__all__ = ["Text", "TextSource", "cut_line", "read_lines"]

_MOST_BYTES = 2**30
_LONGEST = 250
_HYPHENS = "-⸗‐"
_VOWELS = frozenset("aeiouyäöüáàâéèêëíîóôúûæœ")


@dataclass(frozen=True)
class TextSource:
    """A text file as a recipe names it.

    Attributes
    ----------
    name : str
        By which kinds of print name it.
    file : str
        Of UTF-8 lines.
    weight : float
        Its share among the texts.
    length : (int, int) or None
        The text is cut into lines of so many characters; None: lines as they stand.
    hyphens : float
        Share of cut lines that end within a word.
    hyphen : str
        Printed there.
    habits : mapping of str to float
        See `apply_habits`.
    """

    name: str
    file: str
    weight: float = 1.0
    length: tuple[int, int] | None = None
    hyphens: float = 0.15
    hyphen: str = "-"
    habits: Mapping[str, float] = field(default_factory=dict)


class Text:
    """The lines of a source.

    Parameters
    ----------
    source : TextSource
    lines : sequence of str
        Not empty, each without white space at its ends.
    """

    def __init__(self, source: TextSource, lines: Sequence[str]) -> None:
        self.source = source
        self.lines = lines

    def draw(self, rng: Generator) -> str:
        """Draw a line by lot."""
        source = self.source
        number = int(rng.integers(len(self.lines)))
        if source.length is None:
            text = self.lines[number]
        else:
            shortest, longest = source.length
            length = int(rng.integers(shortest, longest + 1))
            hyphen = source.hyphen if rng.random() < source.hyphens else ""
            text = cut_line(self.lines, number, length, hyphen, rng)
        if len(text) > _LONGEST:
            text = text[:_LONGEST].rsplit(" ", 1)[0]
        if source.habits:
            text = apply_habits(text, dict(source.habits), rng)
        return unicodedata.normalize("NFC", text)


def read_lines(path: str | os.PathLike[str]) -> list[str]:
    """Read the lines of a text file, without blank ones.

    Raises
    ------
    DatasetError
        If the file cannot be read, is too large, is not UTF-8, or holds no text.
    """
    path = Path(path)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise DatasetError(f"{path}: has more than {_MOST_BYTES >> 20} MB; cut it into parts")
        content = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from error
    try:
        text = unicodedata.normalize("NFC", content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{path}: is not UTF-8 (byte {error.start}); convert it, e.g. with iconv"
        ) from error
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise DatasetError(f"{path}: holds no text")
    return lines


def cut_line(lines: Sequence[str], number: int, length: int, hyphen: str, rng: Generator) -> str:
    """Cut a line of about a length out of running text.

    Parameters
    ----------
    lines : sequence of str
        Those of the text; a word divided between two of them is joined.
    number : int
        The line in which it begins.
    length : int
        Characters at most, if its first word is not longer.
    hyphen : str
        Where not empty, the last word is divided if it can be, and this is put behind.
    rng : numpy.random.Generator
        Draws the word with which it begins.

    Returns
    -------
    str
    """
    words = lines[number].split()
    start = int(rng.integers(len(words))) if rng.random() < 0.7 else 0
    text = " ".join(words[start:])
    while len(text) <= length + 24 and (number := number + 1) < len(lines):
        following = lines[number]
        if text[-1] in _HYPHENS and following[0].islower():
            text = text[:-1] + following
        else:
            text += " " + following
    if len(text) <= length:
        return text
    end = text.rfind(" ", 0, length + 1)
    if hyphen:
        room = length - end - 1 - len(hyphen)
        word = text[end + 1 :].split(" ", 1)[0]
        if part := _divide(word, room):
            return text[: end + 1] + part + hyphen
    if end <= 0:
        return text.split(" ", 1)[0]
    return text[:end]


def _divide(word: str, room: int) -> str:
    """Return the longest part of a word that may stand before a hyphen, or nothing."""
    if not word[:-1].isalpha():
        return ""
    for cut in range(min(room, len(word) - 3), 1, -1):
        before, after, next_ = word[cut - 1], word[cut], word[cut + 1]
        if after not in _VOWELS and next_ in _VOWELS and any(c in _VOWELS for c in word[:cut]):
            if before in _VOWELS or word[cut - 2] in _VOWELS:
                return word[:cut]
    return ""
