"""Settings from a TOML file: keys that are known, values of the right type, paths beside the file.

One key of the file is one option of the command line, without its dashes in front; ``-`` and ``_``
are the same in a key.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ocrlstm.errors import TrainingError
from ocrlstm.training.config import TrainingConfig

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["RUN_KINDS", "read_toml", "setting_kinds"]

# Far more than any file of settings, and soon read.
_LARGEST = 1_000_000

#: Kinds of the keys of a run that are no fields of `TrainingConfig`; see `read_toml`.
RUN_KINDS = {
    "paths": "paths",
    "validation": "paths",
    "output": "path",
    "from": "model",
    "threads": "whole number",
    "max_pixels": "whole number",
}

# By the annotation of a field of TrainingConfig, without "| None".
_KINDS_OF_TYPES = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "switch",
    "int | tuple[str, ...]": "layers",
    "tuple[str, ...]": "texts",
    "tuple[tuple[str, str], ...]": "entries",
    "dict[str, float]": "table",
}


def setting_kinds() -> dict[str, str]:
    """Return the kind of every field of `TrainingConfig`, for `read_toml`.

    Examples
    --------
    >>> setting_kinds()["learning_rate"]
    'number'
    """
    return {
        field.name: _KINDS_OF_TYPES[str(field.type).removesuffix(" | None")]
        for field in fields(TrainingConfig)
    }


def read_toml(path: str | os.PathLike[str], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Read a TOML file of settings.

    Parameters
    ----------
    path : path
    kinds : mapping of str to str
        The keys that the file may have, with ``_``, each with the kind of its value:

        - "text", "whole number", "number", "switch" (true or false), "table";
        - "path", a text; "paths", one or a list: made absolute, from the folder of the file on
          (also behind the ``@`` of a list of paths);
        - "model", a path if such a file is there, else the name of a shipped model;
        - "layers", a number, a name, or a list of names;
        - "texts", one or a list; "entries", a list of lists of two texts, or the path of a file.

    Returns
    -------
    dict
        By the names of `kinds`, those that the file has.

    Raises
    ------
    TrainingError
        If the file cannot be read, a key is unknown (tells the nearest one) or given twice, or a
        value is of another kind. Each begins with the path.
    """
    path = Path(path)
    given: dict[str, Any] = {}
    for key, value in _parse(path).items():
        name = key.replace("-", "_")
        if name not in kinds:
            raise TrainingError(f"{path}: {_unknown(key, kinds)}")
        if name in given:
            raise TrainingError(f"{path}: {key!r} is there twice, with - and with _")
        wanted, convert = _KINDS[kinds[name]]
        try:
            given[name] = convert(value, path.absolute().parent)
        except ValueError:
            raise TrainingError(f"{path}: {key} is {_shown(value)}; it must be {wanted}") from None
    return given


def _parse(path: Path) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise TrainingError(f"{path}: cannot be read ({error.strerror or error})") from error
    if len(content) > _LARGEST:
        raise TrainingError(f"{path}: has more than {_LARGEST:,} bytes; no settings are so long")
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise TrainingError(f"{path}: is not UTF-8 (byte {error.start})") from error
    except RecursionError as error:
        raise TrainingError(f"{path}: is nested too deep for settings") from error
    except ValueError as error:  # a TOMLDecodeError, or a number with too many digits
        raise TrainingError(f"{path}: is not TOML: {error}") from error


def _unknown(key: str, kinds: Mapping[str, str]) -> str:
    nearest = difflib.get_close_matches(key.replace("-", "_"), kinds, n=1, cutoff=0.0)
    return f"no setting is named {_shown(key)}; the nearest is {nearest[0]!r}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _check(value: Any, *types: type) -> Any:
    """Refuse what is of none of the types; true and false are no numbers."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError
    return value


def _path(value: Any, folder: Path) -> str:
    text = _check(value, str)
    if not text or "\0" in text:
        raise ValueError
    if text.startswith("@"):
        return f"@{folder / text[1:]}"
    return str(folder / text)


def _paths(value: Any, folder: Path) -> list[str]:
    return [_path(one, folder) for one in ([value] if isinstance(value, str) else _list(value))]


def _model(value: Any, folder: Path) -> str:
    beside = _path(value, folder)
    return beside if os.path.isfile(beside) else value


def _list(value: Any) -> list[Any]:
    return list(_check(value, list))


def _texts(value: Any, folder: Path) -> tuple[str, ...]:
    return tuple(_check(one, str) for one in ([value] if isinstance(value, str) else _list(value)))


def _layers(value: Any, folder: Path) -> Any:
    return _check(value, int) if not isinstance(value, str | list) else _texts(value, folder)


def _entries(value: Any, folder: Path) -> Any:
    if isinstance(value, str):
        return _path(value, folder)
    entries = [tuple(_check(text, str) for text in _list(entry)) for entry in _list(value)]
    if any(len(entry) != 2 for entry in entries):
        raise ValueError
    return tuple(entries)


# Of each kind, how it is told, and what turns a value of the file into one; ValueError refuses it.
_KINDS: dict[str, tuple[str, Callable[[Any, Path], Any]]] = {
    "text": ("a text", lambda value, folder: _check(value, str)),
    "whole number": ("a whole number", lambda value, folder: _check(value, int)),
    "number": ("a number", lambda value, folder: _check(value, int, float)),
    "switch": ("true or false", lambda value, folder: _check(value, bool)),
    "table": ("a table", lambda value, folder: dict(_check(value, dict))),
    "path": ("a path", _path),
    "paths": ("a path or a list of paths", _paths),
    "model": ("a model file or the name of a model", _model),
    "texts": ("a text or a list of texts", _texts),
    "entries": ("a list of [from, to], or the path of a file with such lines", _entries),
    "layers": ("a number of layers, the name of one, or a list of names", _layers),
}
