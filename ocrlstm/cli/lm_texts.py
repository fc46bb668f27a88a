"""What the commands of ``ocrlstm lm`` share: the argument TEXT, and texts that can be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import click

from ocrlstm.cli.console import Reporter
from ocrlstm.decoding.language import check_text
from ocrlstm.errors import LanguageModelError

__all__ = ["FILE", "perplexity", "texts_argument", "usable_texts"]

FILE = click.Path(path_type=Path)

texts_argument = click.argument("texts", metavar="TEXT...", nargs=-1, required=True, type=FILE)


def usable_texts(files: Sequence[Path], reporter: Reporter) -> list[Path]:
    """Return the files that can be read to their end; the others are told."""
    usable: list[Path] = []
    first: LanguageModelError | None = None
    for file in files:
        try:
            check_text(file)
            usable.append(file)
        except LanguageModelError as error:
            first = first or error
            if len(files) > 1:
                reporter.note(f"left out: {error}")
    if not usable and first is not None:
        raise first
    return usable


def perplexity(mean: float) -> float:
    """Return the perplexity of a mean log probability in nats."""
    return math.exp(-mean)
