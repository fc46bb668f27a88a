"""Edit counts against the textbook recurrence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import count_edits, list_confusions

FEW = st.text(alphabet="abc ", max_size=8)


def distance_by_recurrence(a: str, b: str) -> int:
    """Wagner and Fischer, row by row."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


@pytest.mark.parametrize(
    ("truth", "prediction", "edits"),
    [("", "", 0), ("", "ab", 2), ("ab", "", 2), ("kitten", "sitting", 3), ("ab", "ba", 2)],
)
def test_table(truth: str, prediction: str, edits: int) -> None:
    assert count_edits(truth, prediction) == edits


@given(FEW, FEW)
def test_equals_the_recurrence(truth: str, prediction: str) -> None:
    assert count_edits(truth, prediction) == distance_by_recurrence(truth, prediction)
    assert count_edits(list(truth), list(prediction)) == count_edits(truth, prediction)


@given(FEW, FEW)
def test_every_edit_is_a_confusion(truth: str, prediction: str) -> None:
    confusions = list(list_confusions(truth, prediction))
    assert len(confusions) == count_edits(truth, prediction)
    assert all(stands != read for stands, read in confusions)
    # Taking away what stood there and adding what was read makes one text of the other.
    left = sorted(truth) + sorted(read for _, read in confusions if read)
    right = sorted(prediction) + sorted(stands for stands, _ in confusions if stands)
    assert sorted(left) == sorted(right)


def test_sides_of_a_confusion() -> None:
    assert list(list_confusions("acde", "abcxe")) == [("", "b"), ("d", "x")]
    assert list(list_confusions("ab", "b")) == [("a", "")]
