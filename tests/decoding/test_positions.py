"""Edges of characters in the line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.decoding import Symbol, cut_characters


def symbols_at(*runs: tuple[int, int]) -> list[Symbol]:
    return [Symbol(1, start, end, 1.0) for start, end in runs]


def blobs(width: int, *spans: tuple[int, int]) -> np.ndarray:
    ink = np.zeros(width)
    for start, end in spans:
        ink[start:end] = 10
    return ink


def test_no_symbols() -> None:
    assert cut_characters([], np.ones(5), 5) == []


def test_cut_in_the_gap_though_it_is_not_in_the_middle() -> None:
    # Letters in columns 4-12 and 14-30; the runs' middle is column 15.5.
    ink = blobs(40, (4, 12), (14, 30))
    boxes = cut_characters(symbols_at((8, 9), (22, 23)), ink, 40)
    assert boxes[0][1] == boxes[1][0]
    assert 12 <= boxes[0][1] <= 14
    # The median distance is 14: the edges of the ink are nearer than that and stand.
    assert boxes[0][0] == 4
    assert boxes[1][1] == 30


def test_frames_are_spread_over_the_columns() -> None:
    ink = blobs(40, (4, 12), (14, 30))
    fine = cut_characters(symbols_at((8, 10), (22, 24)), ink, 40)
    assert cut_characters(symbols_at((4, 5), (11, 12)), ink, 20) == fine


def test_equal_columns_are_cut_in_the_middle() -> None:
    boxes = cut_characters(symbols_at((2, 3), (8, 9)), np.ones(11), 11)
    assert boxes[0][1] == 5.5


def test_runs_that_touch_are_cut_where_they_touch() -> None:
    boxes = cut_characters(symbols_at((1, 2), (2, 4)), np.ones(20), 5)
    assert boxes[0][1] == 8.0


def test_far_ink_is_not_taken_for_the_outermost_characters() -> None:
    # Specks of dirt at both ends; runs 10 columns apart.
    ink = blobs(100, (0, 1), (40, 70), (99, 100))
    boxes = cut_characters(symbols_at((45, 46), (55, 56), (65, 66)), ink, 100)
    assert boxes[0][0] == 45 - 10
    assert boxes[-1][1] == 66 + 10


def test_a_single_symbol_takes_the_ink() -> None:
    assert cut_characters(symbols_at((9, 10)), blobs(30, (5, 20)), 30) == [(5.0, 20.0)]


def test_paper_texture_is_no_ink() -> None:
    ink = blobs(30, (5, 20)) + 0.2
    assert cut_characters(symbols_at((9, 10)), ink, 30) == [(5.0, 20.0)]


def test_without_ink_the_run_is_what_is_left() -> None:
    assert cut_characters(symbols_at((2, 4)), np.zeros(20), 10) == [(4.0, 8.0)]


@pytest.mark.parametrize(
    "runs", [[(3, 3)], [(2, 4), (3, 5)], [(5, 6), (1, 2)], [(4, 11)], [(-1, 2)]]
)
def test_impossible_runs_are_refused(runs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="does not follow frame"):
        cut_characters(symbols_at(*runs), np.ones(20), 10)


@given(st.data(), st.integers(1, 60), st.integers(1, 150), st.integers(0, 1000))
def test_ranges_are_ordered_disjoint_and_contain_their_runs(
    data: st.DataObject, frames: int, width: int, seed: int
) -> None:
    ends = sorted(data.draw(st.sets(st.integers(0, frames), max_size=16)))
    symbols = symbols_at(*zip(ends[::2], ends[1::2]))  # noqa: B905 - an odd one is left over
    rng = np.random.default_rng(seed)
    ink = (rng.random(width) * rng.integers(0, 2, width)).astype(np.float32)
    boxes = cut_characters(symbols, ink, frames)
    assert len(boxes) == len(symbols)
    edges = [edge for box in boxes for edge in box]
    assert edges == sorted(edges)
    for symbol, (x0, x1) in zip(symbols, boxes, strict=True):
        step = width / frames
        assert 0 <= x0 < x1 <= width
        assert x0 <= symbol.start * step
        assert x1 >= min(symbol.end * step, width)
