"""Best path decoding against a loop over the frames."""

import math
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ocrlstm.decoding import DECODERS, Symbol, greedy, line_confidence

PATHS = st.lists(st.integers(0, 3), max_size=20)


def posteriors(path: list[int], classes: int, seed: int) -> NDArray[np.float32]:
    """Random posteriors with the likeliest class of each frame given."""
    values = np.random.default_rng(seed).uniform(0.1, 1, (len(path), classes))
    values[np.arange(len(path)), path] += 1
    return (values / values.sum(axis=1, keepdims=True)).astype(np.float32)


@given(PATHS, st.integers(0, 100))
def test_equals_a_loop_over_runs(path: list[int], seed: int) -> None:
    values = posteriors(path, 4, seed)
    expected, frame = [], 0
    for label, run in groupby(path):
        end = frame + len(list(run))
        if label:
            expected.append(
                (label, frame, end, max(float(row[label]) for row in values[frame:end]))
            )
        frame = end
    symbols = greedy(np.log(values))
    assert [(s.label, s.start, s.end) for s in symbols] == [run[:3] for run in expected]
    assert [s.confidence for s in symbols] == pytest.approx([run[3] for run in expected], rel=1e-5)


@pytest.mark.parametrize(
    ("path", "labels"),
    [([0, 0], []), ([1, 1], [1]), ([1, 0, 1], [1, 1]), ([1, 2, 2, 1], [1, 2, 1]), ([3], [3])],
)
def test_repeats_need_a_blank_between(path: list[int], labels: list[int]) -> None:
    assert [symbol.label for symbol in greedy(np.log(posteriors(path, 4, 0)))] == labels


def test_no_frames() -> None:
    assert greedy(np.zeros((0, 4), dtype=np.float32)) == []


def test_plain_numbers_and_no_confidence_above_one() -> None:
    # Rounding may leave the logarithm of a posterior just above 0.
    (symbol,) = greedy(np.array([[-20.0, 1e-6]], dtype=np.float32))
    assert symbol == Symbol(1, 0, 1, 1.0)
    assert {type(symbol.label), type(symbol.start), type(symbol.end)} == {int}
    assert type(symbol.confidence) is float


def test_registry() -> None:
    assert set(DECODERS) == {"greedy", "threshold", "beam"}
    assert DECODERS["greedy"] is greedy


@pytest.mark.parametrize(
    ("confidences", "expected"),
    [([], 1.0), ([0.5], 0.5), ([0.9, 0.4], 0.6), ([1.0, 1.0], 1.0)],
)
def test_line_confidence_is_the_geometric_mean(confidences: list[float], expected: float) -> None:
    symbols = [Symbol(1, i, i + 1, value) for i, value in enumerate(confidences)]
    assert line_confidence(symbols) == pytest.approx(expected, abs=1e-12)


def test_line_confidence_with_a_zero_is_small_and_finite() -> None:
    value = line_confidence([Symbol(1, 0, 1, 0.0)])
    assert math.isfinite(value)
    assert value < 1e-300
