"""Worker processes: results in order, errors raised, deaths noticed."""

import os

import pytest

from ocrlstm.datasets.processes import map_in_processes
from ocrlstm.errors import OcrError


def square(number):
    if number == 30:
        raise ValueError("thirty is too much")
    return number * number, os.getpid()


def die(number):
    os._exit(9)


def test_one_process_is_this_one():
    assert list(map_in_processes(square, range(5), 1)) == [(n * n, os.getpid()) for n in range(5)]


def test_results_come_in_order_from_all_processes():
    results = list(map_in_processes(square, range(29), 2))
    assert [result for result, _ in results] == [n * n for n in range(29)]
    processes = {process for _, process in results}
    assert len(processes) == 2 and os.getpid() not in processes


def test_an_error_comes_after_the_results_before_it():
    seen = []
    with pytest.raises(ValueError, match="thirty"):
        for result, _ in map_in_processes(square, range(64), 2):
            seen.append(result)
    assert seen == [n * n for n in range(30)]


def test_a_process_that_dies_is_told():
    with pytest.raises(OcrError, match="exit code 9"):
        list(map_in_processes(die, range(3), 2))


def test_no_jobs_no_results():
    assert list(map_in_processes(square, [], 2)) == []
