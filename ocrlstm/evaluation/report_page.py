"""A report as one HTML page that needs nothing else: tables, diagram, worst lines with pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ocrlstm.evaluation.compare import Comparison
from ocrlstm.evaluation.confusions import Confusion
from ocrlstm.evaluation.diagram import reliability_diagram
from ocrlstm.evaluation.groups import Group
from ocrlstm.evaluation.lines_page import ShownLine, lines_section
from ocrlstm.evaluation.page import escape_html, facts_table, html_page, html_table
from ocrlstm.evaluation.reliability import Reliability
from ocrlstm.evaluation.report import Details, Report
from ocrlstm.evaluation.scripts import ScriptErrors

__all__ = ["report_page"]

# Confusions that happen once are many, and in the JSON report.
_MOST_CONFUSIONS = 200

Picture = bytes | np.ndarray


def report_page(
    report: Report,
    title: str,
    facts: Sequence[tuple[str, str]] = (),
    pictures: Mapping[str, Picture] | None = None,
) -> str:
    """Return a report as an HTML page.

    Parameters
    ----------
    report : Report
        With everything that shall be shown.
    title : str
    facts : sequence of (str, str)
        Names and values that the report does not know, such as the model's path.
    pictures : mapping of str to bytes or ndarray, optional
        Name of a line -> its picture, see `ShownLine`.

    Returns
    -------
    str
        HTML; written as UTF-8 it is complete.

    Raises
    ------
    ValueError
        If a picture is none.
    """
    pictures = pictures or {}
    sections = [facts_table([*facts, *_headline(report)])]
    if report.comparison is not None:
        sections.append(_comparison(report.comparison, pictures))
    if report.groups:
        sections.append(_groups(report.groups))
    if report.details is not None:
        sections.append(_variants(report.details))
    sections.append(_reliability(report.reliability))
    if report.details is not None:
        sections.append(_spaces(report.details))
        sections.append(_scripts(report.details.scripts))
        sections.append(_confusions(report.details.context_confusions))
    worst = [
        ShownLine(line.name, line.truth, line.prediction, line.edits, pictures.get(line.name))
        for line in report.worst
    ]
    sections.append(f"<h2>Worst lines</h2>\n{lines_section(worst)}")
    return html_page(title, f"<h1>{escape_html(title)}</h1>\n" + "\n".join(sections))


def _headline(report: Report) -> list[tuple[str, str]]:
    low, high = report.cer_interval
    return [
        (
            "CER",
            f"{report.cer:.2%} (95 % interval {low:.2%} to {high:.2%}), {report.edits} edits in "
            f"{report.characters} characters",
        ),
        ("WER", f"{report.wer:.2%}, {report.word_edits} edits in {report.words} words"),
        ("lines", f"{report.exact_lines} of {report.lines} without error"),
    ]


def _variants(details: Details) -> str:
    rows = [
        [each.name, f"{each.cer:.2%}", each.edits, each.characters] for each in details.variants
    ]
    rows.append(["(edits / longer text, not the CER)", f"{details.cer_by_longer:.2%}", "", ""])
    heads = ["without regard to", "CER", "edits", "characters"]
    return _table("CER without some differences", heads, rows)


def _spaces(details: Details) -> str:
    found = details.spaces
    heads = ["in the truth", "lost", "read as another", "invented", "read for another"]
    row = [found.spaces, found.lost, found.as_other, found.invented, found.for_other]
    return _table("Spaces", heads, [row])


def _scripts(scripts: Sequence[ScriptErrors]) -> str:
    rows = [
        [each.script, f"{each.rate:.2%}", each.characters, each.replaced, each.deleted]
        for each in scripts
    ]
    heads = ["script", "wrong", "characters", "replaced", "deleted"]
    return _table("By script of what stands there", heads, rows)


def _groups(groups: Sequence[Group]) -> str:
    rows = [
        [
            each.name,
            f"{each.cer:.2%}",
            f"{each.cer_interval[0]:.2%} to {each.cer_interval[1]:.2%}",
            each.edits,
            each.characters,
            f"{each.exact_lines} of {each.lines}",
        ]
        for each in groups
    ]
    heads = ["group", "CER", "95 % interval", "edits", "characters", "exact lines"]
    return _table("By group", heads, rows)


def _confusions(confusions: Sequence[Confusion]) -> str:
    rows: list[list[object]] = []
    for each in confusions[:_MOST_CONFUSIONS]:
        places = "; ".join(
            f"{place.before}[{each.truth}]{place.after} ({place.name})" for place in each.contexts
        )
        rows.append([each.count, _quote(each.truth), _quote(each.read), places])
    return _table("Most common errors", ["count", "truth", "read", "where most often"], rows)


def _reliability(found: Reliability | None) -> str:
    if found is None:
        return "<h2>Confidence</h2>\n<p>These readings came without confidences.</p>"
    facts = [
        ("characters read", str(found.characters)),
        ("mean confidence", f"{found.confidence:.2%}"),
        ("right", f"{found.accuracy:.2%}"),
        ("expected calibration error, bins of equal width", f"{found.ece_equal_width:.2%}"),
        ("expected calibration error, bins of equal mass", f"{found.ece_equal_mass:.2%}"),
    ]
    rows = [
        [
            f"{each.low:.1f} to {each.high:.1f}",
            each.count,
            f"{each.confidence:.1%}",
            f"{each.accuracy:.1%}",
        ]
        for each in found.bins
    ]
    table = html_table(["read with", "characters", "mean confidence", "right"], rows)
    return f"<h2>Confidence</h2>\n{facts_table(facts)}\n{reliability_diagram(found)}\n{table}"


def _comparison(found: Comparison, pictures: Mapping[str, Picture]) -> str:
    low, high = (100 * bound for bound in found.difference_interval)
    facts = [
        ("CER of the other reading", f"{found.other_cer:.2%}"),
        (
            "difference",
            f"{100 * found.difference:+.2f} points (95 % interval {low:+.2f} to {high:+.2f}); "
            "below zero the first is better",
        ),
        ("p-value", f"{found.p_value:.2g}"),
        (
            f"of {found.resamples} resamples",
            f"better in {found.better_share:.1%}, worse in {found.worse_share:.1%}",
        ),
        (
            "lines",
            f"{found.lines_better} better, {found.lines_worse} worse, {found.lines_equal} equal",
        ),
    ]
    lines = [
        ShownLine(
            line.name,
            line.truth,
            line.first,
            line.first_edits,
            pictures.get(line.name),
            f"the other reading, {line.second_edits} edits: {line.second}",
        )
        for line in found.differing
    ]
    shown = f"<h3>Lines that differ most</h3>\n{lines_section(lines)}" if lines else ""
    return f"<h2>Against the other reading</h2>\n{facts_table(facts)}\n{shown}"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return f"<h2>{escape_html(title)}</h2>\n{html_table(heads, rows)}"


def _quote(text: str) -> str:
    """Show a text in quotes, so that a space and nothing can be told apart."""
    return f'"{text}"' if text else "nothing"
