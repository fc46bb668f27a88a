"""The table of epochs beside the model."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from ocrlstm.network import write_atomically
from ocrlstm.training.events import EpochRecord

__all__ = ["write_log"]


def write_log(path: Path, history: Sequence[EpochRecord]) -> None:
    """Write one CSV row an epoch, the newest last.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    text = io.StringIO()
    names = [field.name for field in fields(EpochRecord)]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(vars(record) for record in history)
    write_atomically(path, text.getvalue().encode())
