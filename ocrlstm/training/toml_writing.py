"""Settings as TOML, for people to read and `ocrlstm.training.toml_file` to read again."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["format_toml"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def format_toml(values: Mapping[str, Any], comment: str = "") -> str:
    """Write settings as TOML.

    Parameters
    ----------
    values : mapping
        Texts, numbers, switches, lists and tables of them. None becomes a comment, since TOML has
        no word for it.
    comment : str
        Stands above them.

    Returns
    -------
    str
        Tables behind all else, as TOML needs it; a line end at the end.

    Raises
    ------
    TypeError
        For a value of another type.

    Examples
    --------
    >>> print(format_toml({"shape": {"a": 1}, "epochs": None, "paths": ["a", "b"]}, "A run."))
    # A run.
    paths = ["a", "b"]
    # epochs is not set
    <BLANKLINE>
    [shape]
    a = 1
    <BLANKLINE>
    """
    lines = [f"# {_CONTROL.sub('?', line)}".rstrip() for line in comment.splitlines()]
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    lines += [f"{_key(key)} = {_value(v)}" for key, v in plain.items() if v is not None]
    lines += [f"# {_key(key)} is not set" for key, v in plain.items() if v is None]
    for key, table in values.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{_key(key)}]"]
            lines += [f"{_key(name)} = {_value(value)}" for name, value in table.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)  # inf and nan are TOML's words
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())}}}"
    raise TypeError(f"TOML has no word for {value!r}")


def _text(text: str) -> str:
    # JSON escapes what TOML must have escaped, but for the control character 7F.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
