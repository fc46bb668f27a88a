"""The entries of a text table, and what makes one useless."""

from __future__ import annotations

import unicodedata
from typing import Any

from ocrlstm.text.normalize import normalize_text
from ocrlstm.text.spelling import spell

__all__ = ["BASE", "TableError", "check_table", "shorten", "tell"]

# Far beyond any table that somebody wrote; a stranger's file shall not make texts slow or huge.
_MOST_ENTRIES = 2000
_LONGEST = 64
_SHORT = 8
#: A sign with which nothing composes, to see what becomes of a string inside a text.
BASE = "\u25cc"


class TableError(ValueError):
    """An entry of a text table is of no use.

    Attributes
    ----------
    entry : int
        Its number, from 0.
    reason : str
        What was found, without the number.
    """

    def __init__(self, entry: int, reason: str) -> None:
        super().__init__(f"entry {entry + 1} of the text table: {reason}")
        self.entry = entry
        self.reason = reason


def check_table(table: Any) -> tuple[tuple[str, str], ...]:
    """Return the entries of a table in NFC, or raise ValueError."""
    if not isinstance(table, (list, tuple)):
        raise ValueError(f"text table is a {type(table).__name__}, not a list of pairs")
    if len(table) > _MOST_ENTRIES:
        raise ValueError(f"text table has {len(table)} entries; at most {_MOST_ENTRIES} are taken")
    entries: dict[str, str] = {}
    for number, entry in enumerate(table):
        source, target = _check_entry(number, entry)
        if source in entries:
            raise TableError(number, f"{tell(source)} stands in the table before")
        entries[source] = target
    return tuple(entries.items())


def _check_entry(number: int, entry: Any) -> tuple[str, str]:
    """Return an entry in NFC, or raise TableError."""
    if (
        not isinstance(entry, (list, tuple))
        or len(entry) != 2
        or not all(isinstance(part, str) for part in entry)
    ):
        raise TableError(number, "not a pair of strings")
    longest = max(map(len, entry))
    if longest > _LONGEST:
        raise TableError(number, f"{longest} characters in one part; at most {_LONGEST} are taken")
    if any(0xD800 <= ord(code) <= 0xDFFF for part in entry for code in part):
        raise TableError(number, "holds a lone surrogate, which no text has")
    source, target = (unicodedata.normalize("NFC", part) for part in entry)
    if not source:
        raise TableError(number, "nothing to look for")
    if normalize_text(BASE + source + BASE) != BASE + source + BASE:
        raise TableError(
            number,
            f"{tell(source)} is never found, since white space has become single spaces and "
            "marks without ink are gone when the table is used",
        )
    return source, target


def tell(text: str) -> str:
    """Spell a part of an entry, in code points too where that is short enough to read."""
    return spell(text) if len(text) <= _SHORT else shorten(repr(text))


def shorten(text: str) -> str:
    """Cut what a stranger's file holds to the length of a message."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
