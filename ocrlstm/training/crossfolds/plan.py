"""What a folder of folds holds: the plan that all of them share, and what came out of each.

``crossfold.json`` is written once and never changed, ``fold-3.json`` when fold 3 is finished, so
that folds may run side by side or on several machines without a word to each other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ocrlstm.errors import ModelFileError, OutputError, TrainingError
from ocrlstm.network import model_bytes, try_writing, write_atomically
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.folds import Fold
from ocrlstm.training.result import TrainingResult

__all__ = [
    "FoldResult",
    "Plan",
    "model_path",
    "open_folder",
    "read_plan",
    "read_result",
    "write_result",
]

_VERSION = 1
# None of these files is more than settings and paths; what is larger is not ours.
_MOST_BYTES = 100_000_000


@dataclass(frozen=True)
class Plan:
    """What all folds of a folder have in common.

    Attributes
    ----------
    folds : int
    by : str
        What stays in one fold; see `ocrlstm.training.folds.assign_folds`.
    config : TrainingConfig
        Its seed chooses the folds; fold n is trained with the seed n - 1 above it.
    max_pixels : int
    threads : int
        Of each fold.
    lines : int
        Pairs of all folds.
    digest : str
        See `ocrlstm.training.folds.digest_pairs`.
    start : str
        SHA-256 of the model file that all begin with; "" for random weights.
    """

    folds: int
    by: str
    config: TrainingConfig
    max_pixels: int
    threads: int
    lines: int
    digest: str
    start: str = ""

    def fold(self, number: int) -> Fold:
        """Return one of the folds."""
        return Fold(number, self.folds, self.by, self.config.seed)

    def config_of(self, number: int) -> TrainingConfig:
        """Return the settings of one fold: with first weights of its own, so that votes differ."""
        return replace(self.config, seed=(self.config.seed + number - 1) % 2**63)


@dataclass(frozen=True)
class FoldResult:
    """What came out of one fold.

    Attributes
    ----------
    number : int
        From 1.
    model : Path
        Its model file, which is there once the first epoch is done.
    finished : bool
    error : str
        Why it could not be trained; "" where nothing is wrong.
    validation_cer : float
        On the fold's own lines, as a fraction; this and the rest hold of finished folds.
    best_epoch, epochs : int
    training_lines, validation_lines : int
    seconds : float
        Wall clock of the training.
    """

    number: int
    model: Path
    finished: bool = False
    error: str = ""
    validation_cer: float = 1.0
    best_epoch: int = 0
    epochs: int = 0
    training_lines: int = 0
    validation_lines: int = 0
    seconds: float = 0.0


# What fold-N.json holds of a FoldResult; the rest the file's place and being there tell.
_KEPT = {
    "validation_cer": (int, float),
    "best_epoch": (int,),
    "epochs": (int,),
    "training_lines": (int,),
    "validation_lines": (int,),
    "seconds": (int, float),
    "sha256": (str,),
}


def model_path(folder: Path, number: int) -> Path:
    """Return the model file of a fold; its other files lie beside it."""
    return folder / f"fold-{number}.safetensors"


def open_folder(folder: Path, plan: Plan) -> Plan:
    """Begin a folder of folds, or go on with one that was begun with the same plan.

    Returns
    -------
    Plan
        With the number of threads that the folder was begun with.

    Raises
    ------
    TrainingError
        If the folder was begun with other settings or pairs.
    ModelFileError, OutputError
        If the folder or its plan cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try_writing(folder)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be used as a folder of folds ({error.strerror}); name another"
        ) from error
    path = folder / "crossfold.json"
    if path.exists():
        before = read_plan(folder)
        _compare(path, before, plan)
        return before
    values = {"version": _VERSION, **asdict(plan)}
    write_atomically(path, _json(values))
    return plan


