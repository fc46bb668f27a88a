"""How far a run has come: its progress, its learning rate, and whether it is at its end."""

from __future__ import annotations

from dataclasses import dataclass

from ocrlstm.optimizers import SCHEDULES
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.state import RunState

__all__ = ["Course"]

# While nine characters of ten are wrong, the network has not begun to read, and patience with it
# has not begun to run: CTC gives nothing but blanks for its first hundreds of steps.
_NOT_YET_READING = 0.9


@dataclass(frozen=True)
class Course:
    """The way a run goes, as functions of where it stands.

    Attributes
    ----------
    config : TrainingConfig
    batches : int
        Steps of an epoch.
    validation_lines : int
    """

    config: TrainingConfig
    batches: int
    validation_lines: int

    def finished(self, state: RunState) -> bool:
        """Tell between two epochs whether there is another."""
        config = self.config
        if self.time_is_up(state):
            return True
        if config.last_epoch is not None and state.epoch >= config.last_epoch:
            return True
        if state.best_cer is None or state.best_cer > _NOT_YET_READING:
            return False
        return 0 < config.patience <= state.epoch - state.improved_epoch

    def time_is_up(self, state: RunState) -> bool:
        """Tell whether only the time for a last validation is left."""
        return state.seconds >= self._seconds_to_train(state)

    def progress(self, state: RunState) -> float:
        """Return the share that is done: by steps or by the clock, whichever is further."""
        config, shares = self.config, [0.0]
        if config.last_epoch is not None:
            shares.append((state.step + 0.5) / (config.last_epoch * self.batches))
        if config.max_minutes is not None:
            shares.append(state.seconds / max(self._seconds_to_train(state), 1e-9))
        return min(max(shares), 1.0)

    def rate(self, state: RunState) -> float:
        """Return the learning rate of the next step."""
        config = self.config
        shape = SCHEDULES[config.schedule](self.progress(state), config.warmup)
        return config.peak_rate * shape * state.rate_factor

    def _seconds_to_train(self, state: RunState) -> float:
        minutes = self.config.max_minutes
        if minutes is None:
            return float("inf")
        if state.epoch > 0:
            return 60 * minutes - 1.0 - 1.2 * state.validation_seconds
        # Reading a line costs about a third of learning it. No more than a quarter of the time is
        # kept for it, since the first steps may have waited for compiled kernels.
        line_seconds = state.epoch_seconds / max(state.loss_lines, 1)
        return 60 * minutes - min(1.0 + 0.5 * line_seconds * self.validation_lines, 15 * minutes)
