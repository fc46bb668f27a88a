"""The error rate and its interval."""

import numpy as np
import pytest

from ocrlstm.evaluation import bootstrap_interval, error_rate


@pytest.mark.parametrize(
    ("edits", "total", "rate"), [(0, 10, 0.0), (1, 4, 0.25), (6, 4, 1.5), (0, 0, 0.0), (3, 0, 1.0)]
)
def test_rate(edits: int, total: int, rate: float) -> None:
    assert error_rate(edits, total) == rate


def interval(edits: list[int], totals: list[int], **options: int) -> tuple[float, float]:
    return bootstrap_interval(edits, totals, np.random.default_rng(3), **options)


def test_lines_that_are_alike_leave_no_doubt() -> None:
    assert interval([1] * 7, [10] * 7) == (0.1, 0.1)
    assert interval([], []) == (0.0, 0.0)
    assert interval([2], [0]) == (1.0, 1.0)
    assert interval([0], [0]) == (0.0, 0.0)


def test_interval_agrees_with_the_binomial() -> None:
    # 400 lines of one character, a quarter wrong: the rate of a sample has the standard deviation
    # sqrt(0.25 * 0.75 / 400) = 0.02165, so 95 % lie within 1.96 of them, 0.0424.
    low, high = interval([1] * 100 + [0] * 300, [1] * 400, resamples=4000)
    assert low == pytest.approx(0.25 - 0.0424, abs=0.005)
    assert high == pytest.approx(0.25 + 0.0424, abs=0.005)


def test_many_lines_are_drawn_in_blocks() -> None:
    # 3,000 lines and 1,000 samples exceed one block, the last of which is not full.
    low, high = interval([1] * 1500 + [0] * 1500, [1] * 3000)
    deviation = 1.96 * 0.5 / 3000**0.5
    assert low == pytest.approx(0.5 - deviation, abs=0.003)
    assert high == pytest.approx(0.5 + deviation, abs=0.003)


def test_no_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="resamples is 0"):
        interval([1], [1], resamples=0)
