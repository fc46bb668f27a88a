"""Where two texts differ, in stretches that a page can colour."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from ocrlstm.text import graphemes

__all__ = ["Stretch", "list_differences"]


@dataclass(frozen=True)
class Stretch:
    """A stretch of a line that is all right, or all wrong in one way.

    Attributes
    ----------
    kind : {"equal", "replace", "delete", "insert"}
        "delete" stands there and was not read, "insert" was read and does not stand there.
    truth, reading : str
        What stands there, and what was read; joined over all stretches they give both texts.
    """

    kind: str
    truth: str
    reading: str


def list_differences(truth: str, reading: str) -> list[Stretch]:
    """Cut two texts into stretches of one cheapest alignment.

    Graphemes are compared, so that no accent is torn from its letter; a count of code points may
    differ.

    Parameters
    ----------
    truth, reading : str
        Ground truth and what was read.

    Returns
    -------
    list of Stretch

    Examples
    --------
    >>> [(s.kind, s.truth, s.reading) for s in list_differences("fur", "fars!")]
    [('equal', 'f', 'f'), ('replace', 'u', 'a'), ('equal', 'r', 'r'), ('insert', '', 's!')]
    """
    left, right = graphemes(truth), graphemes(reading)
    return [
        Stretch(
            code.tag,
            "".join(left[code.src_start : code.src_end]),
            "".join(right[code.dest_start : code.dest_end]),
        )
        for code in Levenshtein.opcodes(left, right)
    ]
