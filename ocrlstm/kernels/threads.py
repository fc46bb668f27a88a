"""The one place that decides how many threads work, and hands work to them.

Kernels release the GIL, so ordinary Python threads run them side by side. Work is split over lines
and directions; BLAS is held to one thread meanwhile, because its own threads would fight for the
same cores.
"""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import Any

# Numba's matrix product calls SciPy's BLAS: loaded here, so that the controller finds it.
import scipy.linalg.cython_blas  # noqa: F401
from threadpoolctl import ThreadpoolController

__all__ = [
    "available_cores",
    "run_parallel",
    "set_thread_count",
    "single_threaded",
    "split",
    "thread_count",
]

_lock = threading.Lock()
_local = threading.local()
_count: int | None = None
_pool: ThreadPoolExecutor | None = None
_pool_key = (0, 0)  # process and size
_blas: tuple[ThreadpoolController, ThreadpoolController] | None = None
_blas_users = 0
_blas_limit: Any = None


def available_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count() -> int:
    """Return how many threads kernels called from this thread may use."""
    if getattr(_local, "alone", 0):
        return 1
    return _count if _count is not None else available_cores()


def set_thread_count(count: int | None) -> None:
    """Set the thread count of the whole process.

    Parameters
    ----------
    count : int or None
        At least 1; None for the cores the process may use.

    Raises
    ------
    TypeError
        If `count` is not a whole number.
    ValueError
        If it is below 1.
    """
    global _count
    if count is not None:
        count = operator.index(count)
        if count < 1:
            raise ValueError(f"thread count must be at least 1, not {count}")
    _count = count


@contextmanager
def single_threaded() -> Iterator[None]:
    """Let this thread run its kernels alone: for workers that are themselves one of many."""
    _local.alone = getattr(_local, "alone", 0) + 1
    try:
        with _blas_on_one_thread():
            yield
    finally:
        _local.alone -= 1


@contextmanager
def _blas_on_one_thread() -> Iterator[None]:
    # Counted, because most limits belong to the process: the last user lifts them, not the first.
    global _blas, _blas_users, _blas_limit
    with _lock:
        if _blas is None:
            _blas = _find_blas()
        of_process, of_thread = _blas
        if _blas_users == 0:
            _take_control(of_process)
            _blas_limit = of_process.limit(limits=1)
        _blas_users += 1
    try:
        with of_thread.limit(limits=1) if of_thread.lib_controllers else nullcontext():
            yield
    finally:
        with _lock:
            _blas_users -= 1
            if _blas_users == 0:
                _take_control(of_process)
                _blas_limit.restore_original_limits()
                _blas_limit = None
                _take_control(of_process)


def _find_blas() -> tuple[ThreadpoolController, ThreadpoolController]:
    """Return the BLAS libraries with one thread count for the process, and with one a thread."""
    blas = ThreadpoolController().select(user_api="blas")
    paths: tuple[list[str], list[str]] = ([], [])
    for library in blas.info():
        paths[library.get("threading_layer") == "openmp"].append(library["filepath"])
    return blas.select(filepath=paths[0]), blas.select(filepath=paths[1])


def _take_control(controller: ThreadpoolController) -> None:
    # Recent threadpoolctl lets only the first thread that set a limit change it, and silently
    # ignores all others. Users are counted here, so whichever thread comes first or last may.
    for library in controller.lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear(force=True)


def _workers(size: int) -> ThreadPoolExecutor:
    global _pool, _pool_key
    key = (os.getpid(), size)  # a forked process has the pool, but not its threads
    with _lock:
        if _pool is None or _pool_key != key:
            # The old pool is not shut down: another thread may still wait for its results. Its
            # threads end when it is collected.
            _pool = ThreadPoolExecutor(size, "ocrlstm")
            _pool_key = key
        return _pool


def run_parallel(function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Call ``function(*job)`` for every job and return the results in order.

    The calling thread works too, so the call ends even where all workers are busy for others. Runs
    inline where this thread may use one thread only or there is one job; so do calls within jobs
    that run side by side. An exception is raised when no job is running any more, and the jobs not
    yet begun are left undone.
    """
    allowed = thread_count()  # asked once: another thread may change it meanwhile
    threads = min(allowed, len(jobs))
    results: list[Any] = [None] * len(jobs)
    numbers = iter(range(len(jobs)))

    def work() -> None:
        # next() on a range iterator is atomic under the GIL: no job is taken twice.
        try:
            for number in numbers:
                results[number] = function(*jobs[number])
        except BaseException:
            for _ in numbers:  # leaves nothing to begin for the other threads
                pass
            raise

    def work_alone() -> None:
        with single_threaded():
            work()

    if threads <= 1:
        with _blas_on_one_thread():
            work()
        return results
    workers = _workers(allowed - 1)
    futures = [workers.submit(work_alone) for _ in range(threads - 1)]
    try:
        work_alone()
    finally:
        # Also after an error here: no job may still write while the caller goes on.
        begun = [future for future in futures if not future.cancel()]
        errors = [future.exception() for future in begun]
    for error in errors:
        if error is not None:
            raise error
    return results


def split(count: int, parts: int | None = None) -> list[tuple[int, int]]:
    """Cut ``range(count)`` into at most `parts` (default: the thread count) even slices."""
    parts = max(1, min(count, thread_count() if parts is None else parts))
    edges = [count * i // parts for i in range(parts + 1)]
    return list(zip(edges[:-1], edges[1:], strict=True))
