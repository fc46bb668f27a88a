"""``ocrlstm evaluate``: how well a model, or any set of texts, agrees with the ground truth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.decoding_options import Decoding, load_readers
from ocrlstm.cli.options import paths_argument, reading_options
from ocrlstm.cli.outputs import prepare_file
from ocrlstm.cli.readings import find_predictions, read_by_model, read_truths
from ocrlstm.datasets import FoundPairs, LinePair, find_pairs
from ocrlstm.errors import DatasetError, ImageError
from ocrlstm.evaluation import Report, compare, format_report, group_names, report_page, score
from ocrlstm.image import png_bytes, source_name
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import write_atomically
from ocrlstm.text import TextRules

__all__ = ["command"]


@click.command(name="evaluate", short_help="Score a model, or texts, against ground truth.")
@paths_argument
@reading_options
@click.option(
    "--predictions",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Score the texts NAME.txt in this folder (as `recognize -o` writes them) instead of "
    "reading the images.",
)
@click.option(
    "--against", metavar="MODEL", help="Compare with this model, line by line, and tell chance."
)
@click.option(
    "--against-predictions",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Compare with the texts NAME.txt in this folder.",
)
@click.option(
    "--by",
    metavar="folder|REGEX",
    help="Also score groups of lines: those of one folder, or those in whose names the regular "
    "expression matches the same text (its first group if it has one).",
)
@click.option(
    "--worst",
    metavar="N",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the worst lines to show.",
)
@click.option("--full", is_flag=True, help="Print errors by script too, and tables to their end.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write a page with all tables, and the worst lines with their pictures.",
)
def command(
    paths: tuple[str, ...],
    models: tuple[str, ...],
    predictions: Path | None,
    against: str | None,
    against_predictions: Path | None,
    by: str | None,
    worst: int,
    full: bool,
    as_json: bool,
    html: Path | None,
    threads: int | None,
    max_pixels: int,
    decoding: Decoding,
    batch_size: int,
) -> int:
    """Score a model, or texts that exist already, against ground truth.

    PATH is a folder, an image, a page in PAGE XML or ALTO, a table of lines name<TAB>text, a pack,
    a glob or @list.txt. The text of NAME.png is expected beside it as NAME.gt.txt. An image that
    cannot be read counts as an empty text; characters that the model does not know are told, and
    count as errors. Texts are compared in the model's normal form and by its text rules; with
    --predictions and without a model, in NFC. Texts have no confidences, so --predictions gives no
    table of them.
    """
    use_utf8_output()
    if against is not None and against_predictions is not None:
        raise click.UsageError("give --against or --against-predictions, not both")
    if by is not None:
        _check_groups(by)
    if html is not None:
        prepare_file(html, "--html")
    set_thread_count(threads)
    options: dict[str, Any] = {"max_pixels": max_pixels, "batch_size": batch_size}
    with Reporter("reading pages", 0) as reporter:
        found = find_pairs(paths, reporter.set_progress)
    recognizer = None
    if models or predictions is None:
        recognizer = load_readers(models, decoding, **options)
    other = None if against is None else load_readers([against], decoding, **options)
    normal_form = "NFC" if recognizer is None else recognizer.codec.normal_form
    rules = TextRules() if recognizer is None else recognizer.rules
    images = [*(Path(pair.name) for pair in found.pairs), *found.without_text]

    with Reporter("reading", len(found.pairs)) as reporter:
        for note in _notes(found):
            reporter.note(note)
        pairs, truths = read_truths(found.pairs, normal_form, rules, reporter)
        if predictions is not None:
            reading = find_predictions(predictions, images, pairs, rules, reporter)
        elif recognizer is not None:
            reading = read_by_model(recognizer, pairs, truths, threads, reporter)
    if reading.unread == len(pairs):
        return 2
    second = None
    with Reporter("reading again", len(pairs)) as reporter:
        if against_predictions is not None:
            second = find_predictions(against_predictions, images, pairs, rules, reporter)
        elif other is not None:
            second = read_by_model(other, pairs, truths, threads, reporter)

    names = [source_name(pair) for pair in pairs]
    report = score(
        truths,
        reading.texts,
        names,
        normal_form,
        worst=worst,
        details=True,
        groups=None if by is None else group_names(names, by),
    )
    report = replace(report, reliability=reading.reliability)
    if second is not None:
        texts = [rules.apply(text) for text in second.texts]
        comparison = compare(truths, reading.texts, texts, names, normal_form, most=worst)
        report = replace(report, comparison=comparison)
    if as_json:
        values = {**report.to_dict(), "normal_form": normal_form, "unread": reading.unread}
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        click.echo(format_report(report, full))
    if html is not None:
        facts = [
            ("lines of", " ".join(paths)),
            ("read by", str(predictions or " ".join(models) or "the default model")),
        ]
        if second is not None:
            facts.append(("compared with", str(against or against_predictions)))
        _write_page(html, report, facts, dict(zip(names, pairs, strict=True)), max_pixels)
    left_out = len(found.problems) + len(found.pairs) - len(pairs)
    unread = reading.unread + (0 if second is None else second.unread)
    return 1 if unread or left_out else 0


def _check_groups(by: str) -> None:
    try:
        group_names([], by)
    except ValueError as error:
        raise click.BadParameter(f"{error}; give folder or another", param_hint="'--by'") from error


def _notes(found: FoundPairs) -> Iterator[str]:
    """Tell what does not count."""
    if found.without_text:
        count = len(found.without_text)
        have = "image has no text and does" if count == 1 else "images have no text and do"
        yield f"{count} {have} not count (first: {found.without_text[0]})"
    for problem in found.problems:
        yield f"{problem}; does not count"


def _write_page(
    path: Path,
    report: Report,
    facts: Sequence[tuple[str, str]],
    pairs: dict[str, LinePair],
    max_pixels: int,
) -> None:
    shown = {line.name for line in report.worst}
    if report.comparison is not None:
        shown |= {line.name for line in report.comparison.differing}
    pictures = {}
    for name in shown:
        try:
            pictures[name] = png_bytes(pairs[name].read_ink(max_pixels))
        except (ImageError, DatasetError):
            # It was told when it could not be read.
            continue
    page = report_page(report, "How well the lines were read", facts, pictures)
    write_atomically(path, page.encode("utf-8"))
