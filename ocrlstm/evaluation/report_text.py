"""A report as plain text: the headline first, then what one looks at next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocrlstm.evaluation.compare import Comparison
from ocrlstm.evaluation.confusions import Confusion
from ocrlstm.evaluation.groups import Group
from ocrlstm.evaluation.reliability import Reliability
from ocrlstm.evaluation.report import Details, Report
from ocrlstm.evaluation.scripts import ScriptErrors

__all__ = ["format_report"]

# Rows of a table, unless all of it is wanted; `Report.to_dict` has everything.
_SHOWN = 10


def format_report(report: Report, full: bool = False) -> str:
    """Return a report as plain text for the terminal.

    Parameters
    ----------
    report : Report
        What to show.
    full : bool, default=False
        Also errors by script, and tables to their end.

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
    shown = None if full else _SHOWN
    if report.details is not None:
        rows += _details(report.details)
    if report.comparison is not None:
        rows += ["", *_comparison(report.comparison)]
    if report.groups:
        rows += ["", *_groups(report.groups)]
    if report.reliability is not None:
        rows += ["", *_reliability(report.reliability)]
    if full and report.details is not None:
        rows += ["", *_scripts(report.details.scripts)]
    if report.details is not None and report.details.context_confusions:
        rows += ["", *_contexts(report.details.context_confusions[:shown])]
    elif report.confusions:
        rows += ["", "most common errors (count, truth, read)"]
        rows += [
            f"{count:7d}  {_quote(truth):6} {_quote(read)}"
            for truth, read, count in report.confusions[:shown]
        ]
    if report.worst:
        rows += ["", "worst lines (edits, name, truth, read)"]
    for line in report.worst:
        rows += [f"{line.edits:7d}  {line.name}", f"{'':9}{line.truth}", f"{'':9}{line.prediction}"]
    return "\n".join(rows)


def _details(details: Details) -> Iterator[str]:
    rates = [
        f"{'all four' if each.name == 'all' else each.name} {each.cer:.2%}"
        for each in details.variants
    ]
    yield f"       CER without regard to {', '.join(rates)}"
    yield f"       edits / longer text {details.cer_by_longer:.2%} (not the CER)"
    spaces = details.spaces
    yield (
        f"       of {spaces.spaces} spaces {spaces.lost} lost, {spaces.as_other} read as others; "
        f"{spaces.invented} invented, {spaces.for_other} read for others"
    )


def _comparison(found: Comparison) -> Iterator[str]:
    low, high = (100 * bound for bound in found.difference_interval)
    yield (
        f"against the other reading, whose CER is {found.other_cer:.2%}: "
        f"{100 * found.difference:+.2f} points (95 % interval {low:+.2f} to {high:+.2f}), "
        f"p = {found.p_value:.2g}"
    )
    yield (
        f"       better in {found.better_share:.1%} and worse in {found.worse_share:.1%} of "
        f"{found.resamples} resamples"
    )
    yield (
        f"       {found.lines_better} lines better, {found.lines_worse} worse, "
        f"{found.lines_equal} equal"
    )
    if found.differing:
        yield ""
        yield "lines that differ most (edits and those of the other, name, truth, both readings)"
    for line in found.differing:
        yield f"{line.first_edits:4d} {line.second_edits:4d}  {line.name}"
        yield from (f"{'':11}{text}" for text in (line.truth, line.first, line.second))


def _groups(groups: Sequence[Group]) -> Iterator[str]:
    yield "by group (CER, 95 % interval, edits, characters, exact lines, lines, name)"
    for each in groups:
        low, high = each.cer_interval
        yield (
            f"{each.cer:8.2%}  {low:7.2%} to {high:7.2%} {each.edits:6d} {each.characters:7d} "
            f"{each.exact_lines:6d} {each.lines:6d}  {each.name}"
        )


def _reliability(found: Reliability) -> Iterator[str]:
    yield (
        f"confidence of {found.characters} characters read: mean {found.confidence:.2%}, "
        f"{found.accuracy:.2%} are right"
    )
    yield (
        f"       expected calibration error {found.ece_equal_width:.2%} (bins of equal width), "
        f"{found.ece_equal_mass:.2%} (of equal mass)"
    )
    yield "       read with    count   mean  right"
    for each in found.bins:
        yield (
            f"       {each.low:.1f} to {each.high:.1f} {each.count:8d} {each.confidence:6.1%} "
            f"{each.accuracy:6.1%}"
        )


def _scripts(scripts: Sequence[ScriptErrors]) -> Iterator[str]:
    yield "by script of what stands there (wrong, characters, replaced, deleted)"
    for each in scripts:
        yield (
            f"{each.rate:8.2%} {each.characters:8d} {each.replaced:7d} {each.deleted:7d}  "
            f"{each.script}"
        )


def _contexts(confusions: Sequence[Confusion]) -> Iterator[str]:
    yield "most common errors (count, truth, read, most often where, for example)"
    for each in confusions:
        place = each.contexts[0]
        where = f"{place.before}[{each.truth}]{place.after}"
        yield (
            f"{each.count:7d}  {_quote(each.truth):6} {_quote(each.read):6} {where:16} {place.name}"
        )


def _quote(character: str) -> str:
    """Show a character in quotes, so that a space and nothing can be told apart."""
    return f'"{character}"' if character else "-"