def read_plan(folder: Path) -> Plan:
    """Read the plan of a folder.

    Raises
    ------
    ModelFileError
        If it is missing or damaged.
    TrainingError
        If it holds settings that this version does not know.
    """
    path = folder / "crossfold.json"
    kinds = {
        "folds": (int,),
        "by": (str,),
        "config": (dict,),
        "max_pixels": (int,),
        "threads": (int,),
        "lines": (int,),
        "digest": (str,),
        "start": (str,),
    }
    values = _read(path, kinds)
    try:
        return Plan(**{**values, "config": TrainingConfig.from_dict(values["config"])})
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error


def read_result(folder: Path, number: int) -> FoldResult:
    """Tell how far a fold is.

    One whose files are missing or do not belong together is not finished. After a kill, a process
    that it had left over may just have ended a fold that another had taken up already, which then
    writes models of earlier epochs again.
    """
    model = model_path(folder, number)
    try:
        values = _read(model.with_suffix(".json"), _KEPT)
        digest = hashlib.sha256(model.read_bytes()).hexdigest()
    except (ModelFileError, OSError):
        return FoldResult(number, model)
    if values.pop("sha256") != digest:
        return FoldResult(number, model)
    return FoldResult(number, model, finished=True, **values)


def write_result(folder: Path, number: int, result: TrainingResult) -> FoldResult:
    """Note that a fold is finished, and with what.

    Raises
    ------
    OutputError
        If that cannot be written.
    """
    metadata, history = result.model.metadata, result.history
    values = {
        "validation_cer": metadata["validation_cer"],
        "best_epoch": metadata["best_epoch"],
        "epochs": len(history),
        "training_lines": metadata["training_lines"],
        "validation_lines": metadata["validation_lines"],
        "seconds": round(history[-1].seconds, 1),
    }
    model = model_path(folder, number)
    digest = hashlib.sha256(model_bytes(result.model)).hexdigest()
    written = {"version": _VERSION, **values, "sha256": digest}
    write_atomically(model.with_suffix(".json"), _json(written))
    return FoldResult(number, model, finished=True, **values)


def _compare(path: Path, before: Plan, now: Plan) -> None:
    """Refuse to mix two sorts of folds in one folder."""
    if before.start != now.start:
        begun, given = (
            f"the model {plan.start[:8]}..." if plan.start else "random weights"
            for plan in (before, now)
        )
        raise TrainingError(
            f"{path}: these folds began with {begun}, not with {given} (SHA-256 of the file); give "
            "the same model, or another folder"
        )
    old, new = (
        {**asdict(plan.config), "folds": plan.folds, "by": plan.by, "max_pixels": plan.max_pixels}
        for plan in (before, now)
    )
    differing = [name for name in new if old[name] != new[name]]
    if differing:
        listed = ", ".join(f"{name} {old[name]!r} (now {new[name]!r})" for name in differing)
        raise TrainingError(
            f"{path}: these folds were begun with {listed}; give the same settings, or another "
            "folder"
        )
    if before.lines != now.lines:
        raise TrainingError(
            f"{path}: these folds were begun with {before.lines} lines, but {now.lines} are given; "
            "give the same pairs, or another folder"
        )
    if before.digest != now.digest:
        raise TrainingError(
            f"{path}: these folds were begun with lines of other names, texts or order; give the "
            "same pairs, or another folder"
        )


def _read(path: Path, kinds: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """Read a JSON object of our own and check its fields."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ModelFileError(f"{path}: is too large; it is not of ocrlstm crossfold")
        values = json.loads(path.read_bytes())
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{path}: is damaged ({error}); begin in another folder") from error
    if not isinstance(values, dict) or type(values.get("version")) is not int:
        raise ModelFileError(f"{path}: is damaged; begin in another folder")
    if values.pop("version") > _VERSION:
        raise ModelFileError(f"{path}: from a newer ocrlstm; install that to go on")
    for name, allowed in kinds.items():
        if type(values.get(name)) not in allowed:
            found = values.get(name)
            raise ModelFileError(
                f"{path}: is damaged ({name} is {found!r}); begin in another folder"
            )
    return {name: values[name] for name in kinds}


def _json(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, indent=1) + "\n").encode()
