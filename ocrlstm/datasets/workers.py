"""A map over worker threads whose results come in order and whose look-ahead is bounded.

`concurrent.futures.Executor.map` takes all its jobs at once; here no more than a few wait, so a
stream of any length needs little memory and an interrupted run stops soon.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from ocrlstm.kernels.threads import single_threaded

__all__ = ["map_in_order"]

Job = TypeVar("Job")
Result = TypeVar("Result")


def map_in_order(
    function: Callable[[Job], Result], jobs: Iterable[Job], threads: int, ahead: int | None = None
) -> Iterator[Result]:
    """Yield ``function(job)`` for each job, in the order of the jobs.

    Inside `function` all kernels run on the worker's own thread, so that the workers do not
    compete with threads of their own.

    Parameters
    ----------
    function : callable
        Called from worker threads. An exception in it ends the map and is raised here.
    jobs : iterable
        Drawn from the calling thread, never more than `ahead` before their results are taken.
    threads : int
        Number of worker threads.
    ahead : int, optional
        Jobs that may be begun or wait; four for each thread by default.

    Yields
    ------
    Result
        What `function` returned.
    """

    def alone(job: Job) -> Result:
        with single_threaded():
            return function(job)

    ahead = max(1, 4 * threads if ahead is None else ahead)
    waiting: deque[Future[Result]] = deque()
    executor = ThreadPoolExecutor(max(1, threads), thread_name_prefix="ocrlstm")
    try:
        for job in jobs:
            waiting.append(executor.submit(alone, job))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
