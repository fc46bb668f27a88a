"""The process of one fold: a job comes in by stdin, events and the result go out by stdout.

A process that was started with a program and a pipe, not forked, has no locks of others in it; it
needs no `if __name__` in the script that called. When its stdin is closed, by the process that
started it or by that one's death, it stops after the step under way: no fold is ever left running.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ocrlstm.errors import OcrError
from ocrlstm.training.crossfolds.fold import FoldCalls, FoldEvent, Ingredients, train_fold
from ocrlstm.training.crossfolds.plan import read_plan
from ocrlstm.training.events import Step

__all__ = ["main"]

# Steps come by the hundred a second; so often they are told.
_STEP_SECONDS = 0.25


class _Teller:
    """Writes one JSON object a line; silent once nobody listens any more."""

    def __init__(self, stop: threading.Event) -> None:
        # Whatever else prints goes to stderr, where it cannot break a line of ours.
        self._out = os.fdopen(os.dup(1), "w", encoding="ascii")
        os.dup2(2, 1)
        self._stop = stop
        self._told = 0.0

    def tell(self, **message: Any) -> None:
        try:
            self._out.write(json.dumps(message) + "\n")
            self._out.flush()
        except OSError:
            self._stop.set()

    def report(self, number: int, event: FoldEvent) -> None:
        if isinstance(event, Step) and not self._is_due():
            return
        self.tell(event=type(event).__name__, values=vars(event))

    def reading(self, number: int, done: int, total: int) -> None:
        if done == total or self._is_due():
            self.tell(reading=[done, total])

    def _is_due(self) -> bool:
        now = time.monotonic()
        if now - self._told < _STEP_SECONDS:
            return False
        self._told = now
        return True


def main() -> None:
    """Train the fold that the first line of stdin names."""
    job = json.loads(sys.stdin.buffer.readline())
    stop = threading.Event()
    threading.Thread(target=_watch_stdin, args=(stop,), daemon=True).start()
    teller = _Teller(stop)
    folder, number = Path(job["folder"]), job["number"]
    calls = FoldCalls(teller.report, stop.is_set, teller.reading)
    try:
        given = Ingredients(job["paths"], job["start"], job["threads"])
        result = train_fold(folder, read_plan(folder), number, given, calls)
    except (OcrError, OSError) as error:
        teller.tell(error=str(error))
        return
    teller.tell(result={name: value for name, value in vars(result).items() if name != "model"})


def _watch_stdin(stop: threading.Event) -> None:
    # Past Python's buffer, whose lock the end of the program would wait for.
    while os.read(0, 1024):
        pass
    stop.set()


if __name__ == "__main__":
    main()
