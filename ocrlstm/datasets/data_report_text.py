"""A report on a data set for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocrlstm.datasets.data_report import DATA_KINDS, DataReport
from ocrlstm.text import FINDINGS, CharacterUse, TextSurvey

__all__ = ["format_data_report"]

# Characters that occur no more often can hardly be learnt.
_RARE = 2
_INDENT = " " * 6


def format_data_report(report: DataReport, shown: int = 3, histogram: bool = False) -> str:
    """Write a report as lines of text.

    Parameters
    ----------
    report : DataReport
    shown : int
        Findings of each kind that are shown; the others are counted.
    histogram : bool
        Show all characters, the most frequent first, and not the rare ones only.

    Returns
    -------
    str
        Without a line end.
    """
    return "\n".join(
        [
            *_summary(report),
            *_findings("errors", report, True, shown),
            *_findings("notes", report, False, shown),
            *_texts(report.texts, shown),
            *(_histogram(report.texts) if histogram else _rare(report.texts, shown)),
        ]
    )


def _summary(report: DataReport) -> Iterator[str]:
    stopped = "" if report.complete else " (stopped before the end)"
    yield f"{report.pairs} pairs{stopped}, {report.usable} of them without errors"
    if report.cer is not None:
        yield f"the model reads {report.lines_read} lines with a CER of {100 * report.cer:.2f} %"
    if report.unsuited_model:
        yield (
            "most lines are read as something else: rather than mispairs that is a model of other "
            "prints or another spelling"
        )


def _findings(title: str, report: DataReport, error: bool, shown: int) -> Iterator[str]:
    kinds = [kind for kind in report.findings if DATA_KINDS[kind].error == error]
    if kinds:
        yield f"\n{title}"
    for kind in kinds:
        found = report.findings[kind]
        titles = DATA_KINDS[kind]
        yield f"  {len(found)} {titles.title if len(found) == 1 else titles.titles}"
        yield from _some([str(finding) for finding in found], shown)


def _texts(survey: TextSurvey, shown: int) -> Iterator[str]:
    if survey.findings:
        yield "\nin the texts (notes)"
    for kind, title in FINDINGS.items():
        found = [finding for finding in survey.findings if finding.kind == kind]
        if not found:
            continue
        yield f"  {title}"
        told = []
        for finding in found:
            times = "once" if finding.count == 1 else f"{finding.count} times"
            rule = f"; --text-rule {finding.rule} mends it" if finding.rule else ""
            gone = "" if finding.remains else "; normal form and rules mend it"
            told.append(f"{finding.what}: {times}, first in {finding.names[0]}{rule or gone}")
        yield from _some(told, shown)


def _rare(survey: TextSurvey, shown: int) -> Iterator[str]:
    rare = survey.rare(_RARE)
    yield f"\n{len(survey.characters)} characters, {len(rare)} of them only once or twice"
    yield from _some([f"{_describe(use)}, first in {use.names[0]}" for use in rare], shown)


def _histogram(survey: TextSurvey) -> Iterator[str]:
    yield f"\n{len(survey.characters)} characters: occurrences, texts that have it"
    for use in sorted(survey.characters, key=lambda use: -use.count):
        yield f"{use.count:8d} {use.texts:7d}  {_describe(use)}"


def _describe(use: CharacterUse) -> str:
    codes = " ".join(f"U+{ord(code):04X}" for code in use.character)
    return f"'{use.character}' {codes} {use.name}"


def _some(lines: Sequence[str], shown: int) -> Iterator[str]:
    for line in lines[:shown]:
        yield _INDENT + line
    if shown and len(lines) > shown:
        yield f"{_INDENT}and {len(lines) - shown} more"
