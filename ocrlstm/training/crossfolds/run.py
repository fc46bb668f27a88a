"""Front door: k models on k folds, in turn or side by side, or on with those that are begun.

Each line is held back from one model only, so that every line trains all models but one. Their
votes read better than any of them (Reul, Springmann, Wick and Puppe, Improving OCR accuracy on
early printed books by utilizing cross fold training and voting, arXiv:1711.09670, 2017).
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ocrlstm.errors import OcrError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.threads import thread_count
from ocrlstm.network import LineModel
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.crossfolds.fold import FoldCalls, FoldEvent, Ingredients, train_fold
from ocrlstm.training.crossfolds.plan import FoldResult, Plan, model_path, open_folder, read_result
from ocrlstm.training.crossfolds.processes import train_side_by_side
from ocrlstm.training.folds import Fold, assign_folds, digest_pairs
from ocrlstm.training.material import check_spec
from ocrlstm.training.sources import PairSource, StrPath, find_source
from ocrlstm.training.start import StartModel, load_start
from ocrlstm.training.tuning import check_tuning, tuning_config

__all__ = ["CrossfoldResult", "crossfold"]


@dataclass(frozen=True)
class CrossfoldResult:
    """The folds of a folder, and how far each is.

    Attributes
    ----------
    folds : tuple of FoldResult
        All of the folder, those left out of this call too.
    interrupted : bool
        Stopped before its end; the same call goes on.
    """

    folds: tuple[FoldResult, ...]
    interrupted: bool

    @property
    def models(self) -> list[Path]:
        """The model files of the finished folds."""
        return [fold.model for fold in self.folds if fold.finished]

    @property
    def cers(self) -> list[float]:
        """The validation CERs of the finished folds, as fractions."""
        return [fold.validation_cer for fold in self.folds if fold.finished]

    @property
    def mean_cer(self) -> float | None:
        """Mean of the validation CERs; None while no fold is finished."""
        return statistics.fmean(self.cers) if self.cers else None

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation of the validation CERs; None of fewer than two folds."""
        return statistics.stdev(self.cers) if len(self.cers) > 1 else None


def crossfold(
    pairs: PairSource,
    config: TrainingConfig | None = None,
    folder: StrPath = "folds",
    k: int = 5,
    *,
    start: StartModel | None = None,
    by: str = "line",
    only: Iterable[int] = (),
    jobs: int = 1,
    threads: int | None = None,
    max_pixels: int = MAX_PIXELS,
    report: Callable[[int, FoldEvent], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    reading: Callable[[int, int, int], None] | None = None,
) -> CrossfoldResult:
    """Train k models on k folds of the same lines, or go on where that stopped.

    The same call again skips finished folds and takes up the others from their checkpoints, to the
    same bytes as if nothing had happened. A fold that fails is told and does not stop the others.

    Parameters
    ----------
    pairs : path, iterable of paths, or iterable of (image, text)
        See `train`.
    config : TrainingConfig, optional
        Of each fold; its seed also chooses the folds. `max_minutes` is for each fold,
        `validation_share` for none.
    folder : path
        Where ``crossfold.json``, ``fold-1.safetensors``, ``fold-1.ckpt``, ``fold-1.csv``, ... are
        kept; made if need be.
    k : int
        Number of folds.
    start : LineModel or path of one, optional
        The model that each fold begins with; see `train`.
    by : str
        What stays in one fold: "line", "folder", "file", or a regular expression; see
        `ocrlstm.training.folds.assign_folds`.
    only : iterable of int
        Train these folds alone, counted from 1, for instance one on each machine.
    jobs : int
        So many folds at a time, each in a process of its own.
    threads : int, optional
        For all jobs together; by default those that the folder was begun with, at first all there
        are. Without `jobs` they hold for the whole process.
    max_pixels : int
        Larger images are left out.
    report : callable, optional
        Called with the number of a fold and each of its events, the last being its `FoldResult`.
    should_stop : callable, optional
        Asked after every step; true ends all folds cleanly.
    reading : callable, optional
        Called with the number of a fold and the numbers of pairs read and of all; with 0 for the
        fold while the pairs of all are looked through.

    Returns
    -------
    CrossfoldResult

    Raises
    ------
    DatasetError
        If there are fewer lines or groups than folds.
    TrainingError
        If `k` is out of range, or the folder was begun with other settings or pairs.
    SpecError, ModelFileError, OutputError
        If spec or folder cannot be used.
    ValueError
        If `only` or `jobs` are out of range, or what memory holds is to be trained side by side.
    """
    folder, numbers = Path(folder), _numbers(k, only, jobs)
    first = None if start is None else load_start(start)
    if config is None:
        config = TrainingConfig() if first is None else tuning_config(first.model)
    check_tuning(config, None if first is None else first.model)
    check_spec(config)
    if not isinstance(pairs, str | os.PathLike):
        pairs = list(pairs)  # type: ignore[assignment]  # every fold goes through them
    calls = FoldCalls(report or _ignore, should_stop or _never, reading or _ignore_reading)
    source = find_source(pairs, progress=partial(calls.reading, 0))
    in_memory = source.paths is None or isinstance(start, LineModel)
    if jobs > 1 and in_memory:
        raise ValueError("pairs or models held in memory are for jobs=1; other jobs read files")
    assign_folds([pair.name for pair in source.pairs], k, by, config.seed)
    each = max(1, (threads or thread_count()) // jobs)
    digest = digest_pairs(source, partial(calls.reading, 0))
    start_digest = "" if first is None else first.digest
    plan = Plan(k, by, config, max_pixels, each, len(source.pairs), digest, start_digest)
    plan = open_folder(folder, plan)
    source.pairs.clear()  # of hundreds of thousands the memory is of better use

    done = {number: read_result(folder, number) for number in range(1, k + 1)}
    for number in numbers:
        if done[number].finished:
            calls.report(number, done[number])
    waiting = [number for number in numbers if not done[number].finished]
    if not (start is None or isinstance(start, LineModel)):
        start = os.path.abspath(start)
    given = Ingredients(source.paths or pairs, start, None if threads is None else each)
    if jobs > 1:
        done |= train_side_by_side(folder, waiting, jobs, given, calls)
    else:
        done |= _train_in_turn(folder, plan, waiting, given, calls)
    left = any(not (done[number].finished or done[number].error) for number in numbers)
    return CrossfoldResult(tuple(done.values()), interrupted=left)


def _numbers(k: int, only: Iterable[int], jobs: int) -> list[int]:
    Fold(1, k)  # tells if there are too few or too many
    numbers = sorted(set(only)) or list(range(1, k + 1))
    if not all(1 <= number <= k for number in numbers):
        raise ValueError(f"folds {numbers} of {k}: they are numbered from 1 to {k}")
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}, expected at least 1")
    return numbers


def _train_in_turn(
    folder: Path,
    plan: Plan,
    numbers: list[int],
    given: Ingredients,
    calls: FoldCalls,
) -> dict[int, FoldResult]:
    done = {}
    for number in numbers:
        if calls.should_stop():
            break
        try:
            done[number] = train_fold(folder, plan, number, given, calls)
        except (OcrError, OSError, MemoryError) as error:
            reason = str(error) or type(error).__name__
            done[number] = FoldResult(number, model_path(folder, number), error=reason)
        calls.report(number, done[number])
    return done


def _ignore(number: int, event: FoldEvent) -> None:
    pass


def _ignore_reading(number: int, done: int, total: int) -> None:
    pass


def _never() -> bool:
    return False
