"""What an evaluation found, as records."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ocrlstm.evaluation.compare import Comparison
from ocrlstm.evaluation.confusions import Confusion
from ocrlstm.evaluation.groups import Group
from ocrlstm.evaluation.reliability import Reliability
from ocrlstm.evaluation.scripts import ScriptErrors
from ocrlstm.evaluation.spaces import SpaceErrors
from ocrlstm.evaluation.variants import Variant

__all__ = ["Details", "LineResult", "Report"]


@dataclass(frozen=True)
class LineResult:
    """One line that was read wrongly.

    Attributes
    ----------
    name : str
        What the caller calls the line, most often the path of its image.
    truth, prediction : str
        Ground truth and what was read, both normalised.
    edits : int
        Code point edits between them.
    """

    name: str
    truth: str
    prediction: str
    edits: int


@dataclass(frozen=True)
class Details:
    """What an evaluation finds beyond the rates, of the same lines.

    Attributes
    ----------
    cer_by_longer : float
        Edits over the sum of the lengths of the longer text of each line, truth or reading; never
        above 1. The rate of Wick, Reul and Puppe (Calamari, Digital Humanities Quarterly 14(2),
        2020), for comparison with theirs only.
    variants : tuple of Variant
        Character error rates without regard to case, punctuation, spaces, diacritics, all of them.
    spaces : SpaceErrors
    scripts : tuple of ScriptErrors
        Errors by the script of the character that stands there.
    context_confusions : tuple of Confusion
        Stretches read as others, with what is around them and an example.
    """

    cer_by_longer: float
    variants: tuple[Variant, ...]
    spaces: SpaceErrors
    scripts: tuple[ScriptErrors, ...]
    context_confusions: tuple[Confusion, ...]


@dataclass(frozen=True)
class Report:
    """How well some lines were read. All rates are fractions, so 0.01 is one per cent.

    Attributes
    ----------
    cer : float
        Character error rate, ``edits / characters``.
    edits, characters : int
        Code point edits, and code points of the ground truth, after normal form and collapsed
        blanks.
    wer : float
        Word error rate, ``word_edits / words``; words are what spaces separate.
    word_edits, words : int
        The same counts in words.
    lines, exact_lines : int
        All lines, and those without any edit.
    cer_interval : tuple of (float, float)
        95 % bootstrap interval of `cer`, drawn over lines.
    confusions : tuple of (str, str, int)
        What stands there, what was read, how often; most common first. "" on the left is something
        read too much, "" on the right something not read.
    worst : tuple of LineResult
        The lines with most edits, worst first; none that is right.
    details : Details or None
        If they were asked for.
    groups : tuple of Group
        The same by book or folder; empty if that was not asked for.
    reliability : Reliability or None
        How the confidences came true; None for readings without confidences.
    comparison : Comparison or None
        With another reading of the same lines.
    """

    cer: float
    edits: int
    characters: int
    wer: float
    word_edits: int
    words: int
    lines: int
    exact_lines: int
    cer_interval: tuple[float, float]
    confusions: tuple[tuple[str, str, int], ...] = ()
    worst: tuple[LineResult, ...] = ()
    details: Details | None = None
    groups: tuple[Group, ...] = ()
    reliability: Reliability | None = None
    comparison: Comparison | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-able values under the names of the attributes.

        Those of `details` stand beside the others, ``variants`` under their names. What was not
        asked for is left out.
        """
        values = asdict(self)
        values["cer_interval"] = list(self.cer_interval)
        values["confusions"] = [
            {"truth": truth, "read": read, "count": count} for truth, read, count in self.confusions
        ]
        values["worst"] = list(values["worst"])
        if (details := values.pop("details")) is not None:
            details["variants"] = {each.pop("name"): each for each in details["variants"]}
            values.update(details)
        for optional in ("groups", "reliability", "comparison"):
            if not values[optional]:
                del values[optional]
        return values
