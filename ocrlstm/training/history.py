"""The epochs of a finished or running training, from any of the files that it leaves."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ocrlstm.errors import ModelFileError
from ocrlstm.network import load_model_file
from ocrlstm.training.events import EpochRecord
from ocrlstm.training.sources import StrPath
from ocrlstm.training.state import load_checkpoint

__all__ = ["RunHistory", "read_history"]

# A run of a million epochs writes less; what is larger is no table of ours.
_MOST_BYTES = 100_000_000
# A model file tells nothing of the clock, so that equal runs make equal files.
_CLOCK = ("seconds", "lines_per_second")
_SWITCHES = {"True": True, "False": False}


@dataclass(frozen=True)
class RunHistory:
    """The epochs of one training.

    Attributes
    ----------
    path : Path
        The file that tells of them.
    records : tuple of EpochRecord
        In order. From a model file `seconds` and `lines_per_second` are not a number.
    """

    path: Path
    records: tuple[EpochRecord, ...]

    @property
    def best(self) -> EpochRecord | None:
        """The epoch whose weights are the model; None of a fine-tuning that bettered nothing."""
        return next((record for record in reversed(self.records) if record.best), None)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, for JSON; what is not known is None."""
        best = self.best
        return {
            "path": str(self.path),
            "epochs": len(self.records),
            "best_epoch": None if best is None else best.epoch,
            "best_validation_cer": None if best is None else best.validation_cer,
            "history": [
                {name: None if value != value else value for name, value in vars(record).items()}
                for record in self.records
            ],
        }


def read_history(path: StrPath) -> RunHistory:
    """Read the epochs of a training.

    Parameters
    ----------
    path : path
        A model (.safetensors), or what lies beside it: the table of epochs (.csv) or the checkpoint
        (.ckpt). Table and checkpoint also tell of epochs after the best one while training goes on.

    Returns
    -------
    RunHistory

    Raises
    ------
    ModelFileError
        If the file is missing, damaged, or of another kind.
    """
    path = Path(path)
    if path.suffix == ".csv":
        return RunHistory(path, _read_table(path))
    if path.suffix == ".ckpt":
        state, _, _ = load_checkpoint(path)
        return RunHistory(path, tuple(state.history))
    rows = load_model_file(path).metadata.get("history")
    if not isinstance(rows, list):
        raise ModelFileError(
            f"{path}: tells nothing of its training; name a model of ocrlstm train"
        )
    return RunHistory(path, _records(path, rows))


def _read_table(path: Path) -> tuple[EpochRecord, ...]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ModelFileError(f"{path}: is too large for a table of epochs")
        text = path.read_text(encoding="utf-8")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ModelFileError(f"{path}: is no table of epochs ({error})") from error
    return _records(path, rows)


def _records(path: Path, rows: list[Any]) -> tuple[EpochRecord, ...]:
    records = []
    for number, row in enumerate(rows, 1):
        try:
            records.append(_record(row))
        except (TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(
                f"{path}: epoch {number} is damaged ({error}); name a file of ocrlstm train"
            ) from error
    return tuple(records)


def _record(row: Any) -> EpochRecord:
    """Check one epoch; numbers may be written out, as they are in a table."""
    if not isinstance(row, Mapping):
        raise ValueError(f"expected names and values, found {row!r:.60}")
    values: dict[str, Any] = {}
    for field in fields(EpochRecord):
        value = row.get(field.name, math.nan if field.name in _CLOCK else None)
        if field.type == "bool":
            value = _SWITCHES.get(value, value) if isinstance(value, str) else value
            good = isinstance(value, bool)
        else:
            value = float(value) if isinstance(value, str | int) else value
            known = isinstance(value, float) and (math.isfinite(value) or field.name in _CLOCK)
            good = known and (field.type == "float" or value == int(value))
        if not good:
            raise ValueError(f"{field.name} is {row.get(field.name)!r:.60}")
        values[field.name] = int(value) if field.type == "int" else value
    return EpochRecord(**values)
