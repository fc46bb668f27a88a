"""What an evaluation found, as records and as text for the terminal."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["LineResult", "Report", "format_report"]

# Confusions printed; `Report.to_dict` has them all.
_SHOWN = 10


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

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-able values under the names of the attributes."""
        values = asdict(self)
        values["cer_interval"] = list(self.cer_interval)
        values["confusions"] = [
            {"truth": truth, "read": read, "count": count} for truth, read, count in self.confusions
        ]
        values["worst"] = list(values["worst"])
        return values


def format_report(report: Report) -> str:
    """Return a report as plain text for the terminal.

    Parameters
    ----------
    report : Report
        What to show.

    Returns
    -------
    str
        Several lines, no newline at the end.
    """
    low, high = report.cer_interval
    rows = [
        f"CER    {report.cer:.2%} (95 % interval {low:.2%} to {high:.2%}), "
        f"{report.edits} edits in {report.characters} characters",
        f"WER    {report.wer:.2%}, {report.word_edits} edits in {report.words} words",
        f"lines  {report.exact_lines} of {report.lines} without error",
    ]
    if report.confusions:
        rows += ["", "most common errors (count, truth, read)"]
        rows += [
            f"{count:7d}  {_quote(truth):6} {_quote(read)}"
            for truth, read, count in report.confusions[:_SHOWN]
        ]
    if report.worst:
        rows += ["", "worst lines (edits, name, truth, read)"]
    for line in report.worst:
        rows += [f"{line.edits:7d}  {line.name}", f"{'':9}{line.truth}", f"{'':9}{line.prediction}"]
    return "\n".join(rows)


def _quote(character: str) -> str:
    """Show a character in quotes, so that a space and nothing can be told apart."""
    return f'"{character}"' if character else "-"
