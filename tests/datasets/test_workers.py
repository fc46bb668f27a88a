"""The ordered map: order, bounded look-ahead, errors, early end."""

import threading
import time

import pytest

from ocrlstm.datasets.workers import map_in_order
from ocrlstm.kernels.threads import thread_count


def test_results_come_in_order():
    def slow_when_even(job: int) -> int:
        time.sleep(0.002 * (job % 2 == 0))
        return job * job

    assert list(map_in_order(slow_when_even, range(40), threads=4)) == [n * n for n in range(40)]


def test_no_more_than_ahead_are_drawn():
    drawn = 0

    def jobs():
        nonlocal drawn
        for job in range(100):
            drawn += 1
            yield job

    results = map_in_order(lambda job: job, jobs(), threads=2, ahead=5)
    assert [next(results), next(results)] == [0, 1]
    assert drawn <= 7
    results.close()


def test_an_error_ends_the_map():
    def fail_on_three(job: int) -> int:
        if job == 3:
            raise ValueError("three")
        return job

    with pytest.raises(ValueError, match="three"):
        list(map_in_order(fail_on_three, range(50), threads=2))


def test_kernels_in_workers_run_alone():
    threads = set()

    def note(job: int) -> int:
        threads.add(threading.get_ident())
        return thread_count()

    assert set(map_in_order(note, range(10), threads=2)) == {1}
    assert threading.get_ident() not in threads


def test_nothing_to_do():
    assert list(map_in_order(str, [], threads=3)) == []
