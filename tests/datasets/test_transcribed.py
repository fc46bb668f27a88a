"""Points in all their spellings."""

import numpy as np
import pytest

from ocrlstm.datasets.transcribed import parse_points, read_number


@pytest.mark.parametrize(
    "text",
    [
        "1,2 30,40 5,-6",
        "1 2 30 40 5 -6",
        " 1,2  30,40\n\t5,-6 ",
        "1, 2, 30, 40, 5, -6",
        "1,2,30,40,5,-6",
        "1.0,2.0 30.,40e0 5,-6",
        "1;2 30;40 5;-6",
    ],
)
def test_spellings(text):
    points = parse_points(text)
    assert points.dtype == np.float32
    assert points.tolist() == [[1, 2], [30, 40], [5, -6]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "has no points"),
        (" , ", "has no points"),
        ("1,2 3", "has 3 coordinates, expected pairs x,y"),
        ("1,2 x,4", "no number"),
        ("1 2 " * 500_001, "has 2000004 characters"),
    ],
)
def test_faults_are_told(text, fault):
    assert fault in parse_points(text)


def test_numbers_beyond_all_bounds_do_not_warn():
    points = parse_points("1e300,nan inf,-1e999")
    assert not np.isfinite(points).any()


@pytest.mark.parametrize("text", [None, "", "x", "nan", "inf", "1e999"])
def test_what_is_no_number_counts_as_the_default(text):
    assert read_number(text, 7.0) == 7.0
