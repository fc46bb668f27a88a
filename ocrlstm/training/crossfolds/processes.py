"""Folds side by side, each in a process of its own; see `worker` for the other end."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ocrlstm.training.crossfolds.fold import FoldCalls, Ingredients
from ocrlstm.training.crossfolds.plan import FoldResult, model_path
from ocrlstm.training.events import EpochRecord, Event, Message, Step

__all__ = ["train_side_by_side"]

_WORKER = "ocrlstm.training.crossfolds.worker"
# The folder that holds the package. A worker starts there: `python -m` looks for modules first in
# the folder it is started in, and that of the user may hold any.
_HOME = Path(__file__).resolve().parents[3]
_SECONDS_BETWEEN_LOOKS = 0.2
_EVENTS: dict[str, Callable[..., Event]] = {
    kind.__name__: kind for kind in (EpochRecord, Message, Step)
}

# A fold's number, and one of its messages or None after the last.
_Inbox = queue.SimpleQueue[tuple[int, dict[str, Any] | None]]


class _Worker:
    """A process at work on a fold."""

    def __init__(self, number: int, job: dict[str, Any], inbox: _Inbox) -> None:
        self.number = number
        self.outcome: dict[str, Any] = {}
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, "-m", _WORKER],
            cwd=_HOME,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # Ctrl-C is for us; we tell the workers by closing their stdin.
            start_new_session=True,
        )
        self._listener = threading.Thread(target=self._listen, args=(inbox,), daemon=True)
        self._listener.start()
        self._send(json.dumps(job).encode() + b"\n")

    def stop(self) -> None:
        """Ask it to stop after its step."""
        with suppress(OSError):
            self._stdin.close()

    def kill(self) -> None:
        """End it at once, if it is still there."""
        self._process.kill()
        self.close()

    def close(self) -> str:
        """Wait for its end; return why it ended without a result, or ""."""
        self.stop()
        code = self._process.wait()
        self._listener.join()
        with self._errors as errors:
            errors.seek(0)
            lines = errors.read().decode("utf-8", "replace").strip().splitlines()
        if self.outcome:
            return str(self.outcome.get("error", ""))
        if code < 0:
            name = signal.strsignal(-code) or f"signal {-code}"
            hint = "; out of memory?" if -code == 9 else ""
            return f"its process died ({name}{hint})"
        last = f": {lines[-1]}" if lines else ""
        return f"its process ended with exit code {code}{last}"

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    def _send(self, line: bytes) -> None:
        with suppress(OSError):  # it may be dead already, which its end tells
            self._stdin.write(line)
            self._stdin.flush()

    def _listen(self, inbox: _Inbox) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines, suppress(ValueError):  # the half line of a killed one
            for line in lines:
                inbox.put((self.number, json.loads(line)))
        inbox.put((self.number, None))


def train_side_by_side(
    folder: Path,
    numbers: Sequence[int],
    jobs: int,
    given: Ingredients,
    calls: FoldCalls,
) -> dict[int, FoldResult]:
    """Train folds, so many at a time.

    Parameters
    ----------
    folder : Path
        With its plan.
    numbers : sequence of int
        The folds to train.
    jobs : int
        Most processes at a time.
    given : Ingredients
        With nothing but paths, which are absolute.
    calls : FoldCalls

    Returns
    -------
    dict of int to FoldResult
        Of the folds that were begun.
    """
    shared = {
        "folder": str(folder.absolute()),
        "paths": given.pairs,
        "start": given.start,
        "threads": given.threads,
    }
    waiting, done = list(numbers), {}
    workers: dict[int, _Worker] = {}
    inbox: _Inbox = queue.SimpleQueue()
    stopping = False
    try:
        while workers or (waiting and not stopping):
            if not stopping and calls.should_stop():
                stopping = True
                for worker in workers.values():
                    worker.stop()
            while waiting and len(workers) < jobs and not stopping:
                number = waiting.pop(0)
                job = {**shared, "number": number}
                workers[number] = _Worker(number, job, inbox)
            try:
                number, message = inbox.get(timeout=_SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                continue
            if message is not None:
                _hand_on(workers[number], message, calls)
                continue
            done[number] = _end(workers.pop(number), folder)
            calls.report(number, done[number])
    finally:
        # Only after an error or a second Ctrl-C are there any left.
        for worker in workers.values():
            worker.kill()
    return done


def _hand_on(worker: _Worker, message: dict[str, Any], calls: FoldCalls) -> None:
    if "event" in message:
        calls.report(worker.number, _EVENTS[message["event"]](**message["values"]))
    elif "reading" in message:
        calls.reading(worker.number, *message["reading"])
    else:
        worker.outcome = message


def _end(worker: _Worker, folder: Path) -> FoldResult:
    error, model = worker.close(), model_path(folder, worker.number)
    if error:
        return FoldResult(worker.number, model, error=error)
    return FoldResult(**{**worker.outcome["result"], "model": model})
