"""What a training run shows: a bar while an epoch goes on, a line for each epoch, messages."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from ocrlstm.training import EpochRecord, Event, Message, Step

__all__ = ["TrainingConsole"]

# Without a terminal, a line after so many seconds shows that the run is alive.
_QUIET_SECONDS = 60.0


class TrainingConsole:
    """Shows the events of a run on stderr; a context manager."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._terminal = sys.stderr.isatty()
        self._progress = Progress(
            TextColumn("epoch {task.fields[epoch]}"),
            BarColumn(bar_width=12),
            TaskProgressColumn(),
            TextColumn(
                "loss {task.fields[loss]:.2f}  {task.fields[speed]:.0f} lines/s  "
                "CER {task.fields[cer]}  left {task.fields[left]}"
            ),
            console=self._console,
            transient=True,
        )
        self._task = self._progress.add_task(
            "training", total=1.0, epoch=1, loss=0.0, speed=0.0, cer="-", left="-"
        )
        self._cer = "-"
        self._told = time.monotonic()
        self._header_is_due = True

    def __enter__(self) -> TrainingConsole:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        # Without a terminal it was never started, and stopping it would print an empty line.
        if self._terminal:
            self._progress.stop()

    def report(self, event: Event) -> None:
        """Show one event."""
        if isinstance(event, Message):
            self._print(f"ocrlstm: {event.text}")
        elif isinstance(event, EpochRecord):
            self._cer = f"{100 * event.validation_cer:.2f} %"
            self._print_epoch(event)
        else:
            self._show_step(event)

    def _print(self, text: str) -> None:
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        self._console.print(text, markup=False, soft_wrap=True)

    def _print_epoch(self, record: EpochRecord) -> None:
        if self._header_is_due:
            self._print("epoch    loss  validation CER  lines/s  learning rate   time")
            self._header_is_due = False
        star = "*" if record.best else " "
        self._print(
            f"{record.epoch:5d} {record.loss:7.2f} {100 * record.validation_cer:12.2f} %{star}"
            f" {record.lines_per_second:8.0f} {record.learning_rate:14.2e} "
            f"{_clock(record.seconds):>6s}"
        )
        self._told = time.monotonic()

    def _show_step(self, step: Step) -> None:
        if self._terminal:
            self._progress.update(
                self._task,
                completed=step.progress,
                epoch=step.epoch,
                loss=step.loss,
                speed=step.lines_per_second,
                cer=self._cer,
                left=_clock(step.seconds_left),
            )
            self._progress.start()
        elif time.monotonic() - self._told > _QUIET_SECONDS:
            self._told = time.monotonic()
            self._print(
                f"epoch {step.epoch}, step {step.step} of {step.steps}: loss {step.loss:.2f}, "
                f"{step.lines_per_second:.0f} lines/s, {_clock(step.seconds_left)} left"
            )


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(min(seconds, 360_000)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
