"""Reliability tables and calibration errors, counted by hand and by another way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import Bin, count_edits, mark_right, measure_reliability

FEW = st.text(alphabet="abc", max_size=8)


@pytest.mark.parametrize(
    ("truth", "read", "marks"),
    [
        ("abc", "abc", "111"),
        ("abc", "axc", "101"),
        ("abc", "ac", "11"),
        ("ac", "abc", "101"),
        ("", "ab", "00"),
        ("ab", "", ""),
        (["a", "ö"], ["ö"], "1"),
    ],
)
def test_marks(truth: str, read: str, marks: str) -> None:
    assert mark_right(truth, read) == [mark == "1" for mark in marks]


@given(FEW, FEW)
def test_right_ones_are_a_common_subsequence(truth: str, read: str) -> None:
    marks = mark_right(truth, read)
    assert len(marks) == len(read)
    rest = iter(truth)
    assert all(c in rest for c, right in zip(read, marks, strict=True) if right)
    # What is not right was replaced or inserted, which are edits.
    assert marks.count(False) <= count_edits(truth, read)


def test_ten_characters_by_hand() -> None:
    confidences = [0.05, 0.55, 0.55, 0.92, 0.94, 0.96, 0.98, 1.0, 1.0, 1.0]
    right = [False, True, False, True, False, True, True, True, True, True]
    found = measure_reliability(confidences, right)
    assert found.bins == (
        Bin(0.0, 0.1, 1, 0.05, 0.0),
        Bin(0.5, 0.6, 2, 0.55, 0.5),
        Bin(0.9, 1.0, 7, pytest.approx(6.8 / 7), 6 / 7),
    )
    # 1 x 0.05 + 2 x 0.05 + 7 x (6.8 / 7 - 6 / 7), over 10.
    assert found.ece_equal_width == pytest.approx((0.05 + 0.1 + 0.8) / 10)
    # One character a bin: the mean of |right - confidence|.
    assert found.ece_equal_mass == pytest.approx(
        (0.05 + 0.45 + 0.55 + 0.08 + 0.94 + 0.04 + 0.02) / 10
    )
    assert (found.characters, found.accuracy) == (10, 0.7)
    assert found.confidence == pytest.approx(0.795)


def test_bins_of_equal_mass() -> None:
    found = measure_reliability(np.arange(25) / 25, np.arange(25) % 2 == 0, bins=4)
    assert [each.count for each in found.mass_bins] == [7, 6, 6, 6]
    assert found.mass_bins[0] == Bin(0.0, 6 / 25, 7, pytest.approx(3 / 25), 4 / 7)
    assert found.mass_bins[-1].high == 24 / 25


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_another_way_to_the_same_error(pairs: list[tuple[float, bool]]) -> None:
    sure, right = np.array([p for p, _ in pairs]), np.array([r for _, r in pairs])
    found = measure_reliability(sure, right)
    # The weighted mean of |accuracy - confidence| is the sum of |right - sure| sums over N.
    sums = np.zeros(10)
    np.add.at(sums, np.minimum((sure * 10).astype(int), 9), right - sure)
    assert found.ece_equal_width == pytest.approx(np.abs(sums).sum() / len(pairs))
    order = np.argsort(sure, kind="stable")
    parts = [np.abs((right - sure)[part].sum()) for part in np.array_split(order, 10)]
    assert found.ece_equal_mass == pytest.approx(sum(parts) / len(pairs))
    assert sum(each.count for each in found.bins) == len(pairs)
    assert abs(found.accuracy - found.confidence) <= found.ece_equal_width + 1e-12


def test_confidences_that_are_true() -> None:
    rng = np.random.default_rng(0)
    sure = rng.random(200_000)
    found = measure_reliability(sure, rng.random(200_000) < sure)
    assert found.ece_equal_width < 0.005 and found.ece_equal_mass < 0.005
    doubted = measure_reliability(sure, rng.random(200_000) < sure / 2)
    assert doubted.ece_equal_width == pytest.approx(0.25, abs=0.005)


def test_nothing_read() -> None:
    found = measure_reliability([], [])
    assert (found.characters, found.ece_equal_width, found.ece_equal_mass) == (0, 0.0, 0.0)
    assert found.bins == found.mass_bins == ()


@pytest.mark.parametrize(
    ("confidences", "right", "bins", "message"),
    [
        ([0.5], [True, False], 10, r"shape \(1,\) and right has \(2,\)"),
        ([1.5], [True], 10, "not in"),
        ([float("nan")], [True], 10, "not in"),
        ([0.5], [True], 0, "bins is 0"),
    ],
)
def test_what_is_refused(
    confidences: list[float], right: list[bool], bins: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        measure_reliability(confidences, right, bins)
