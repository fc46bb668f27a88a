"""The training loop: steps, epochs, validation, checkpoints, and going on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ocrlstm.errors import ModelFileError, TrainingError
from ocrlstm.losses import LOSSES
from ocrlstm.network import LineModel, Network, save_model
from ocrlstm.optimizers import OPTIMIZERS, SCHEDULES, MovingAverage, Optimizer, clip_by_norm
from ocrlstm.training.batches import draw_batches, prepare_batch
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.events import EpochRecord, Event, Message, Step
from ocrlstm.training.log import write_log
from ocrlstm.training.material import Material
from ocrlstm.training.state import RunState, save_checkpoint
from ocrlstm.training.validation import validate
from ocrlstm.version import __version__

__all__ = ["Trainer", "TrainingResult"]

_CHECKPOINT_SECONDS = 50.0
_MOST_MISHAPS = 20
# Keys that keep the random streams of one seed apart.
_WEIGHTS, _DROPOUT = 3, 4


@dataclass(frozen=True)
class TrainingResult:
    """What a run gives.

    Attributes
    ----------
    model : LineModel
        The best one by validation CER.
    history : list of EpochRecord
    interrupted : bool
        It was stopped before its end; its checkpoint can be resumed.
    """

    model: LineModel
    history: list[EpochRecord]
    interrupted: bool


class Trainer:
    """One run, from its first step or from a checkpoint.

    Parameters
    ----------
    config : TrainingConfig
    material : Material
    output : Path or None
        The model file. Beside it, with other endings, lie the checkpoint and the log. None keeps
        everything in memory.
    run : dict
        Stored in the checkpoint, so that the run can be taken up again.
    report : callable
        Gets every event.
    should_stop : callable
        Asked after every step; true ends the run cleanly.
    begun : float
        `time.monotonic` when the run began, so that reading the pairs counts.
    """

    def __init__(
        self,
        config: TrainingConfig,
        material: Material,
        output: Path | None,
        run: dict[str, Any],
        report: Callable[[Event], None],
        should_stop: Callable[[], bool],
        begun: float,
    ) -> None:
        self.config = config
        self.material = material
        self.output = output
        self.run_header = run
        self.report = report
        self.should_stop = should_stop
        classes = len(material.codec)
        rng = np.random.default_rng([config.seed, _WEIGHTS])
        self.network = Network(config.sized_spec, classes, rng)
        self.reader = Network(config.sized_spec, classes)
        self.optimizer = _make_optimizer(config)
        self.average = MovingAverage(self.network.parameters(), config.average)
        self.best: dict[str, np.ndarray] | None = None
        self.state = RunState()
        self.targets = [material.codec.encode(sample.text) for sample in material.training]
        self.widths = np.array([sample.pixels.shape[1] for sample in material.training])
        self._tick = begun
        self._saved_at = begun
        self._reserve = 1.0

    def restore(self, state: RunState, arrays: dict[str, np.ndarray]) -> None:
        """Take over a checkpoint.

        Raises
        ------
        ModelFileError
            If the arrays do not fit the run's settings.
        """
        parts: dict[str, dict[str, np.ndarray]] = {}
        for name, array in arrays.items():
            part, _, rest = name.partition(":")
            parts.setdefault(part, {})[rest] = array
        try:
            _copy(parts["weights"], self.network.parameters())
            self.optimizer.load_state(parts["optimizer"])
            self.average.load_state(parts["average"])
            self.best = parts.get("best")
        except (KeyError, ValueError) as error:
            raise ModelFileError(
                f"the checkpoint does not fit its settings ({error}); begin again without --resume"
            ) from error
        self.state = state

    def run(self) -> TrainingResult:
        """Train to the end, or until `should_stop`.

        Returns
        -------
        TrainingResult

        Raises
        ------
        TrainingError
            If the loss stays not finite however often the rate is lowered.
        OutputError
            If model, checkpoint or log cannot be written.
        """
        self._clock()
        # Also the first moments can be resumed, and a folder that cannot be written shows at once.
        self._save()
        interrupted = False
        while not interrupted and not self._finished():
            interrupted = self._run_epoch()
        if self.best is None:
            self._end_epoch()
        model = self._best_model()
        if self.output is not None:
            save_model(model, self.output)
        self._save()
        return TrainingResult(model, self.state.history, interrupted)

    def _finished(self) -> bool:
        state, config = self.state, self.config
        if self._time_is_up():
            return True
        if config.last_epoch is not None and state.epoch >= config.last_epoch:
            return True
        return 0 < config.patience <= state.epoch - state.improved_epoch

    def _time_is_up(self) -> bool:
        minutes = self.config.max_minutes
        return minutes is not None and self.state.seconds >= 60 * minutes - self._reserve

    def _clock(self) -> None:
        now = time.monotonic()
        self.state.seconds += now - self._tick
        self.state.epoch_seconds += now - self._tick
        self._tick = now

    def _progress(self, batches: int) -> float:
        """Share of the run that is done: by steps or by the clock, whichever is further."""
        config, shares = self.config, [0.0]
        if config.last_epoch is not None:
            shares.append((self.state.step + 0.5) / (config.last_epoch * batches))
        if config.max_minutes is not None:
            shares.append(self.state.seconds / max(60 * config.max_minutes - self._reserve, 1e-9))
        return min(max(shares), 1.0)

    def _run_epoch(self) -> bool:
        """Run the rest of the epoch under way; return whether it was interrupted."""
        state, config = self.state, self.config
        batches = draw_batches(self.widths, config.batch_size, config.seed, state.epoch)
        for numbers in batches[state.batch :]:
            progress = self._progress(len(batches))
            self._step(numbers, progress)
            state.batch += 1
            state.step += 1
            self._clock()
            self.report(self._step_event(len(batches), progress))
            if self.should_stop():
                return True
            if self._time_is_up():
                break
            if self._tick - self._saved_at > _CHECKPOINT_SECONDS:
                self._save()
        self._end_epoch()
        return False

    def _step(self, numbers: np.ndarray, progress: float) -> None:
        state, config = self.state, self.config
        x, widths = prepare_batch(
            self.material.training, numbers, config.augment, config.seed, state.epoch
        )
        self.network.set_rng(np.random.default_rng([config.seed, _DROPOUT, state.step]))
        posteriors, frames = self.network.forward(x, widths, training=True)
        targets = [self.targets[number] for number in numbers]
        losses, gradient = LOSSES[config.ctc](posteriors, frames, targets)
        # A distortion may narrow a line below what its text needs; such a line teaches nothing.
        fits = np.isfinite(losses)
        lines = int(fits.sum())
        if np.isnan(losses).any() or lines == 0:
            self._mishap()
            return
        gradient /= lines
        self.network.backward(gradient)
        gradients = self.network.gradients()
        norm = clip_by_norm(gradients, config.clip or np.inf)
        if not np.isfinite(norm):
            self._mishap()
            return
        rate = self._rate(progress)
        self.optimizer.update(self.network.parameters(), gradients, rate)
        self.average.update(self.network.parameters())
        state.loss_sum += float(losses[fits].sum())
        state.loss_lines += lines

    def _rate(self, progress: float) -> float:
        shape = SCHEDULES[self.config.schedule](progress, self.config.warmup)
        return self.config.peak_rate * shape * self.state.rate_factor

    def _mishap(self) -> None:
        """Leave out a step that is not finite: back to the averaged weights, at half the rate."""
        state = self.state
        state.mishaps += 1
        if state.mishaps > _MOST_MISHAPS:
            raise TrainingError(
                f"the loss was not finite {state.mishaps} times, though the learning rate was "
                "halved each time; begin again with a lower --learning-rate"
            )
        state.rate_factor /= 2
        self.average.copy_to(self.network.parameters())
        self.report(
            Message(
                f"step {state.step + 1}: the loss is not finite; the step is left out, weights go "
                f"back to their average, the learning rate is halved (now x{state.rate_factor:g})"
            )
        )

    def _step_event(self, batches: int, progress: float) -> Step:
        state = self.state
        done = max(progress, 1e-6)
        lines = state.batch * self.config.batch_size
        return Step(
            state.epoch + 1,
            state.batch,
            batches,
            progress,
            state.loss_sum / max(state.loss_lines, 1),
            lines / max(state.epoch_seconds, 1e-9),
            state.seconds * (1 - done) / done,
        )

    def _end_epoch(self) -> None:
        state, material = self.state, self.material
        self._clock()
        training_seconds = state.epoch_seconds
        self.average.copy_to(self.reader.parameters())
        report = validate(self.reader, material.codec, material.validation)
        self._clock()
        self._reserve = 1.0 + 1.2 * (state.epoch_seconds - training_seconds)
        state.epoch += 1
        best = state.best_cer is None or report.cer <= state.best_cer
        if state.best_cer is None or report.cer < state.best_cer:
            state.improved_epoch = state.epoch
        if best:
            state.best_cer, state.best_epoch = report.cer, state.epoch
            self.best = {name: w.copy() for name, w in self.reader.parameters().items()}
        batches = -(-len(self.targets) // self.config.batch_size)
        lines = min(state.batch * self.config.batch_size, len(self.targets))
        state.lines += lines
        record = EpochRecord(
            state.epoch,
            state.step,
            state.lines,
            state.loss_sum / max(state.loss_lines, 1),
            report.cer,
            best,
            self._rate(self._progress(batches)),
            state.seconds,
            lines / max(training_seconds, 1e-9),
        )
        state.history.append(record)
        state.batch, state.loss_sum, state.loss_lines, state.epoch_seconds = 0, 0.0, 0, 0.0
        self._save()
        if best and self.output is not None:
            save_model(self._best_model(), self.output)
        self.report(record)

    def _best_model(self) -> LineModel:
        network = Network(self.config.sized_spec, len(self.material.codec))
        _copy(self.best or {}, network.parameters())
        metadata = {
            "program": f"ocrlstm {__version__}",
            "config": self.config.to_dict(),
            "training_lines": len(self.material.training),
            "validation_lines": len(self.material.validation),
            "validation_is_training": self.material.shared,
            "best_epoch": self.state.best_epoch,
            "validation_cer": self.state.best_cer,
            "history": [record.timeless() for record in self.state.history],
        }
        return LineModel(network, self.material.codec, self.material.normalizer, metadata)

    def _save(self) -> None:
        self._saved_at = self._tick
        if self.output is None:
            return
        parts = {
            "weights": self.network.parameters(),
            "optimizer": self.optimizer.state(),
            "average": self.average.state(),
            "best": self.best or {},
        }
        arrays = {f"{part}:{name}": a for part, named in parts.items() for name, a in named.items()}
        save_checkpoint(self.output.with_suffix(".ckpt"), self.state, self.run_header, arrays)
        write_log(self.output.with_suffix(".csv"), self.state.history)


def _copy(source: dict[str, np.ndarray], target: dict[str, np.ndarray]) -> None:
    if source.keys() != target.keys():
        raise ValueError(f"weights differ in {sorted(source.keys() ^ target.keys())}")
    for name, array in target.items():
        if array.shape != source[name].shape:
            raise ValueError(f"{name} is {source[name].shape}, not {array.shape}")
        array[...] = source[name]


def _make_optimizer(config: TrainingConfig) -> Optimizer:
    kind = OPTIMIZERS[config.optimizer]
    if config.optimizer == "momentum":
        return kind(momentum=config.momentum)
    if config.optimizer == "adamw":
        return kind(weight_decay=config.weight_decay)
    return kind()
