"""``ocrlstm history``: how trainings went, as tables and as a picture."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from ocrlstm.cli.console import use_utf8_output
from ocrlstm.errors import ModelFileError
from ocrlstm.recognition import find_model
from ocrlstm.training import check_plot, draw_histories, format_history, read_history

__all__ = ["command"]


@click.command(name="history", short_help="Show how models were trained.")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@click.option(
    "--plot",
    metavar="FILE.png",
    type=click.Path(path_type=Path),
    help="Draw loss and validation CER of all models into one picture (.png, .svg or .pdf).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, with all epochs.")
def command(models: tuple[str, ...], plot: Path | None, as_json: bool) -> int:
    """Show how models were trained: epochs, loss and validation CER.

    MODEL is a model file, the .csv or .ckpt beside it, the name of a shipped model, or a folder of
    `ocrlstm crossfold`. The .csv tells of a training that is still going on.
    """
    use_utf8_output()
    if plot is not None:
        check_plot(plot)
    histories = [read_history(path) for name in models for path in _files(name)]
    if as_json:
        click.echo(json.dumps([history.to_dict() for history in histories], ensure_ascii=True))
    else:
        click.echo("\n\n".join(map(format_history, histories)))
    if plot is not None:
        draw_histories(histories, plot)
    return 0


def _files(name: str) -> list[Path]:
    if not os.path.isdir(name):
        return [find_model(name)]
    folds = sorted(Path(name).glob("fold-*.csv"), key=lambda path: (len(path.name), path.name))
    if not folds:
        raise ModelFileError(
            f"{name}: a folder without fold-1.csv, fold-2.csv, ...; name models or a folder of "
            "ocrlstm crossfold"
        )
    return folds
