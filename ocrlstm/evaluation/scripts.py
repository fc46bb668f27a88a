"""Errors by the script of the character that stands there."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ocrlstm.evaluation.alignment import list_confusions
from ocrlstm.text import script_of

__all__ = ["ScriptErrors", "count_script_errors"]

# Characters that all scripts share, by the first letter of their category.
_SHARED = {"N": "digits", "P": "punctuation", "Z": "spaces"}


@dataclass(frozen=True)
class ScriptErrors:
    """How the characters of one script were read.

    Attributes
    ----------
    script : str
        The Unicode script, such as "Latin"; of characters that scripts share "digits",
        "punctuation", "spaces", "symbols" or "combining marks".
    characters : int
        Code points of the ground truth.
    replaced, deleted : int
        Those read as another, and those not read. What was read too much belongs to no script.
    rate : float
        Share of the characters that is wrong.
    """

    script: str
    characters: int
    replaced: int
    deleted: int
    rate: float


def count_script_errors(lines: Iterable[tuple[str, str]]) -> tuple[ScriptErrors, ...]:
    """Count the errors of every script, in one cheapest alignment of every line.

    Parameters
    ----------
    lines : iterable of (str, str)
        Ground truth and what was read, both normalised.

    Returns
    -------
    tuple of ScriptErrors
        The script with most characters first.

    Examples
    --------
    >>> [(s.script, s.characters, s.replaced, s.deleted)
    ...  for s in count_script_errors([("αβ ab1", "aβab2")])]
    [('Greek', 2, 1, 0), ('Latin', 2, 0, 0), ('digits', 1, 1, 0), ('spaces', 1, 0, 1)]
    """
    characters: Counter[str] = Counter()
    replaced: Counter[str] = Counter()
    deleted: Counter[str] = Counter()
    for truth, prediction in lines:
        characters.update(truth)
        for stands, read in list_confusions(truth, prediction):
            if stands:
                (replaced if read else deleted)[_class_of(stands)] += 1
    totals: Counter[str] = Counter()
    for character, count in characters.items():
        totals[_class_of(character)] += count
    return tuple(
        ScriptErrors(
            script,
            total,
            replaced[script],
            deleted[script],
            (replaced[script] + deleted[script]) / total,
        )
        for script, total in sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    )


def _class_of(character: str) -> str:
    script = script_of(character)
    if script == "Inherited":
        return "combining marks"
    if script == "Common":
        return _SHARED.get(unicodedata.category(character)[0], "symbols")
    return script
