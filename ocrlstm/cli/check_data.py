"""``ocrlstm check-data``: what is wrong or odd in a data set, before anything is trained on it."""

from __future__ import annotations

import json
import threading
from typing import Any

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.form_options import form_options
from ocrlstm.cli.options import max_pixels_option, paths_argument, threads_option
from ocrlstm.cli.signals import stopped_by_signals
from ocrlstm.cli.training_request import make_config
from ocrlstm.datasets import (
    DataReport,
    Expectations,
    LineForm,
    check_data,
    format_data_report,
)
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import Network
from ocrlstm.recognition import check_data_with_model, load_model
from ocrlstm.training.material import check_spec

__all__ = ["command"]


@click.command(name="check-data", short_help="Find what is wrong or odd in image/text pairs.")
@paths_argument
@click.option(
    "-m",
    "--model",
    metavar="MODEL",
    help="Also look for characters that this model lacks and for lines that it reads as something "
    "else: suspected mispairs.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all findings.")
@click.option(
    "--show",
    metavar="N",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Findings of each kind to show.",
)
@click.option(
    "--histogram",
    is_flag=True,
    help="Show how often each character occurs, not the rare ones only.",
)
@form_options("spec", "height", "unit")
@threads_option
@max_pixels_option
def command(
    paths: tuple[str, ...],
    model: str | None,
    as_json: bool,
    show: int,
    histogram: bool,
    threads: int | None,
    max_pixels: int,
    **options: Any,
) -> int:
    """Open every pair and tell what is wrong or odd.

    Errors are what training would leave out or learn wrongly: images and texts that cannot be read,
    empty texts, texts too long for their line, blank and page-sized images, one picture with two
    texts, suspected mispairs. Notes are all else. PATH and the options of lines and texts are as in
    train; with a model they are its own. Ctrl-C shows what was found so far. Exit code: 0 without
    errors, 1 with some, 2 if there is no pair or none without an error.
    """
    use_utf8_output()
    set_thread_count(threads)
    given = {name: value for name, value in options.items() if value is not None}
    if model is not None and given:
        name = next(iter(given)).replace("_", "-")
        raise click.UsageError(f"--{name} is the model's own; leave it out, or leave out --model")
    stop = threading.Event()
    with stopped_by_signals(stop), Reporter("checking", 0) as reporter:

        def progress(done: int, total: int) -> None:
            reporter.set_progress(done, total)

        calls: dict[str, Any] = {"progress": progress, "should_stop": stop.is_set}
        if model is not None:
            recognizer = load_model(model, max_pixels=max_pixels)
            report = check_data_with_model(paths, recognizer, **calls)
        else:
            report = check_data(paths, _make_expectations(given, max_pixels), **calls)
    if as_json:
        click.echo(json.dumps(report.to_dict(), ensure_ascii=False))
    else:
        click.echo(format_data_report(report, show, histogram))
    return _exit_code(report)


def _make_expectations(given: dict[str, Any], max_pixels: int) -> Expectations:
    config = make_config(given)
    spec, normalizer = check_spec(config)
    form = LineForm(normalizer, config.normal_form, config.rules)
    # Only the network's arithmetic of widths is asked.
    return Expectations(form, Network(spec).frames, None, config.unit, max_pixels)


def _exit_code(report: DataReport) -> int:
    if not report.complete:
        return 130
    if report.usable == 0:
        return 2
    return 1 if report.errors else 0
