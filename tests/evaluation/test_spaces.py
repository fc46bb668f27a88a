"""Errors with spaces, counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import SpaceErrors, count_edits, count_space_errors


@pytest.mark.parametrize(
    ("truth", "prediction", "counts"),
    [
        ("a b", "a b", (1, 0, 0, 0, 0)),
        ("a b", "ab", (1, 1, 0, 0, 0)),
        ("ab", "a b", (0, 0, 1, 0, 0)),
        ("a b", "a-b", (1, 0, 0, 1, 0)),
        ("a-b", "a b", (0, 0, 0, 0, 1)),
        ("a b", "", (1, 1, 0, 0, 0)),
        ("", "a b", (0, 0, 1, 0, 0)),
        ("xx y zz", "xxy z z", (2, 1, 1, 0, 0)),
    ],
)
def test_by_hand(truth: str, prediction: str, counts: tuple[int, ...]) -> None:
    assert count_space_errors([(truth, prediction)]) == SpaceErrors(*counts)


def test_sums_over_lines() -> None:
    lines = [("a b", "ab"), ("c d", "c_d"), ("e", "e")]
    assert count_space_errors(lines) == SpaceErrors(2, 1, 0, 1, 0)
    assert count_space_errors([]) == SpaceErrors(0, 0, 0, 0, 0)


@given(st.text(alphabet="ab ", max_size=8), st.text(alphabet="ab ", max_size=8))
def test_no_more_errors_than_edits_and_spaces(truth: str, prediction: str) -> None:
    found = count_space_errors([(truth, prediction)])
    errors = found.lost + found.invented + found.as_other + found.for_other
    assert errors <= count_edits(truth, prediction)
    # Spaces that are right have as many on both sides.
    right = found.spaces - found.lost - found.as_other
    assert right == prediction.count(" ") - found.invented - found.for_other
