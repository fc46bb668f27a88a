"""Front doors of the room: begin a run, or take one up again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ocrlstm.errors import DatasetError, ModelFileError, OutputError, SpecError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.memory import reuse_memory
from ocrlstm.kernels.threads import set_thread_count, thread_count
from ocrlstm.network import remove_leftovers, try_writing
from ocrlstm.text import describe_missing
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.events import EpochRecord, Event, Message
from ocrlstm.training.folds import Fold, split_source
from ocrlstm.training.material import Material, check_spec, gather_material
from ocrlstm.training.result import TrainingResult
from ocrlstm.training.sources import PairSource, Source, StrPath, find_source
from ocrlstm.training.start import Start, StartModel, load_start, restore_start
from ocrlstm.training.state import RunState, load_checkpoint, save_checkpoint
from ocrlstm.training.trainer import Trainer
from ocrlstm.training.tuning import check_tuning, tuning_config

__all__ = ["resume", "train"]

Report = Callable[[Event], None]

_logger = logging.getLogger(__name__)


def train(
    pairs: PairSource,
    config: TrainingConfig | None = None,
    output: StrPath | None = None,
    *,
    start: StartModel | None = None,
    validation: PairSource = (),
    fold: Fold | None = None,
    report: Report | None = None,
    should_stop: Callable[[], bool] | None = None,
    max_pixels: int = MAX_PIXELS,
    reading: Callable[[int, int], None] | None = None,
) -> TrainingResult:
    """Train a line model, from random weights or from those of another model.

    Parameters
    ----------
    pairs : path, iterable of paths, or iterable of (image, text)
        Folders (searched through), images, globs, or ``@list.txt``; each image's text lies beside
        it as NAME.gt.txt. Or tuples of an image (path, PIL image or NumPy array) and its text.
    config : TrainingConfig, optional
        With `start`, what `tuning_config` gives.
    output : path, optional
        The model file to write, whenever a better model is found. Beside it are kept a checkpoint
        (.ckpt) and a table of epochs (.csv). None keeps everything in memory.
    start : LineModel or path of one, optional
        The model to begin with: fine-tuning. The new model is no worse than it on the validation
        lines.
    validation : as `pairs`
        Pairs to choose the best model by; none holds back a share of `pairs`.
    fold : Fold, optional
        Instead of `validation`: hold back this fold of `pairs`; see `crossfold`.
    report : callable, optional
        Gets every `Event`; by default messages and epochs go to the log, at level INFO.
    should_stop : callable, optional
        Asked after every step; true ends the run cleanly.
    max_pixels : int
        Larger images are left out.
    reading : callable, optional
        Called with the numbers of pairs read and of all.

    Returns
    -------
    TrainingResult
        With `model` and `history`.

    Raises
    ------
    DatasetError, SpecError, TrainingError, ModelFileError, OutputError
        Each with one clear line.
    """
    begun = time.monotonic()
    first = None if start is None else load_start(start)
    if config is None:
        config = TrainingConfig() if first is None else tuning_config(first.model)
    check_tuning(config, None if first is None else first.model)
    target = None if output is None else _model_path(output)
    check_spec(config)
    source = find_source(pairs, progress=reading)
    held_out = find_source(validation, "validation pair", reading)
    if fold is not None and held_out.pairs:
        raise ValueError(f"validation pairs and fold {fold.number} of {fold.of}: give one of them")
    in_memory = source.paths is None or held_out.paths is None
    run = {
        "config": config.to_dict(),
        "paths": None if in_memory else source.paths,
        "validation": None if in_memory else held_out.paths,
        "max_pixels": max_pixels,
        "threads": thread_count(),
        "fingerprint": None,
        "fold": None if fold is None else fold.to_dict(),
        "start": None if first is None else first.name,
    }
    if target is None:
        return _run(run, None, first, source, held_out, None, report, should_stop, reading, begun)
    # From here on this run is resumed, not an older one whose checkpoint lay there.
    checkpoint = target.with_suffix(".ckpt")
    save_checkpoint(checkpoint, RunState(), run, {} if first is None else first.arrays())
    try:
        return _run(run, None, first, source, held_out, target, report, should_stop, reading, begun)
    except (DatasetError, SpecError):
        checkpoint.unlink(missing_ok=True)
        raise


def resume(
    checkpoint: StrPath,
    *,
    pairs: PairSource | None = None,
    validation: PairSource = (),
    threads: int | None = None,
    report: Report | None = None,
    should_stop: Callable[[], bool] | None = None,
    reading: Callable[[int, int], None] | None = None,
) -> TrainingResult:
    """Go on with a run from its checkpoint, to the very weights it would have reached.

    With `TrainingConfig.max_minutes` the clock has a say in the learning rate, so there the weights
    are not the very same.

    Parameters
    ----------
    checkpoint : path
        MODEL.ckpt; the model is written to MODEL.safetensors beside it.
    pairs, validation : optional
        The pairs of the run if they were held in memory; paths are found again without them.
    threads : int, optional
        By default as many as the run was begun with, for the whole process; with another number
        the last digits differ.
    report, should_stop, reading
        As in `train`.

    Returns
    -------
    TrainingResult

    Raises
    ------
    ModelFileError
        If the checkpoint is damaged, or the pairs are not those it was begun with.
    """
    begun = time.monotonic()
    path = Path(checkpoint)
    if path.suffix != ".ckpt":
        raise ModelFileError(f"{path}: name the checkpoint of the run, {path.with_suffix('.ckpt')}")
    state, run, arrays = load_checkpoint(path)
    if pairs is not None:
        source = find_source(pairs, progress=reading)
        held_out = find_source(validation, "validation pair", reading)
    elif run["paths"] is not None:
        source = find_source(run["paths"], progress=reading)
        held_out = find_source(run["validation"], "validation pair", reading)
    else:
        raise ModelFileError(
            f"{path}: its pairs were held in memory; go on from a script, with "
            "ocrlstm.training.resume(checkpoint, pairs=...)"
        )
    set_thread_count(threads or run["threads"])
    target = path.with_suffix(".safetensors")
    first = restore_start(run.get("start"), arrays)
    learnt = any(not name.startswith("start:") for name in arrays)
    kept = (state, arrays) if learnt else None
    return _run(run, kept, first, source, held_out, target, report, should_stop, reading, begun)


def _run(
    run: dict[str, Any],
    kept: tuple[RunState, dict[str, Any]] | None,
    start: Start | None,
    source: Source,
    held_out: Source,
    target: Path | None,
    report: Report | None,
    should_stop: Callable[[], bool] | None,
    reading: Callable[[int, int], None] | None,
    begun: float,
) -> TrainingResult:
    """Read the pairs and train, from the first step or from what a checkpoint kept."""
    reuse_memory()
    report = report or _log
    config = TrainingConfig.from_dict(run["config"])
    whole = source
    if run.get("fold") is not None:
        source, held_out = split_source(source, Fold.from_dict(run["fold"]))
    model = None if start is None else start.model
    material = gather_material(
        source.pairs, held_out.pairs, config, run["max_pixels"], reading, model
    )
    if run["fingerprint"] is not None and not material.matches(run["fingerprint"]):
        raise ModelFileError(
            f"{target and target.with_suffix('.ckpt')}: the image/text pairs are not those the run "
            "was begun with; restore them, or begin a new run"
        )
    run["fingerprint"] = material.fingerprint
    # Hundreds of thousands of pairs take memory, and all that is needed of them is in `material`.
    for part in (whole, source, held_out):
        part.pairs.clear()
    unusable = [*source.problems, *held_out.problems, *material.problems]
    material = replace(material, problems=unusable)
    _tell_material(material, [*source.without_text, *held_out.without_text], report)
    if target is not None:
        for suffix in (".safetensors", ".ckpt", ".csv"):
            remove_leftovers(target.with_suffix(suffix))
    stop = should_stop or _never
    trainer = Trainer(config, material, target, run, report, stop, begun, start)
    if kept is not None:
        trainer.restore(*kept)
        _tell_place(trainer, report)
    return trainer.run()


def _tell_material(material: Material, without_text: list[Path], report: Report) -> None:
    """Report what is trained on, and every pair that was left out."""
    for problem in material.problems:
        report(Message(f"left out: {problem}"))
    if without_text:
        count = len(without_text)
        images = "an image has" if count == 1 else f"{count} images have"
        report(Message(f"left out: {images} no text beside, first {without_text[0]}"))
    if material.shared:
        report(
            Message(
                "no lines are held back: the CER shown is that of training lines; "
                "give --validation for an honest one"
            )
        )
    if material.unseen:
        report(
            Message(
                "in validation lines only, so that it cannot be learnt: "
                f"{describe_missing(material.unseen)}"
            )
        )
    report(
        Message(
            f"training on {len(material.training)} lines, validating on "
            f"{len(material.validation)}; {len(material.codec) - 1} characters"
        )
    )


def _tell_place(trainer: Trainer, report: Report) -> None:
    state = trainer.state
    report(Message(f"going on after {state.epoch} epochs and {state.batch} steps"))
    if trainer.run_header["threads"] != thread_count():
        report(
            Message(
                f"the run was begun with --threads {trainer.run_header['threads']}; with "
                f"{thread_count()} the last digits will differ"
            )
        )


def _model_path(output: StrPath) -> Path:
    """Find out before the first image is read whether the model can be written at all."""
    path = Path(output)
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file in it, e.g. {path / 'my'}.safetensors")
    if path.suffix == "":
        path = path.with_suffix(".safetensors")
    if path.suffix != ".safetensors":
        raise OutputError(f"{path}: a model file ends in .safetensors; name it so")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}; make it first")
    for suffix in (".safetensors", ".ckpt", ".csv"):
        if path.with_suffix(suffix).is_dir():
            raise OutputError(f"{path.with_suffix(suffix)}: is a folder; choose another name")
    try:
        try_writing(path.parent)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror}); choose another place with -o"
        ) from error
    return path


def _log(event: Event) -> None:
    if isinstance(event, Message):
        _logger.info("%s", event.text)
    elif isinstance(event, EpochRecord):
        _logger.info(
            "epoch %d: loss %.2f, validation CER %.4f",
            event.epoch,
            event.loss,
            event.validation_cer,
        )


def _never() -> bool:
    return False
