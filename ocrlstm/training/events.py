"""What a trainer tells while it works; a command line shows it, a script may use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["EpochRecord", "Event", "Message", "Step"]


@dataclass(frozen=True)
class EpochRecord:
    """One finished epoch.

    Attributes
    ----------
    epoch : int
        From 1.
    steps : int
        Steps of the whole run up to now.
    lines : int
        Lines trained on in the whole run up to now.
    loss : float
        Mean loss of a line in this epoch.
    validation_cer : float
        Of the averaged weights, as a fraction.
    best : bool
        Whether it was the best so far.
    learning_rate : float
        At the epoch's end.
    seconds : float
        Wall clock of the whole run up to now.
    lines_per_second : float
        In this epoch.
    """

    epoch: int
    steps: int
    lines: int
    loss: float
    validation_cer: float
    best: bool
    learning_rate: float
    seconds: float
    lines_per_second: float

    def timeless(self) -> dict[str, Any]:
        """Return what two runs of the same settings have in common: all but the clock."""
        values = dict(vars(self))
        del values["seconds"], values["lines_per_second"]
        return values


@dataclass(frozen=True)
class Step:
    """One finished step.

    Attributes
    ----------
    epoch : int
        From 1.
    step, steps : int
        Within the epoch.
    progress : float
        Share of the whole run that is done, in [0, 1].
    loss : float
        Running mean loss of a line.
    lines_per_second : float
    seconds_left : float
    """

    epoch: int
    step: int
    steps: int
    progress: float
    loss: float
    lines_per_second: float
    seconds_left: float


@dataclass(frozen=True)
class Message:
    """Something the user should know, in one line."""

    text: str


Event = EpochRecord | Step | Message
