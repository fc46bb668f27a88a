"""``ocrlstm evaluate``: how well a model, or any set of texts, agrees with the ground truth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.options import paths_argument, reading_options
from ocrlstm.cli.outputs import output_names
from ocrlstm.datasets import LinePair, find_pairs, image_stem
from ocrlstm.errors import DatasetError
from ocrlstm.evaluation import format_report, score
from ocrlstm.image import source_name
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.recognition import Ensemble, Recognizer, load_models
from ocrlstm.text import TextRules, describe_missing, find_missing, normalize_text

__all__ = ["command"]


@click.command(name="evaluate", short_help="Score a model, or texts, against ground truth.")
@paths_argument
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--predictions",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Score the texts NAME.txt in this folder (as `recognize -o` writes them) instead of "
    "reading the images.",
)
@click.option(
    "--worst",
    metavar="N",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the worst lines to show.",
)
def command(
    paths: tuple[str, ...],
    models: tuple[str, ...],
    as_json: bool,
    predictions: Path | None,
    worst: int,
    threads: int | None,
    max_pixels: int,
    decoder: str,
    batch_size: int,
) -> int:
    """Score a model, or texts that exist already, against ground truth.

    PATH is a folder, an image, a page in PAGE XML or ALTO, a table of lines name<TAB>text, a glob
    or @list.txt. The text of NAME.png is expected beside it as NAME.gt.txt. An image that cannot be
    read counts as an empty text; characters that the model does not know are told, and count as
    errors. Texts are compared in the model's normal form and by its text rules; with --predictions
    and without a model, in NFC.
    """
    use_utf8_output()
    set_thread_count(threads)
    with Reporter("reading pages", 0) as reporter:
        found = find_pairs(paths, reporter.set_progress)
    pairs, without_text = found.pairs, found.without_text
    recognizer = None
    if models or predictions is None:
        recognizer = load_models(
            models, decoder=decoder, max_pixels=max_pixels, batch_size=batch_size
        )
    normal_form = "NFC" if recognizer is None else recognizer.codec.normal_form
    rules = TextRules() if recognizer is None else recognizer.rules
    with Reporter("reading", len(pairs)) as reporter:
        if without_text:
            count = len(without_text)
            have = "image has no text and does" if count == 1 else "images have no text and do"
            reporter.note(f"{count} {have} not count (first: {without_text[0]})")
        for problem in found.problems:
            reporter.note(f"{problem}; does not count")
        pairs, truths = _read_truths(pairs, normal_form, rules, reporter)
        left_out = len(found.problems) + len(found.pairs) - len(pairs)
        if predictions is not None:
            images = [*(Path(pair.name) for pair in found.pairs), *without_text]
            read = _find_predictions(predictions, images, pairs, reporter)
            read = [text and rules.apply(text) for text in read]
        elif recognizer is not None:
            named = zip((source_name(pair.text_name) for pair in pairs), truths, strict=True)
            if lacking := find_missing(recognizer.codec, named):
                reporter.note(
                    "unknown to the model and counted as an error wherever it occurs: "
                    f"{describe_missing(lacking)}"
                )
            read = _recognize(recognizer, pairs, threads, reporter)
    unread = read.count(None)
    if unread == len(pairs):
        return 2
    report = score(
        truths,
        [text or "" for text in read],
        [source_name(pair) for pair in pairs],
        normal_form=normal_form,
        worst=worst,
    )
    if as_json:
        values = {**report.to_dict(), "normal_form": normal_form, "unread": unread}
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        click.echo(format_report(report))
    return 1 if unread or left_out else 0


def _read_truths(
    pairs: Sequence[LinePair], normal_form: str, rules: TextRules, reporter: Reporter
) -> tuple[list[LinePair], list[str]]:
    """Read the ground truth; a pair without a usable text is told and left out."""
    kept: list[LinePair] = []
    truths: list[str] = []
    faults: list[DatasetError] = []
    for pair in pairs:
        try:
            truths.append(rules.apply(pair.read_text()))
            kept.append(pair)
        except DatasetError as error:
            faults.append(error)
    if not kept:
        # With one line its own fault says all; with many, the first is an example.
        count = f" (and no other of the {len(faults)} texts is usable)" if len(faults) > 1 else ""
        raise DatasetError(f"{faults[0]}{count}")
    for fault in faults:
        reporter.note(f"{fault}; the line does not count")
    is_empty = [not normalize_text(truth, normal_form) for truth in truths]
    if all(is_empty):
        count = f" (as are all {len(kept)})" if len(kept) > 1 else ""
        raise DatasetError(f"{kept[0].text_name}: the text is empty{count}, nothing can be scored")
    for pair, empty in zip(kept, is_empty, strict=True):
        if empty:
            reporter.note(f"{pair.text_name}: the text is empty; all that is read counts as error")
    return kept, truths


def _recognize(
    recognizer: Recognizer | Ensemble,
    pairs: Sequence[LinePair],
    threads: int | None,
    reporter: Reporter,
) -> list[str | None]:
    read: list[str | None] = []
    for line in recognizer.recognize_lines(pairs, threads=threads):
        if line.error is not None:
            reporter.note(f"{line.error}; counts as empty")
        read.append(line.text if line.error is None else None)
        reporter.advance()
    return read


def _find_predictions(
    folder: Path, images: Sequence[Path], pairs: Sequence[LinePair], reporter: Reporter
) -> list[str | None]:
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder of predictions")
    # Named for all images, with or without text, just as `recognize -o` did it.
    names = dict(zip(images, output_names(images, ".txt"), strict=True))
    read: list[str | None] = []
    for pair in pairs:
        # Programs that know NAME.bin.png as NAME write NAME.txt.
        by_text = Path(pair.text_name).name.removesuffix(".gt.txt")
        candidates = [folder / names[Path(pair.name)]]
        if by_text != image_stem(Path(pair.name)):
            candidates.append(candidates[0].with_name(f"{by_text}.txt"))
        path = next((path for path in candidates if path.is_file()), None)
        if path is None:
            reporter.note(f"{candidates[0]}: no such prediction; counts as empty")
            read.append(None)
            continue
        try:
            # Other programs end a text with a form feed or break it; blanks are collapsed later.
            read.append(path.read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError as error:
            reporter.note(f"{path}: not UTF-8 (offset {error.start}); counts as empty")
            read.append(None)
    return read
