r"""Read a user's own table of what becomes what.

A UTF-8 file with one entry a line, ``from<TAB>to``; ``to`` may be empty. Lines that are empty or
begin with ``#`` do not count, and neither does what follows a second tab and ``#``. ``\u0364`` and
``\U0001F600`` stand for code points that are hard to type or to see, ``\#`` for a ``#`` at the
beginning, and ``\\`` for a backslash.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ocrlstm.errors import DatasetError
from ocrlstm.text.rule_entries import TableError
from ocrlstm.text.rules import TextRules

__all__ = ["read_rules"]

# Many times what the largest table can fill; a wrong file is not read into memory.
_MOST_BYTES = 4_000_000
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.|$)", re.DOTALL)


def read_rules(names: Sequence[str], path: str | os.PathLike[str] | None = None) -> TextRules:
    """Make text rules of names and a table in a file.

    Parameters
    ----------
    names : sequence of str
        Of rules and presets.
    path : path, optional
        The file; its content goes into the rules, and the file is not needed again.

    Returns
    -------
    TextRules

    Raises
    ------
    DatasetError
        Naming file and line, if the file cannot be read or an entry is of no use.
    ValueError
        If a name is not known.
    """
    if path is None:
        return TextRules(tuple(names))
    numbers: list[int] = []
    table: list[tuple[str, str]] = []
    for number, line in enumerate(_read_lines(path), 1):
        if line and not line.startswith("#"):
            numbers.append(number)
            table.append(_parse(f"{path}, line {number}", line))
    if not table:
        raise DatasetError(f"{path}: no entry; expected lines of from<TAB>to")
    TextRules(tuple(names))  # so that what is wrong below is the table
    try:
        return TextRules(tuple(names), tuple(table))
    except TableError as error:
        raise DatasetError(f"{path}, line {numbers[error.entry]}: {error.reason}") from error
    except ValueError as error:
        raise DatasetError(f"{path}: {error}") from error


def _read_lines(path: str | os.PathLike[str]) -> list[str]:
    try:
        with Path(path).open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise DatasetError(f"{path}: the text table cannot be read ({error.strerror})") from error
    if len(raw) > _MOST_BYTES:
        raise DatasetError(f"{path}: more than {_MOST_BYTES} bytes, which is no text table")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DatasetError(f"{path}, line {line}: not UTF-8; save the table as UTF-8") from error
    # Not splitlines, which also breaks at characters that an entry may be about.
    return [line.removesuffix("\r") for line in text.split("\n")]


def _parse(place: str, line: str) -> tuple[str, str]:
    columns = line.split("\t")
    if len(columns) > 2 and columns[2].lstrip().startswith("#"):
        columns = columns[:2]
    if len(columns) != 2:
        found = "no tab" if len(columns) == 1 else f"{len(columns) - 1} tabs"
        raise DatasetError(f"{place}: {found}, expected from<TAB>to")
    source, target = (_unescape(place, column) for column in columns)
    return source, target


def _unescape(place: str, text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        code = match.group(1)
        if code in ("\\", "#"):
            return code
        if len(code) > 1 and int(code[1:], 16) <= 0x10FFFF:
            return chr(int(code[1:], 16))
        raise DatasetError(
            rf"{place}: {match.group()!r} is no character; write \uXXXX, \UXXXXXXXX, \# or \\"
        )

    return _ESCAPE.sub(replace, text)
