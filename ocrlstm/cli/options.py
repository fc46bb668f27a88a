"""Options that several commands share, so that they are spelt and explained alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ocrlstm.cli.decoding_options import decoding_options
from ocrlstm.image import MAX_PIXELS
from ocrlstm.recognition import BATCH_SIZE, DEFAULT_MODEL

__all__ = [
    "max_pixels_option",
    "model_option",
    "paths_argument",
    "reading_options",
    "threads_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])

paths_argument = click.argument("paths", metavar="PATH...", nargs=-1, required=True)

model_option = click.option(
    "-m",
    "--model",
    metavar="MODEL",
    help=f"Model file, or name of a shipped model.  [default: {DEFAULT_MODEL}]",
)

threads_option = click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=1),
    help="Threads to use.  [default: all cores of the process]",
)

max_pixels_option = click.option(
    "--max-pixels",
    metavar="N",
    type=click.IntRange(min=1),
    default=MAX_PIXELS,
    show_default=True,
    help="Refuse larger images.",
)

_models_option = click.option(
    "-m",
    "--model",
    "models",
    metavar="MODEL",
    multiple=True,
    help="Model file, or name of a shipped model; several -m vote on every line.  "
    f"[default: {DEFAULT_MODEL}]",
)

_batch_size_option = click.option(
    "--batch-size",
    metavar="N",
    type=click.IntRange(min=1),
    default=BATCH_SIZE,
    show_default=True,
    help="Most lines that the network reads at once.",
)


def reading_options(command: Command) -> Command:
    """Add what every command that reads lines takes: models, threads, limits, decoding."""
    for option in (
        _batch_size_option,
        decoding_options,
        max_pixels_option,
        threads_option,
        _models_option,
    ):
        command = option(command)
    return command
