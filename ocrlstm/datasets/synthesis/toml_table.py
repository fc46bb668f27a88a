"""Tables of a TOML file, taken apart key by key: wrong types and unknown keys are told."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ocrlstm.errors import DatasetError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["TomlTable", "read_toml_table"]

_MOST_BYTES = 1_000_000


class TomlTable:
    """A table of which keys are taken until none is left.

    Parameters
    ----------
    values : mapping
    where : str
        The file, and which of its tables this is; begins every message.
    """

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.where = where
        self._values = dict(values)
        self._known: list[str] = []

    def text(self, key: str, default: str | None = None) -> str:
        """Take a text; without a default it must be there."""
        value = self._take(key, default, str, "a text")
        if value is None:
            raise self.error(f"{key} is missing")
        return str(value)

    def number(self, key: str, default: float, low: float = 0.0, high: float = 1e9) -> float:
        """Take a number within limits."""
        value = self._take(key, default, (int, float), "a number")
        if not low <= value <= high:
            raise self.error(f"{key} is {value}; it must be from {low:g} to {high:g}")
        return float(value)

    def whole(self, key: str, default: int, low: int = 0, high: int = 10**9) -> int:
        """Take a whole number within limits."""
        value = self._take(key, default, int, "a whole number")
        if not low <= value <= high:
            raise self.error(f"{key} is {value}; it must be from {low} to {high}")
        return int(value)

    def span(
        self, key: str, default: tuple[float, float], low: float = 0.0, high: float = 1e9
    ) -> tuple[float, float]:
        """Take a range, written as a list of two numbers, the first not larger."""
        value = self._take(key, list(default), list, "a list of two numbers")
        good = len(value) == 2 and all(_is_number(part) for part in value)
        if not good or not low <= value[0] <= value[1] <= high:
            raise self.error(
                f"{key} is {_shown(value)}; it must be two numbers from {low:g} to {high:g}, "
                "the smaller one first"
            )
        return float(value[0]), float(value[1])

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of texts, or one text."""
        value = self._take(key, [], (list, str), "a text or a list of texts")
        value = [value] if isinstance(value, str) else value
        if not all(isinstance(part, str) for part in value):
            raise self.error(f"{key} is {_shown(value)}; it must be a list of texts")
        return tuple(value)

    def patterns(self, key: str) -> tuple[str, ...]:
        """Take regular expressions."""
        patterns = self.texts(key)
        for pattern in patterns:
            try:
                re.compile(pattern)
            except (re.error, RecursionError, OverflowError) as error:
                raise self.error(
                    f"{key} holds {_shown(pattern)}, no regular expression ({error})"
                ) from error
        return patterns

    def choice(self, key: str, default: str, choices: tuple[str, ...]) -> str:
        """Take one of some texts."""
        value = self.text(key, default)
        if value not in choices and value != default:
            raise self.error(f"{key} is {_shown(value)}; it must be {' or '.join(choices)}")
        return value

    def table(self, key: str) -> TomlTable:
        """Take a table, empty if it is not there."""
        return TomlTable(self._take(key, {}, dict, "a table"), f"{self.where}, [{key}]")

    def tables(self, key: str) -> list[TomlTable]:
        """Take a list of tables."""
        value = self._take(key, [], list, f"a list of tables, written [[{key}]]")
        if not all(isinstance(part, dict) for part in value):
            raise self.error(f"{key} is {_shown(value)}; it must be tables, written [[{key}]]")
        return [
            TomlTable(part, f"{self.where}, [[{key}]] {number}")
            for number, part in enumerate(value, 1)
        ]

    def respelling(self, key: str) -> dict[str, str]:
        """Take a table of texts, none of whose keys is empty."""
        value = self._take(key, {}, dict, "a table of texts")
        if not all(isinstance(part, str) and name for name, part in value.items()):
            raise self.error(f'{key} is {_shown(value)}; it must be like {{"a" = "b"}}')
        return value

    def raw(self, key: str) -> dict[str, Any]:
        """Take a table as it is."""
        value: dict[str, Any] = self._take(key, {}, dict, "a table")
        return value

    def keys(self) -> list[str]:
        """Return the keys that are left."""
        return list(self._values)

    def has(self, key: str) -> bool:
        """Tell whether a key is there and not taken yet."""
        return key in self._values

    def value(self, key: str) -> Any:
        """Take a value of any type."""
        return self._values.pop(key)

    def end(self) -> None:
        """See that nothing is left.

        Raises
        ------
        DatasetError
            Naming the key, and the nearest one that there is.
        """
        for key in self._values:
            raise self.error(self.unknown(key, self._known))

    @staticmethod
    def unknown(key: str, known: list[str]) -> str:
        """Tell of an unknown key."""
        nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
        return f"no key is named {_shown(key)}; the nearest is {nearest[0]!r}"

    def error(self, message: str) -> DatasetError:
        """Make an error that says where."""
        return DatasetError(f"{self.where}: {message}")

    def _take(self, key: str, default: Any, types: Any, wanted: str) -> Any:
        self._known.append(key)
        value = self._values.pop(key, default)
        # True and false are no numbers, whatever Python says.
        wrong = isinstance(value, bool) or not isinstance(value, types)
        if value is not default and wrong:
            raise self.error(f"{key} is {_shown(value)}; it must be {wanted}")
        return value


def read_toml_table(path: str | os.PathLike[str]) -> TomlTable:
    """Read a TOML file.

    Raises
    ------
    DatasetError
        If it cannot be read or is no TOML.
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from error
    if len(content) > _MOST_BYTES:
        raise DatasetError(f"{path}: has more than {_MOST_BYTES:,} bytes; no recipe is so long")
    try:
        return TomlTable(tomllib.loads(content.decode("utf-8")), str(path))
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path}: is not UTF-8 (byte {error.start})") from error
    except RecursionError as error:
        raise DatasetError(f"{path}: is nested too deep for a recipe") from error
    except ValueError as error:  # a TOMLDecodeError, or a number with too many digits
        raise DatasetError(f"{path}: is not TOML: {error}") from error


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
