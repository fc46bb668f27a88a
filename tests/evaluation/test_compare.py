"""The paired bootstrap against all resamples there are."""

import itertools

import numpy as np
import pytest

from ocrlstm.evaluation import DifferingLine, compare, score

TRUTHS = ["abcdefgh", "ijkl", "mnopqr", "st"]
FIRST = ["abcdefgh", "ijkx", "mnopqr", "st"]  # 0, 1, 0, 0 edits
SECOND = ["abcdxyzh", "ijkl", "mnopqx", "st"]  # 3, 0, 1, 0 edits


def exact_gaps() -> tuple[np.ndarray, np.ndarray]:
    """Difference of edits and length of the truth for all 4^4 resamples, each as probable."""
    gaps, lengths = np.array([-3, 1, -1, 0]), np.array([8, 4, 6, 2])
    drawn = np.array(list(itertools.product(range(4), repeat=4)))
    return gaps[drawn].sum(axis=1), lengths[drawn].sum(axis=1)


def test_counts_by_hand() -> None:
    found = compare(TRUTHS, FIRST, SECOND, names=["1", "2", "3", "4"])
    assert (found.cer, found.other_cer) == (1 / 20, 4 / 20)
    assert found.difference == pytest.approx(-3 / 20)
    assert (found.lines_better, found.lines_worse, found.lines_equal) == (2, 1, 1)
    assert found.differing == (
        DifferingLine("1", "abcdefgh", "abcdefgh", "abcdxyzh", 0, 3),
        DifferingLine("2", "ijkl", "ijkx", "ijkl", 1, 0),
        DifferingLine("3", "mnopqr", "mnopqr", "mnopqx", 0, 1),
    )
    assert compare(TRUTHS, FIRST, SECOND, most=1).differing[0].name == "line 1"
    assert compare(TRUTHS, FIRST, SECOND, most=0).differing == ()


def test_shares_are_those_of_all_resamples() -> None:
    gaps, lengths = exact_gaps()
    resamples = 40_000
    found = compare(TRUTHS, FIRST, SECOND, resamples=resamples)
    # Four standard deviations of a share of so many resamples.
    near = 4 * 0.5 / resamples**0.5
    assert found.better_share == pytest.approx((gaps < 0).mean(), abs=near)
    assert found.worse_share == pytest.approx((gaps > 0).mean(), abs=near)
    assert found.p_value == pytest.approx(2 * (gaps >= 0).mean(), abs=2 * near)
    rates = gaps / lengths
    low, high = np.quantile(rates, [0.025, 0.975])
    # The rates are few, so a bound is one of them: its place among them is compared.
    for bound, exact in zip(found.difference_interval, (low, high), strict=True):
        assert (rates < bound - 1e-9).mean() - near <= (rates <= exact + 1e-9).mean()
        assert (rates <= bound + 1e-9).mean() + near >= (rates < exact - 1e-9).mean()


def test_the_other_way_round() -> None:
    one, other = compare(TRUTHS, FIRST, SECOND), compare(TRUTHS, SECOND, FIRST)
    assert one.difference == -other.difference
    assert one.difference_interval == tuple(-b for b in reversed(other.difference_interval))
    assert (one.better_share, one.p_value) == (other.worse_share, other.p_value)
    assert (one.lines_better, one.lines_worse) == (other.lines_worse, other.lines_better)


def test_no_difference() -> None:
    found = compare(TRUTHS, FIRST, FIRST)
    assert (found.difference, found.difference_interval) == (0.0, (0.0, 0.0))
    assert (found.better_share, found.worse_share, found.p_value) == (0.0, 0.0, 1.0)
    assert found.lines_equal == 4 and found.differing == ()


def test_a_clear_difference_is_not_chance() -> None:
    truths = ["abcd"] * 200
    found = compare(truths, ["abcd"] * 200, ["abcx"] * 200, resamples=999)
    assert found.better_share == 1.0 and found.p_value == 2 / 1000
    assert found.difference_interval == (-0.25, -0.25)


def test_rates_are_those_of_score() -> None:
    found = compare(TRUTHS, FIRST, SECOND)
    assert (found.cer, found.other_cer) == (score(TRUTHS, FIRST).cer, score(TRUTHS, SECOND).cer)
    assert compare(["a\u0308"], ["ä"], ["a"]).cer == 0
    assert compare(["a\u0308"], ["ä"], ["a"], normal_form="none").cer == 1.0


def test_repeatable() -> None:
    assert compare(TRUTHS, FIRST, SECOND, seed=5) == compare(TRUTHS, FIRST, SECOND, seed=5)


@pytest.mark.parametrize(
    ("truths", "first", "second"), [(["a"], ["a"], []), (["a"], [], ["a"]), ([], [], [])]
)
def test_what_does_not_belong_together(
    truths: list[str], first: list[str], second: list[str]
) -> None:
    with pytest.raises(ValueError, match="expected as many"):
        compare(truths, first, second)
