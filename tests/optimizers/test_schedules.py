"""Schedules: their ends, their middle and their shape."""

import numpy as np
import pytest

from ocrlstm.optimizers import SCHEDULES


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("constant", [1.0, 1.0, 1.0]),
        ("linear", [1.0, 0.5, 0.0]),
        ("cosine", [1.0, 0.5, 0.0]),
        ("exponential", [1.0, 0.1, 0.01]),
        ("one_cycle", [1.0, 0.5, 0.0]),
    ],
)
def test_values_without_warmup(name, values):
    factors = [SCHEDULES[name](progress, warmup=0.0) for progress in (0.0, 0.5, 1.0)]
    assert factors == pytest.approx(values, abs=1e-15)


@pytest.mark.parametrize("name", SCHEDULES)
def test_rises_through_the_warmup_and_never_after(name):
    progress = np.linspace(0, 1, 101)
    factors = np.array([SCHEDULES[name](p, warmup=0.2) for p in progress])
    assert np.all(np.diff(factors[:21]) > 0)
    assert np.all(np.diff(factors[20:]) <= 0)
    assert factors.max() == factors[20] == 1.0
    assert factors.min() >= 0.0
    # no jump where the warm-up ends
    assert np.abs(np.diff(factors)).max() < 0.1


@pytest.mark.parametrize("name", ["constant", "cosine", "exponential", "linear"])
def test_warmup_is_a_straight_line_from_0(name):
    factors = [SCHEDULES[name](progress, warmup=0.2) for progress in (0.0, 0.05, 0.1)]
    assert factors == pytest.approx([0.0, 0.25, 0.5])


def test_one_cycle_by_hand():
    one_cycle = SCHEDULES["one_cycle"]
    # its rise goes along half a cosine: half way between the initial value and 1 in its middle
    assert one_cycle(0.0) == pytest.approx(0.04)
    assert one_cycle(0.15) == pytest.approx((1 + 0.04) / 2)
    assert one_cycle(0.3) == 1.0
    assert one_cycle(0.65) == pytest.approx(0.5)


@pytest.mark.parametrize("name", SCHEDULES)
def test_progress_outside_is_the_nearer_end(name):
    schedule = SCHEDULES[name]
    assert schedule(-0.1) == schedule(0.0)
    assert schedule(1.1) == schedule(1.0)


@pytest.mark.parametrize("warmup", [-0.1, 1.0])
def test_bad_warmup_is_refused(warmup):
    with pytest.raises(ValueError, match="warmup"):
        SCHEDULES["linear"](0.5, warmup=warmup)


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("exponential", {"final": 0.0}),
        ("exponential", {"final": -0.5}),
        ("exponential", {"final": 2.0}),
        ("one_cycle", {"initial": -0.1}),
        ("one_cycle", {"initial": 1.5}),
    ],
)
def test_bad_ends_are_refused(name, setting):
    ((what, value),) = setting.items()
    with pytest.raises(ValueError, match=f"{what} must lie in .*, not {value}"):
        SCHEDULES[name](0.5, **setting)
