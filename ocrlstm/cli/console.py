"""What a command says besides its results: notes and a progress bar, both on stderr."""

from __future__ import annotations

import io
import sys
import time
from types import TracebackType

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["Reporter", "use_utf8_output"]

# A bar that flashes up for a moment is only noise.
_PATIENCE = 2.0


def use_utf8_output() -> None:
    """Write UTF-8 to a pipe or file whatever the locale, as all other output files are UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            # File names that are no UTF-8 come out as the bytes they are.
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")


class Reporter:
    """Notes and, on a terminal and after two seconds, a progress bar; a context manager.

    Parameters
    ----------
    task : str
        What is going on, the word before the bar.
    total : int
        Steps there are.
    bar : bool
        False where the results themselves go to the terminal and show the progress.
    """

    def __init__(self, task: str, total: int, bar: bool = True) -> None:
        self._task = task
        self._total = total
        self._done = 0
        self._wanted = bar and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> Reporter:
        """Begin to measure time."""
        self._begin = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()

    def set_done(self, done: int) -> None:
        """Tell how many steps are done."""
        self._done = done
        if self._progress is None and self._wanted:
            if time.monotonic() - self._begin > _PATIENCE:
                self._progress = self._start()
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], completed=done)

    def set_progress(self, done: int, total: int) -> None:
        """Tell how many steps are done of how many; the last takes the bar away.

        Another task may follow, with a total and a bar of its own.
        """
        self._total = total
        self.set_done(done)
        if done == total:
            self._begin = time.monotonic()
            if self._progress is not None:
                self._progress.stop()
                self._progress = None

    def advance(self) -> None:
        """Tell that one more step is done."""
        self.set_done(self._done + 1)

    def note(self, message: str) -> None:
        """Write one line on stderr, above the bar if there is one."""
        line = f"ocrlstm: {message}"
        line = " ".join(line.encode("utf-8", "backslashreplace").decode("utf-8").split())
        if self._progress is None:
            click.echo(line, err=True)
        else:
            self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _start(self) -> Progress:
        progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        progress.add_task(self._task, total=self._total)
        progress.start()
        return progress
