"""The learning rate along a run of `Network.fit`."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Protocol, runtime_checkable

from ocrlstm.optimizers import SCHEDULES

__all__ = ["Plateau", "RateFactor", "Schedule"]


@runtime_checkable
class Plateau(Protocol):
    """What is told a loss after every epoch, and gives a factor: as `ReduceOnPlateau`."""

    value: float

    def step(self, measured: float) -> float:
        """Take note of a loss; return the factor from now on."""


#: A name of `SCHEDULES`, a function from progress in [0, 1] to a factor, or a `Plateau`.
Schedule = str | Callable[[float], float] | Plateau


class RateFactor:
    """The factor on the optimiser's own rate.

    Parameters
    ----------
    schedule : str, callable, Plateau or None
    steps : int
        Of the whole run.

    Raises
    ------
    ValueError
        If there is no such schedule.
    """

    def __init__(self, schedule: Schedule | None, steps: int) -> None:
        if isinstance(schedule, str):
            if schedule not in SCHEDULES:
                known = ", ".join(SCHEDULES)
                raise ValueError(f"{schedule!r} is no schedule; choose one of {known}")
            schedule = SCHEDULES[schedule]
        elif not (schedule is None or isinstance(schedule, Plateau) or callable(schedule)):
            raise ValueError(f"a schedule is a name, a function or has step(), not {schedule!r}")
        self._schedule = schedule
        self._steps = steps

    def at(self, step: int) -> float:
        """Return the factor for a step, from 0.

        Raises
        ------
        ValueError
            If the schedule gives something else than a number of 0 or more.
        """
        if self._schedule is None:
            return 1.0
        if isinstance(self._schedule, Plateau):
            factor = self._schedule.value
        else:
            factor = self._schedule(step / max(self._steps - 1, 1))
        if not isinstance(factor, Real) or not 0 <= factor < math.inf:
            raise ValueError(f"a schedule gives a factor of 0 or more, not {factor!r}")
        return float(factor)

    def end_epoch(self, loss: float) -> None:
        """Take note of the loss that should fall."""
        if isinstance(self._schedule, Plateau):
            self._schedule.step(loss)
