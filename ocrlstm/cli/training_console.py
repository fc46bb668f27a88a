"""What training shows: a bar while an epoch goes on, a line for each epoch, messages."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn

from ocrlstm.training import EpochRecord, Event, Message, Step

__all__ = ["TrainingConsole", "format_clock"]

# Without a terminal, a line after so many seconds shows that the run is alive.
_QUIET_SECONDS = 60.0


class TrainingConsole:
    """Shows the events of a run, or of several folds, on stderr; a context manager.

    Parameters
    ----------
    folds : bool
        Whether each line tells which fold it is about.
    """

    def __init__(self, folds: bool = False) -> None:
        self._folds = folds
        self._console = Console(stderr=True, highlight=False)
        self._terminal = sys.stderr.isatty()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=12),
            TaskProgressColumn(),
            TextColumn("{task.fields[state]}"),
            console=self._console,
            transient=True,
        )
        self._bars: dict[int, TaskID] = {}
        self._cers: dict[int, str] = {}
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
        """Take the bars away."""
        # Without a terminal they were never started, and stopping them would print an empty line.
        if self._terminal:
            self._progress.stop()

    def report(self, event: Event, fold: int = 0) -> None:
        """Show one event."""
        if isinstance(event, Message):
            self.note(event.text, fold)
        elif isinstance(event, EpochRecord):
            self._cers[fold] = f"{100 * event.validation_cer:.2f} %"
            self._print_epoch(event, fold)
        else:
            self._show_step(event, fold)

    def note(self, text: str, fold: int = 0) -> None:
        """Print one line, above the bars."""
        self._print(f"ocrlstm: fold {fold}: {text}" if fold else f"ocrlstm: {text}")

    def show_reading(self, done: int, total: int, fold: int) -> None:
        """Show how many pairs of a fold are read."""
        if self._terminal:
            self._update(fold, "reading", done / total, f"{done} of {total}")
        if done == total:
            self.end(fold)

    def end(self, fold: int) -> None:
        """Take the bar of a fold away."""
        if fold in self._bars:
            self._progress.remove_task(self._bars.pop(fold))

    def _print(self, text: str) -> None:
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        self._console.print(text, markup=False, soft_wrap=True)

    def _print_epoch(self, record: EpochRecord, fold: int) -> None:
        if self._header_is_due:
            header = "epoch    loss  validation CER  lines/s  learning rate   time"
            self._print(f"fold {header}" if self._folds else header)
            self._header_is_due = False
        star = "*" if record.best else " "
        begin = f"{fold:4d} " if self._folds else ""
        self._print(
            f"{begin}{record.epoch:5d} {record.loss:7.2f} {100 * record.validation_cer:12.2f} %"
            f"{star} {record.lines_per_second:8.0f} {record.learning_rate:14.2e} "
            f"{format_clock(record.seconds):>6s}"
        )
        self._told = time.monotonic()

    def _show_step(self, step: Step, fold: int) -> None:
        left = format_clock(step.seconds_left)
        if self._terminal:
            state = (
                f"loss {step.loss:.2f}  {step.lines_per_second:.0f} lines/s  "
                f"CER {self._cers.get(fold, '-')}  left {left}"
            )
            self._update(fold, f"epoch {step.epoch}", step.progress, state)
        elif time.monotonic() - self._told > _QUIET_SECONDS:
            self._told = time.monotonic()
            self._print(
                f"{f'fold {fold}, ' if fold else ''}epoch {step.epoch}, step {step.step} of "
                f"{step.steps}: loss {step.loss:.2f}, {step.lines_per_second:.0f} lines/s, "
                f"{left} left"
            )

    def _update(self, fold: int, what: str, share: float, state: str) -> None:
        if fold not in self._bars:
            self._bars[fold] = self._progress.add_task("", total=1.0, state="")
        description = f"fold {fold} {what}" if fold else what
        self._progress.update(
            self._bars[fold], description=description, completed=share, state=state
        )
        self._progress.start()


def format_clock(seconds: float) -> str:
    """Return a time as ``m:ss`` or ``h:mm:ss``."""
    minutes, seconds = divmod(int(min(seconds, 360_000)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
