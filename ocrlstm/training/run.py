"""Front doors of the room: begin a run, or take one up again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ocrlstm.datasets import Pair, find_pairs
from ocrlstm.errors import ModelFileError, OutputError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.events import Event, Message
from ocrlstm.training.log import write_log
from ocrlstm.training.material import Material, gather_material
from ocrlstm.training.state import load_checkpoint
from ocrlstm.training.trainer import Trainer, TrainingResult

__all__ = ["resume", "train"]

StrPath = str | os.PathLike[str]
Report = Callable[[Event], None]


def train(
    pairs: Iterable[StrPath] | StrPath,
    config: TrainingConfig | None = None,
    output: StrPath | None = None,
    *,
    validation: Iterable[StrPath] | StrPath = (),
    report: Report | None = None,
    should_stop: Callable[[], bool] | None = None,
    max_pixels: int = MAX_PIXELS,
    reading: Callable[[int, int], None] | None = None,
) -> TrainingResult:
    """Train a line model from random weights.

    Parameters
    ----------
    pairs : path or iterable of paths
        Folders (searched through), images, globs, or ``@list.txt``; each image's text lies beside
        it as NAME.gt.txt.
    config : TrainingConfig, optional
    output : path, optional
        The model file to write, whenever a better model is found. Beside it are kept a checkpoint
        (.ckpt) and a table of epochs (.csv). None keeps everything in memory.
    validation : path or iterable of paths
        Pairs to choose the best model by; none holds back a share of `pairs`.
    report : callable, optional
        Gets every `Event`.
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
    DatasetError, SpecError, TrainingError, OutputError
        Each with one clear line.
    """
    begun = time.monotonic()
    config = config or TrainingConfig()
    target = None if output is None else _model_path(output)
    paths, validation_paths = _absolute(pairs), _absolute(validation)
    material = gather_material(
        find_pairs(paths),
        find_pairs(validation_paths) if validation_paths else [],
        config,
        max_pixels,
        reading,
    )
    report = report or _ignore
    tell_material(material, report)
    run = {
        "config": config.to_dict(),
        "paths": paths,
        "validation": validation_paths,
        "max_pixels": max_pixels,
        "fingerprint": material.fingerprint,
    }
    return Trainer(config, material, target, run, report, should_stop or _never, begun).run()


def resume(
    checkpoint: StrPath,
    *,
    report: Report | None = None,
    should_stop: Callable[[], bool] | None = None,
    reading: Callable[[int, int], None] | None = None,
) -> TrainingResult:
    """Go on with a run from its checkpoint, to the very weights it would have reached.

    Parameters
    ----------
    checkpoint : path
        MODEL.ckpt; the model is written to MODEL.safetensors beside it.
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
    checkpoint = Path(checkpoint)
    state, run, arrays = load_checkpoint(checkpoint)
    config = TrainingConfig.from_dict(run["config"])
    pairs: list[Pair] = find_pairs(run["paths"])
    validation = find_pairs(run["validation"]) if run["validation"] else []
    material = gather_material(pairs, validation, config, run["max_pixels"], reading)
    if material.fingerprint != run["fingerprint"]:
        raise ModelFileError(
            f"{checkpoint}: the image/text pairs are not those the run was begun with; "
            "restore them, or begin a new run"
        )
    report = report or _ignore
    tell_material(material, report)
    output = checkpoint.with_suffix(".safetensors")
    trainer = Trainer(config, material, output, run, report, should_stop or _never, begun)
    trainer.restore(state, arrays)
    return trainer.run()


def tell_material(material: Material, report: Report) -> None:
    """Report what is trained on, and every pair that was left out."""
    for problem in material.problems:
        report(Message(f"left out: {problem}"))
    if material.shared:
        report(
            Message(
                "too few lines to hold some back: the CER shown is that of the training lines; "
                "give --validation for an honest one"
            )
        )
    report(
        Message(
            f"training on {len(material.training)} lines, validating on "
            f"{len(material.validation)}; {len(material.codec) - 1} characters"
        )
    )


def _absolute(paths: Iterable[StrPath] | StrPath) -> list[str]:
    """Make paths independent of the working folder, as a later resume may start in another."""
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    result = []
    for path in [os.fspath(path) for path in paths]:
        listed = path.startswith("@")
        absolute = os.path.abspath(path[1:] if listed else path)
        result.append(f"@{absolute}" if listed else absolute)
    return result


def _model_path(output: StrPath) -> Path:
    """Find out before the first image is read whether the model can be written at all."""
    path = Path(output)
    if path.suffix == "":
        path = path.with_suffix(".safetensors")
    if path.suffix != ".safetensors":
        raise OutputError(f"{path}: a model file ends in .safetensors; name it so")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}; make it first")
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file")
    write_log(path.with_suffix(".csv"), [])
    return path


def _ignore(event: Event) -> None:
    pass


def _never() -> bool:
    return False
