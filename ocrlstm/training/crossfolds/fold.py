"""One fold: trained from its beginning, or from its checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.errors import ModelFileError
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.crossfolds.plan import FoldResult, Plan, model_path, write_result
from ocrlstm.training.events import Event
from ocrlstm.training.run import resume, train
from ocrlstm.training.sources import PairSource
from ocrlstm.training.start import StartModel
from ocrlstm.training.state import load_checkpoint

__all__ = ["FoldCalls", "FoldEvent", "Ingredients", "train_fold"]

FoldEvent = Event | FoldResult


@dataclass(frozen=True)
class FoldCalls:
    """What folds tell to whoever started them, and ask; see `crossfold`."""

    report: Callable[[int, FoldEvent], None]
    should_stop: Callable[[], bool]
    reading: Callable[[int, int, int], None]


@dataclass(frozen=True)
class Ingredients:
    """What goes into every fold besides the plan.

    Attributes
    ----------
    pairs : path, iterable of paths, or iterable of (image, text)
        Those of all folds.
    start : LineModel, path or None
        The model to begin with.
    threads : int or None
        None for those of the plan. They hold for the whole process.
    """

    pairs: PairSource
    start: StartModel | None
    threads: int | None


class _Stopped(BaseException):
    """Raised where there is no step to end at: while pairs are read."""


def train_fold(
    folder: Path,
    plan: Plan,
    number: int,
    given: Ingredients,
    calls: FoldCalls,
) -> FoldResult:
    """Train one fold to its end, or until it shall stop.

    Parameters
    ----------
    folder : Path
    plan : Plan
    number : int
        From 1.
    given : Ingredients
    calls : FoldCalls

    Raises
    ------
    ModelFileError
        If the checkpoint there is damaged, or not this fold's.
    DatasetError, TrainingError, OutputError
        As `train`.
    """
    model = model_path(folder, number)
    checkpoint = model.with_suffix(".ckpt")

    def report(event: Event) -> None:
        calls.report(number, event)

    def reading(done: int, total: int) -> None:
        calls.reading(number, done, total)
        if calls.should_stop():
            raise _Stopped

    try:
        if checkpoint.exists():
            _check_checkpoint(checkpoint, plan, number)
            result = resume(
                checkpoint,
                pairs=given.pairs,
                threads=given.threads,
                report=report,
                should_stop=calls.should_stop,
                reading=reading,
            )
        else:
            set_thread_count(given.threads or plan.threads)
            result = train(
                given.pairs,
                plan.config_of(number),
                model,
                start=given.start,
                fold=plan.fold(number),
                max_pixels=plan.max_pixels,
                report=report,
                should_stop=calls.should_stop,
                reading=reading,
            )
    except _Stopped:
        return FoldResult(number, model)
    if result.interrupted:
        return FoldResult(number, model)
    return write_result(folder, number, result)


def _check_checkpoint(checkpoint: Path, plan: Plan, number: int) -> None:
    """Refuse a checkpoint that something else has left there."""
    try:
        _, run, _ = load_checkpoint(checkpoint)
    except ModelFileError as error:
        reason = str(error).split("; ")[0]
        raise ModelFileError(f"{reason}; delete it to begin this fold again") from error
    ours = (plan.config_of(number), plan.fold(number).to_dict())
    if (TrainingConfig.from_dict(run["config"]), run.get("fold")) != ours:
        raise ModelFileError(
            f"{checkpoint}: is of another run than fold {number} of this folder; "
            "delete it to begin this fold"
        )
