"""A map over worker processes whose results come in order, for work that holds Python's lock.

Threads (see `workers`) are for work inside kernels and NumPy. Drawing letters is hundreds of short
calls a line, so threads would wait for each other.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ocrlstm.errors import OcrError
from ocrlstm.kernels.threads import single_threaded

__all__ = ["map_in_processes"]

Job = TypeVar("Job")
Result = TypeVar("Result")

_CHUNK = 8
_AHEAD = 2  # chunks that a worker has before the first is taken from it


def map_in_processes(
    function: Callable[[Job], Result], jobs: Iterable[Job], processes: int
) -> Iterator[Result]:
    """Yield ``function(job)`` for each job, in the order of the jobs.

    Parameters
    ----------
    function : callable
        Pickled once for each process, so an object keeps there what it has opened. What it raises
        ends the map and is raised here.
    jobs : iterable
        Pickled.
    processes : int
        1: everything is done in this process. More are started anew (not forked, since threads may
        run here), so a script that calls this guards its main part by
        ``if __name__ == "__main__":``.

    Yields
    ------
    Result
        Pickled on its way.

    Raises
    ------
    OcrError
        If a process is killed.
    """
    if processes <= 1:
        with single_threaded():
            yield from map(function, jobs)
        return
    todo = iter(jobs)
    chunks = iter(lambda: list(islice(todo, _CHUNK)), [])
    workers = [_start(function) for _ in range(processes)]
    try:
        # Each worker in turn, so that the results come in order without waiting in a queue.
        waiting = [worker for _ in range(_AHEAD) for worker in workers if _send(worker, chunks)]
        while waiting:
            worker = waiting.pop(0)
            failed, results = _receive(worker)
            if _send(worker, chunks):
                waiting.append(worker)
            yield from results
            if failed is not None:
                raise failed
    finally:
        for process, connection in workers:
            process.terminate()
            connection.close()
        for process, _ in workers:
            process.join()


_Worker = tuple[multiprocessing.process.BaseProcess, "Connection[Any, Any]"]


def _start(function: Callable[[Any], Any]) -> _Worker:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(function, there), daemon=True)
    process.start()
    there.close()  # so that a worker that dies is noticed at once
    return process, here


def _send(worker: _Worker, chunks: Iterator[list[Any]]) -> bool:
    """Give a worker its next chunk; False if there is none."""
    chunk = next(chunks, None)
    if chunk is None:
        return False
    try:
        worker[1].send(chunk)
    except OSError as error:
        raise _killed(worker) from error
    return True


def _receive(worker: _Worker) -> tuple[BaseException | None, list[Any]]:
    try:
        failed, results = worker[1].recv()
    except (EOFError, OSError) as error:
        raise _killed(worker) from error
    return failed, results


def _killed(worker: _Worker) -> OcrError:
    worker[0].join(1)
    code = worker[0].exitcode
    return OcrError(
        f"a worker process ended by itself (exit code {code}), perhaps for want of memory: try "
        "fewer with --threads; a script must guard its main part by if __name__ == '__main__'"
    )


def _work(function: Callable[[Any], Any], connection: Connection[Any, Any]) -> None:
    """Do chunks until the other end is closed, be it that its process was killed."""
    # Ctrl-C goes to all processes of a terminal; the first one decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with single_threaded():
        while True:
            try:
                jobs = connection.recv()
            except (EOFError, OSError):
                # At once, without joining threads that libraries may have started.
                os._exit(0)
            results: list[Any] = []
            failed: BaseException | None = None
            try:
                for job in jobs:
                    results.append(function(job))
            except Exception as error:  # noqa: BLE001 (raised again in the other process)
                failed = error
            try:
                connection.send((failed, results))
            except OSError:
                os._exit(0)
