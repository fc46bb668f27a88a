"""The training loop: steps, epochs, validation, checkpoints, and going on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ocrlstm.errors import ModelFileError, TrainingError
from ocrlstm.network import LineModel, Network, save_model, transplant
from ocrlstm.text import spell_all
from ocrlstm.training.batches import draw_batches, prepare_batch
from ocrlstm.training.calibration import calibrate
from ocrlstm.training.charset import find_unused
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.course import Course
from ocrlstm.training.events import EpochRecord, Event, Message, Step
from ocrlstm.training.learner import Learner, copy_weights, draw_network
from ocrlstm.training.log import write_log
from ocrlstm.training.material import Material
from ocrlstm.training.result import TrainingResult
from ocrlstm.training.start import Start
from ocrlstm.training.state import RunState, save_checkpoint
from ocrlstm.training.tuning import frozen_layers
from ocrlstm.training.validation import validate
from ocrlstm.version import __version__

__all__ = ["Trainer"]

_CHECKPOINT_SECONDS = 50.0
# A validation may be long, and a kill in it should not cost the steps before it.
_CHECKPOINT_SECONDS_BEFORE_VALIDATION = 5.0
_MOST_MISHAPS = 20
# More lines make the one number no better, and would only take the longer at the end of a run.
_CALIBRATION_LINES = 300
# Key that keeps the dropout masks apart from the other random streams of a seed.
_DROPOUT = 4


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
    start : Start, optional
        The model that a fine-tuning begins with.
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
        start: Start | None = None,
    ) -> None:
        self.config = config
        self.material = material
        self.output = output
        self.run_header = run
        self.report = report
        self.should_stop = should_stop
        self.start = start
        self.learner = self._make_learner()
        self.reader = Network(config.sized_spec, len(material.codec))
        self.best: dict[str, np.ndarray] | None = None
        self.state = RunState()
        self.widths = material.training.widths
        batches = -(-len(self.widths) // config.batch_size)
        self.course = Course(config, batches, len(material.validation))
        self._tick = begun
        self._saved_at = begun

    def _make_learner(self) -> Learner:
        config, codec = self.config, self.material.codec
        network = draw_network(config, len(codec))
        if self.start is None:
            return Learner(config, network)
        transplant(self.start.model, network, codec)
        network.freeze(frozen_layers(config, self.start.model))
        return Learner(config, network, self._unused())

    def _unused(self) -> np.ndarray:
        """Return the labels to protect: those that no training line has an example of."""
        codec, texts = self.material.codec, self.material.training.texts()
        if self.start is None or not self.config.protect:
            return np.zeros(0, np.int64)
        return find_unused(codec, map(codec.encode, texts))

    def restore(self, state: RunState, arrays: dict[str, np.ndarray]) -> None:
        """Take over a checkpoint.

        Raises
        ------
        ModelFileError
            If the arrays do not fit the run's settings.
        """
        best = {
            name.partition(":")[2]: array
            for name, array in arrays.items()
            if name.startswith("best:")
        }
        rest = {
            name: array
            for name, array in arrays.items()
            if not name.startswith(("best:", "start:"))
        }
        try:
            self.learner.restore(rest)
            if best:
                copy_weights(best, self.reader.arrays())
        except (KeyError, ValueError) as error:
            raise ModelFileError(
                f"the checkpoint does not fit its settings ({error}); begin again without --resume"
            ) from error
        self.best = best or None
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
        if self.start is not None and self.state.start_cer is None:
            self._validate_start()
        interrupted = False
        while not interrupted and not self.course.finished(self.state):
            interrupted = self.should_stop() or self._run_epoch()
        # The time may have run out before the first step, or while a resumed run read its pairs.
        if not interrupted and (self.best is None or self.state.batch > 0):
            self._end_epoch()
        if not interrupted and self.start is not None and self.state.best_epoch == 0:
            self.report(Message("no epoch was better than the model before the first step"))
        model = self._calibrated(self._model())
        if self.output is not None:
            save_model(model, self.output)
        self._save()
        return TrainingResult(
            model,
            list(self.state.history),
            self.material.problems,
            interrupted,
            self.output,
            self.material.validation,
        )

    def _validate_start(self) -> None:
        """Read with the model to begin with: no epoch is better that is not better than this."""
        state, material = self.state, self.material
        self.learner.average.copy_to(self.reader.arrays())
        report = validate(self.reader, material.codec, material.validation)
        state.validation_seconds = self._clock()
        state.start_cer = state.best_cer = report.cer
        self.best = {name: w.copy() for name, w in self.reader.arrays().items()}
        self.report(Message(f"before the first step: validation CER {100 * report.cer:.2f} %"))
        unused = [material.codec.labels[label] for label in self._unused()]
        if unused:
            self.report(
                Message(f"in no training line, and so left alone: {spell_all(unused, most=5)}")
            )

    def _clock(self) -> float:
        """Let the run's clock go on; return the seconds since it was last looked at."""
        now = time.monotonic()
        elapsed, self._tick = now - self._tick, now
        self.state.seconds += elapsed
        return elapsed

    def _run_epoch(self) -> bool:
        """Run the rest of the epoch under way; return whether it was interrupted."""
        state, config = self.state, self.config
        batches = draw_batches(self.widths, config.batch_size, config.seed, state.epoch)
        for numbers in batches[state.batch :]:
            self._step(numbers)
            state.batch += 1
            state.step += 1
            state.epoch_seconds += self._clock()
            self.report(self._step_event())
            if self.should_stop():
                return True
            if self.course.time_is_up(state):
                break
            if self._tick - self._saved_at > _CHECKPOINT_SECONDS:
                self._save()
        if self._tick - self._saved_at > _CHECKPOINT_SECONDS_BEFORE_VALIDATION:
            self._save()
        self._end_epoch()
        return False

    def _step(self, numbers: np.ndarray) -> None:
        state, config = self.state, self.config
        x, widths = prepare_batch(self.material.training, numbers, config, state.epoch)
        training, codec = self.material.training, self.material.codec
        # Encoded anew each time: the labels of all lines would take more memory than their texts.
        targets = [codec.encode(training.text(number)) for number in numbers]
        rng = np.random.default_rng([config.seed, _DROPOUT, state.step])
        learnt = self.learner.learn(x, widths, targets, self.course.rate(state), rng)
        if learnt is None:
            self._mishap()
            return
        loss, lines = learnt
        state.loss_sum += loss
        state.loss_lines += lines

    def _mishap(self) -> None:
        """Leave out a step that is not finite: back to the averaged weights, at half the rate."""
        state = self.state
        state.mishaps += 1
        if state.mishaps > _MOST_MISHAPS:
            raise TrainingError(
                f"the loss was not finite {state.mishaps} times, though the learning rate was "
                "halved each time; begin again with a lower learning rate"
            )
        state.rate_factor /= 2
        self.learner.retreat()
        self.report(
            Message(
                f"step {state.step + 1}: the loss is not finite; the step is left out, weights go "
                f"back to their average, the learning rate is halved (now x{state.rate_factor:g})"
            )
        )

    def _step_event(self) -> Step:
        state = self.state
        progress = self.course.progress(state)
        done = max(progress, 1e-6)
        return Step(
            state.epoch + 1,
            state.batch,
            self.course.batches,
            progress,
            state.loss_sum / max(state.loss_lines, 1),
            self._lines_of_epoch() / max(state.epoch_seconds, 1e-9),
            state.seconds * (1 - done) / done,
        )

    def _lines_of_epoch(self) -> int:
        return min(self.state.batch * self.config.batch_size, len(self.widths))

    def _end_epoch(self) -> None:
        state, material = self.state, self.material
        self.learner.average.copy_to(self.reader.arrays())
        self._clock()
        report = validate(self.reader, material.codec, material.validation)
        state.validation_seconds = self._clock()
        state.epoch += 1
        best = state.best_cer is None or report.cer <= state.best_cer
        if state.best_cer is None or report.cer < state.best_cer:
            state.improved_epoch = state.epoch
        if best:
            state.best_cer, state.best_epoch = report.cer, state.epoch
            self.best = {name: w.copy() for name, w in self.reader.arrays().items()}
        lines = self._lines_of_epoch()
        state.lines += lines
        record = EpochRecord(
            state.epoch,
            state.step,
            state.lines,
            state.loss_sum / max(state.loss_lines, 1),
            report.cer,
            best,
            self.course.rate(state),
            state.seconds,
            lines / max(state.epoch_seconds, 1e-9),
        )
        state.history.append(record)
        state.batch, state.loss_sum, state.loss_lines, state.epoch_seconds = 0, 0.0, 0, 0.0
        self._save()
        if best and self.output is not None:
            save_model(self._model(), self.output)
        self.report(record)

    def _model(self) -> LineModel:
        """Return the best model so far; before the first validation, the one at hand."""
        network = Network(self.config.sized_spec, len(self.material.codec))
        if self.best is None:
            self.learner.average.copy_to(network.arrays())
        else:
            copy_weights(self.best, network.arrays())
        # Nothing of the clock: a resumed run ends in the same bytes as an undisturbed one.
        metadata = {
            "program": f"ocrlstm {__version__}",
            "provenance": self.config.provenance,
            "licence": self.config.licence,
            "config": self.config.to_dict(),
            "training_lines": len(self.material.training),
            "validation_lines": len(self.material.validation),
            "validation_is_training": self.material.shared,
            "best_epoch": self.state.best_epoch,
            "validation_cer": self.state.best_cer,
            "history": [record.timeless() for record in self.state.history],
        }
        if self.start is not None:
            metadata["start_cer"] = self.state.start_cer
            metadata["lineage"] = self.start.lineage()
        if self.run_header.get("fold") is not None:
            metadata["fold"] = self.run_header["fold"]
        material, rules = self.material, self.config.rules
        return LineModel(network, material.codec, material.normalizer, metadata, rules=rules)

    def _calibrated(self, model: LineModel) -> LineModel:
        """Fit the temperature of the best model, unless there are no lines that it never learnt."""
        if self.best is None or self.material.shared:
            return model
        return calibrate(model, self.material.validation, _CALIBRATION_LINES).model

    def _save(self) -> None:
        self._saved_at = self._tick
        if self.output is None:
            return
        best = {f"best:{name}": array for name, array in (self.best or {}).items()}
        start = {} if self.start is None else self.start.arrays()
        save_checkpoint(
            self.output.with_suffix(".ckpt"),
            self.state,
            self.run_header,
            {**self.learner.arrays(), **best, **start},
        )
        write_log(self.output.with_suffix(".csv"), self.state.history)
