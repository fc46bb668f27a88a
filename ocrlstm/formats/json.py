"""JSON: everything about a line as one object on one line, so that files can be joined to JSONL."""

from __future__ import annotations

import json
from typing import Any

from ocrlstm.document import Character, Line

__all__ = ["write"]


def write(line: Line) -> str:
    r"""Return a line as one JSON object.

    Parameters
    ----------
    line : Line
        What was read.

    Returns
    -------
    str
        An object with text, confidence, characters (each with text, x0, x1, confidence), source,
        and error where there was one; not ASCII only, no newline but the one at the end. Where
        they were asked for, also readings (each with text and score), and of the characters
        alternatives (each with text and confidence).

    Examples
    --------
    >>> write(Line("ä", 0.5, source="a.png"))
    '{"text": "ä", "confidence": 0.5, "characters": [], "source": "a.png"}\n'
    """
    values: dict[str, Any] = {
        "text": line.text,
        "confidence": round(line.confidence, 4),
        "characters": [_character(character) for character in line.characters],
        "source": line.source,
    }
    if line.readings:
        values["readings"] = [
            {"text": reading.text, "score": round(reading.score, 4)} for reading in line.readings
        ]
    if line.error is not None:
        values["error"] = str(line.error)
    text = json.dumps(values, ensure_ascii=False)
    # A path may hold bytes that are no UTF-8. Python carries them as surrogates, which no file
    # takes; the replacement is just the escape that JSON has for them.
    return text.encode(errors="backslashreplace").decode() + "\n"


def _character(character: Character) -> dict[str, Any]:
    values: dict[str, Any] = {
        "text": character.text,
        "x0": round(character.x0, 2),
        "x1": round(character.x1, 2),
        "confidence": round(character.confidence, 4),
    }
    if character.alternatives:
        values["alternatives"] = [
            {"text": text, "confidence": round(confidence, 4)}
            for text, confidence in character.alternatives
        ]
    return values
