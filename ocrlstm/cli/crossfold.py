"""``ocrlstm crossfold``: k models of the same lines, which read best together."""

from __future__ import annotations

import shlex
import threading
from pathlib import Path
from typing import Any

import click

from ocrlstm.cli.console import use_utf8_output
from ocrlstm.cli.options import max_pixels_option, threads_option
from ocrlstm.cli.signals import stopped_by_signals
from ocrlstm.cli.train import config_option, given_options, start_option, training_options
from ocrlstm.cli.training_console import TrainingConsole, format_clock
from ocrlstm.cli.training_request import make_request
from ocrlstm.errors import TrainingError
from ocrlstm.training import CrossfoldResult, FoldEvent, FoldResult, crossfold

__all__ = ["command"]


# What a TOML file may hold besides the keys of training.
_KINDS = {"folds": "whole number", "by": "text", "jobs": "whole number"}


@click.command(name="crossfold", short_help="Train several models of the same lines that vote.")
@click.argument("paths", metavar="PATH...", nargs=-1)
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Where the folds are kept: fold-1.safetensors, fold-1.ckpt, ...",
)
@click.option(
    "-k",
    "--folds",
    metavar="K",
    type=int,
    help="How many models; each line is held back from one of them.  [default: 5]",
)
@click.option(
    "--by",
    metavar="WHAT",
    help="What stays in one fold: line, folder, file (the lines of a page), or a regular "
    "expression whose first group names the book or page in the path.  [default: line]",
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
    help="Folds at a time, each in a process of its own with its share of the threads.  "
    "[default: 1]",
)
@start_option
@config_option
@training_options("validation_share")
@threads_option
@max_pixels_option
@click.pass_context
def command(
    context: click.Context, only: tuple[int, ...], file: Path | None, **options: Any
) -> int:
    """Train several models of the same lines, each validated on lines that it never learnt.

    The same command again goes on where it stopped: finished folds are skipped, the others taken
    up from their checkpoints. Settings are those of `ocrlstm train`, for each fold. A fold that
    fails does not stop the others; Ctrl-C stops all of them cleanly.
    """
    use_utf8_output()
    request = make_request(given_options(context, options), file, _KINDS)
    folds, jobs = request.more.get("folds", 5), request.more.get("jobs", 1)
    if not (request.paths and request.output):
        raise click.UsageError("give PATH... and -o FOLDER")
    if request.validation:
        raise TrainingError(f"{file}: validation is for train; here each fold is validation")
    if any(number > folds for number in only):
        raise click.UsageError(f"--fold {max(only)}: there are only {folds} folds")
    if jobs < 1:
        raise TrainingError(f"{file}: jobs is {jobs}; it must be 1 or more")
    stop = threading.Event()
    with stopped_by_signals(stop), TrainingConsole(folds=True) as console:

        def report(number: int, event: FoldEvent) -> None:
            if not isinstance(event, FoldResult):
                console.report(event, number)
                return
            console.end(number)
            console.note(_describe(event), number)

        def reading(number: int, done: int, total: int) -> None:
            console.show_reading(done, total, number)
            if number == 0 and stop.is_set():
                raise KeyboardInterrupt

        result = crossfold(
            request.paths,
            request.config,
            request.output,
            folds,
            start=request.start,
            by=request.more.get("by", "line"),
            only=only,
            jobs=jobs,
            threads=request.threads,
            max_pixels=request.max_pixels,
            report=report,
            should_stop=stop.is_set,
            reading=reading,
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
