"""``ocrlstm crossfold``: k models of the same lines, which read best together."""

from __future__ import annotations

import shlex
import threading
from pathlib import Path
from typing import Any

import click

from ocrlstm.cli.console import use_utf8_output
from ocrlstm.cli.options import max_pixels_option, paths_argument, threads_option
from ocrlstm.cli.signals import stopped_by_signals
from ocrlstm.cli.train import make_config, training_options
from ocrlstm.cli.training_console import TrainingConsole, format_clock
from ocrlstm.training import CrossfoldResult, FoldEvent, FoldResult, crossfold

__all__ = ["command"]


@click.command(name="crossfold", short_help="Train several models of the same lines that vote.")
@paths_argument
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    required=True,
    help="Where the folds are kept: fold-1.safetensors, fold-1.ckpt, ...",
)
@click.option(
    "-k",
    "--folds",
    metavar="K",
    type=click.IntRange(2, 1000),
    default=5,
    show_default=True,
    help="How many models; each line is held back from one of them.",
)
@click.option(
    "--by",
    metavar="WHAT",
    default="line",
    show_default=True,
    help="What stays in one fold: line, folder, file (the lines of a page), or a regular "
    "expression whose first group names the book or page in the path.",
)
@click.option(
    "--fold",
    "only",
    metavar="N",
    type=click.IntRange(min=1),
    multiple=True,
    help="Train this fold alone, for instance one on each machine; may be repeated.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Folds at a time, each in a process of its own with its share of the threads.",
)
@training_options("validation_share")
@threads_option
@max_pixels_option
def command(
    paths: tuple[str, ...],
    output: Path,
    folds: int,
    by: str,
    only: tuple[int, ...],
    jobs: int,
    threads: int | None,
    max_pixels: int,
    **settings: Any,
) -> int:
    """Train several models of the same lines, each validated on lines that it never learnt.

    The same command again goes on where it stopped: finished folds are skipped, the others taken
    up from their checkpoints. Settings are those of `ocrlstm train`, for each fold. A fold that
    fails does not stop the others; Ctrl-C stops all of them cleanly.
    """
    use_utf8_output()
    if any(number > folds for number in only):
        raise click.UsageError(f"--fold {max(only)}: there are only {folds} folds")
    config = make_config({name: value for name, value in settings.items() if value is not None})
    stop = threading.Event()
    with stopped_by_signals(stop), TrainingConsole(folds=True) as console:

        def report(number: int, event: FoldEvent) -> None:
            if not isinstance(event, FoldResult):
                console.report(event, number)
                return
            console.end(number)
            console.note(_describe(event), number)

        result = crossfold(
            paths,
            config,
            output,
            folds,
            by=by,
            only=only,
            jobs=jobs,
            threads=threads,
            max_pixels=max_pixels,
            report=report,
            should_stop=stop.is_set,
            reading=lambda number, done, total: console.show_reading(done, total, number),
        )
    click.echo("\n".join(_table(result)))
    if result.interrupted:
        click.echo("ocrlstm: stopped; the same command goes on", err=True)
        return 130
    return 1 if any(fold.error for fold in result.folds) else 0


def _describe(fold: FoldResult) -> str:
    if fold.error:
        return f"failed: {fold.error}"
    if not fold.finished:
        return "stopped"
    return f"finished, validation CER {_percent(fold.validation_cer)} after {fold.epochs} epochs"


def _table(result: CrossfoldResult) -> list[str]:
    rows = ["fold  training lines  validation lines  validation CER  best epoch  epochs     time"]
    for fold in result.folds:
        if fold.finished:
            rows.append(
                f"{fold.number:4d}  {fold.training_lines:14d}  {fold.validation_lines:16d}"
                f"  {_percent(fold.validation_cer):>14s}  {fold.best_epoch:10d}  {fold.epochs:6d}"
                f"  {format_clock(fold.seconds):>7s}"
            )
        else:
            rows.append(f"{fold.number:4d}  {'failed' if fold.error else 'not finished'}")
    if result.mean_cer is not None and result.deviation is not None:
        rows.append(
            f"mean {_percent(result.mean_cer)}, standard deviation {_percent(result.deviation)}, "
            f"from {_percent(min(result.cers))} to {_percent(max(result.cers))}"
        )
        models = " ".join(f"-m {shlex.quote(str(model))}" for model in result.models)
        rows.append(f"let them vote: ocrlstm recognize {models} PATH...")
    return rows


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"
