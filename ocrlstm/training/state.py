"""All that the next step of a run depends on, and the file that keeps it.

The file is a safetensors file like a model: arrays and a JSON header, nothing that could run.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ocrlstm.errors import ModelFileError
from ocrlstm.network import write_atomically
from ocrlstm.training.events import EpochRecord

__all__ = ["RunState", "load_checkpoint", "save_checkpoint"]

_VERSION = 1
# What a run was started with, as far as going on needs it.
_RUN = ("config", "paths", "validation", "max_pixels", "threads", "fingerprint")


@dataclass
class RunState:
    """Where a run stands between two steps, without its arrays.

    Attributes
    ----------
    epoch : int
        Finished epochs.
    batch : int
        Finished batches of the epoch that is under way.
    step : int
        Finished steps of the run.
    loss_sum, loss_lines : float, int
        Of the epoch under way.
    rate_factor : float
        1, or less after steps that were not finite.
    mishaps : int
        Such steps so far.
    seconds : float
        Wall clock spent.
    epoch_seconds : float
        Wall clock spent in the epoch under way.
    validation_seconds : float
        Wall clock of the last validation.
    start_cer : float or None
        Of the model that a fine-tuning begins with, on the validation lines.
    best_cer : float or None
    best_epoch : int
        The last epoch with that CER, whose weights are kept; 0 for those at the start.
    improved_epoch : int
        The last epoch that was better than all before.
    lines : int
        Lines trained on in the finished epochs.
    history : list of EpochRecord
    """

    epoch: int = 0
    batch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    loss_lines: int = 0
    rate_factor: float = 1.0
    mishaps: int = 0
    seconds: float = 0.0
    epoch_seconds: float = 0.0
    validation_seconds: float = 0.0
    start_cer: float | None = None
    best_cer: float | None = None
    best_epoch: int = 0
    improved_epoch: int = 0
    lines: int = 0
    history: list[EpochRecord] = field(default_factory=list)


def save_checkpoint(
    path: Path, state: RunState, run: dict[str, Any], arrays: dict[str, np.ndarray]
) -> None:
    """Write a checkpoint; the one before stays whole until the new one is complete.

    Parameters
    ----------
    path : Path
    state : RunState
    run : dict
        What the run was started with (config, paths, validation, max_pixels, threads,
        fingerprint; start, the name of the model to begin with, if there is one); only what JSON
        can hold.
    arrays : dict of ndarray

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    header = {"version": _VERSION, "run": run, "state": asdict(state)}
    metadata = {"ocrlstm-checkpoint": json.dumps(header, ensure_ascii=False)}
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    write_atomically(path, save(contiguous, metadata=metadata))


def load_checkpoint(
    path: str | os.PathLike[str],
) -> tuple[RunState, dict[str, Any], dict[str, np.ndarray]]:
    """Read a checkpoint.

    Returns
    -------
    state : RunState
    run : dict
        As given to `save_checkpoint`.
    arrays : dict of ndarray

    Raises
    ------
    ModelFileError
        If it is missing, damaged, or none.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path}: no such checkpoint ({error.strerror})") from error
    try:
        arrays = load(content)
        size = int.from_bytes(content[:8], "little")
        text = json.loads(content[8 : 8 + size])["__metadata__"]["ocrlstm-checkpoint"]
        header = json.loads(text)
        if header["version"] > _VERSION:
            raise ModelFileError(f"{path}: from a newer ocrlstm; install that to go on")
        run, values = header["run"], header["state"]
        missing = [name for name in _RUN if name not in run]
        if missing:
            raise ValueError(f"without {', '.join(missing)}")
        values["history"] = [EpochRecord(**record) for record in values["history"]]
        return RunState(**values), run, arrays
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ModelFileError(
            f"{path}: is damaged or not a checkpoint; begin again without --resume ({error})"
        ) from error
