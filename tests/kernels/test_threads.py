"""Threads: order, errors, nesting, several callers, and what BLAS may use meanwhile."""

import os
import threading
import time
import warnings

import numpy as np
import pytest
import threadpoolctl

from ocrlstm.kernels.threads import (
    available_cores,
    run_parallel,
    set_thread_count,
    single_threaded,
    split,
    thread_count,
)


@pytest.fixture(autouse=True)
def three_threads():
    set_thread_count(3)
    yield
    set_thread_count(None)


def meet(barrier):
    """Go on when as many threads as the barrier wants are here: proof that they run at once."""
    barrier.wait(timeout=20)
    return threading.current_thread().name


def blas_threads():
    return {
        library["filepath"]: library["num_threads"]
        for library in threadpoolctl.threadpool_info()
        if library["user_api"] == "blas"
    }


def test_results_stand_in_the_order_of_the_jobs():
    def job(number):
        time.sleep(0.001 * (number % 3))
        return number * number

    assert run_parallel(job, [(n,) for n in range(50)]) == [n * n for n in range(50)]


def test_no_jobs_and_one_job():
    assert run_parallel(meet, []) == []
    assert run_parallel(lambda: threading.current_thread().name, [()]) == ["MainThread"]


def test_as_many_at_once_as_allowed():
    names = run_parallel(meet, [(threading.Barrier(3),)] * 3)
    assert len(set(names)) == 3
    assert "MainThread" in names  # the caller works too


@pytest.mark.parametrize("who_fails", ["caller", "worker"])
def test_an_error_ends_the_call_when_nothing_runs_any_more(who_fails):
    running, begun = set(), []
    barrier = threading.Barrier(3)

    def job(number):
        begun.append(number)
        running.add(number)
        try:
            if number < 3:
                meet(barrier)
            if (threading.current_thread().name == "MainThread") == (who_fails == "caller"):
                raise KeyError(number)
            time.sleep(0.05)
        finally:
            running.discard(number)

    with pytest.raises(KeyError):
        run_parallel(job, [(n,) for n in range(1000)])
    assert not running
    count = len(begun)
    assert count <= 6  # the three at work, and what was taken before the error showed
    time.sleep(0.1)
    assert len(begun) == count
    assert run_parallel(abs, [(-1,), (-2,)]) == [1, 2]  # the workers are still there


def test_ctrl_c_leaves_the_rest_undone():
    begun = []

    def job(number):
        begun.append(number)
        if threading.current_thread().name == "MainThread":
            raise KeyboardInterrupt
        time.sleep(0.02)

    with pytest.raises(KeyboardInterrupt):
        run_parallel(job, [(n,) for n in range(1000)])
    assert len(begun) < 10


def test_calls_within_jobs_run_inline():
    def outer(barrier):
        meet(barrier)
        inner = run_parallel(lambda _: threading.get_ident(), [(n,) for n in range(4)])
        return thread_count(), set(inner) == {threading.get_ident()}

    assert run_parallel(outer, [(threading.Barrier(3),)] * 3) == [(1, True)] * 3
    assert thread_count() == 3


def test_several_callers_at_once():
    results = {}

    def caller(who):
        for _ in range(20):
            found = run_parallel(lambda n: who * 1000 + n, [(n,) for n in range(7)])
            results.setdefault(who, set()).add(tuple(found))

    threads = [threading.Thread(target=caller, args=(who,)) for who in range(5)]
    for thread in threads:
        thread.start()
    for count in (1, 4, 2, 3):  # the count may change under their feet
        set_thread_count(count)
        time.sleep(0.002)
    for thread in threads:
        thread.join(timeout=60)
    assert results == {who: {tuple(who * 1000 + n for n in range(7))} for who in range(5)}


def test_busy_workers_do_not_hold_up_other_callers():
    release = threading.Event()

    def occupy():
        run_parallel(lambda _: release.wait(20), [(n,) for n in range(3)])

    thread = threading.Thread(target=occupy)
    thread.start()
    try:
        assert run_parallel(abs, [(-n,) for n in range(5)]) == [0, 1, 2, 3, 4]
    finally:
        release.set()
        thread.join(timeout=20)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_gets_workers_of_its_own():
    run_parallel(meet, [(threading.Barrier(3),)] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside threads
        child = os.fork()
    if child == 0:
        names = set()
        try:
            names.update(run_parallel(meet, [(threading.Barrier(3),)] * 3))
        finally:
            os._exit(0 if len(names) == 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_blas_is_held_to_one_thread_and_let_go_again():
    before = blas_threads()
    assert before
    for inside in run_parallel(lambda _: blas_threads(), [(n,) for n in range(3)]):
        assert set(inside.values()) == {1}
    assert blas_threads() == before
    with single_threaded(), single_threaded():
        assert set(blas_threads().values()) == {1}
    with pytest.raises(ZeroDivisionError):
        run_parallel(lambda n: 1 // n, [(1,), (0,)])
    assert blas_threads() == before


def test_blas_is_let_go_by_the_last_of_several_users():
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def other():
        with single_threaded():
            inside.set()
            leave.wait(20)

    thread = threading.Thread(target=other)
    with single_threaded():
        thread.start()
        assert inside.wait(20)
    assert set(blas_threads().values()) == {1}
    leave.set()
    thread.join(timeout=20)
    assert blas_threads() == before


def test_thread_count():
    assert thread_count() == 3
    with single_threaded():
        assert thread_count() == 1
        names = run_parallel(lambda _: threading.current_thread().name, [(n,) for n in range(5)])
        assert names == ["MainThread"] * 5
    assert thread_count() == 3
    set_thread_count(np.int64(2))
    assert thread_count() == 2
    set_thread_count(None)
    assert thread_count() == available_cores() >= 1


@pytest.mark.parametrize(
    ("count", "error"), [(0, ValueError), (-2, ValueError), (1.5, TypeError), ("2", TypeError)]
)
def test_a_wrong_count_is_refused_and_changes_nothing(count, error):
    with pytest.raises(error):
        set_thread_count(count)
    assert thread_count() == 3


@pytest.mark.parametrize(
    ("count", "parts", "slices"),
    [
        (7, 3, [(0, 2), (2, 4), (4, 7)]),
        (2, 3, [(0, 1), (1, 2)]),
        (1, 1, [(0, 1)]),
        (0, 3, [(0, 0)]),
        (6, None, [(0, 2), (2, 4), (4, 6)]),
    ],
)
def test_split(count, parts, slices):
    assert split(count, parts) == slices
