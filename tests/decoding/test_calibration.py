"""The fit of the temperature, on symbols whose truth is drawn."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from ocrlstm.decoding import TEMPERATURE_GRID, fit_temperature


def tempered(odds: np.ndarray) -> np.ndarray:
    """Confidences of symbols of two classes, whose log odds are given, at every temperature."""
    return 1 / (1 + np.exp(-odds / np.array(TEMPERATURE_GRID)[:, None]))


def draw(count: int, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """Log odds that are true only when divided by a temperature, and what was right."""
    rng = np.random.default_rng(0)
    odds = rng.gamma(2.0, 2.0, count)
    return odds * temperature, rng.random(count) < 1 / (1 + np.exp(-odds))


@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.3, 2.0, 4.0])
def test_the_temperature_of_many_symbols_is_found(temperature: float) -> None:
    odds, right = draw(40_000, temperature)
    assert fit_temperature(tempered(odds), right) == pytest.approx(temperature, rel=0.05)


def test_the_lowest_point_of_the_stated_loss() -> None:
    odds, right = draw(400, 1.6)
    n, m = right.sum(), (~right).sum()
    target = np.where(right, (n + 1) / (n + 2), 1 / (m + 2))

    def loss(logarithm: float) -> float:
        p = np.clip(1 / (1 + np.exp(-odds / np.exp(logarithm))), 1e-6, 1 - 1e-6)
        likelihood = target * np.log(p) + (1 - target) * np.log(1 - p)
        return -likelihood.sum() + logarithm**2 / (2 * 0.1**2)

    best = minimize_scalar(loss, bounds=(-1.3, 2.0), method="bounded").x
    assert fit_temperature(tempered(odds), right) == pytest.approx(np.exp(best), rel=1e-3)


@pytest.mark.parametrize("count", [1, 20, 200])
def test_without_a_wrong_one_it_stays_near_one(count: int) -> None:
    odds = np.linspace(3, 12, count)
    assert 0.8 < fit_temperature(tempered(odds), np.ones(count, bool)) < 1.6


def test_few_symbols_move_it_less_than_many() -> None:
    few, many = (
        fit_temperature(tempered(odds), right) for odds, right in (draw(40, 3.0), draw(40_000, 3.0))
    )
    assert 1 <= few < many


def test_faults_of_the_truth_have_bounded_weight() -> None:
    confidences = np.full((len(TEMPERATURE_GRID), 1000), 1.0)
    right = np.ones(1000, bool)
    right[0] = False
    assert 0.25 <= fit_temperature(confidences, right) <= 8


def test_no_symbols() -> None:
    assert fit_temperature(np.zeros((len(TEMPERATURE_GRID), 0)), []) == 1.0


def test_shapes_that_do_not_belong_together() -> None:
    with pytest.raises(ValueError, match=r"shape \(3, 2\), expected \(51, 2\)"):
        fit_temperature(np.zeros((3, 2)), [True, False])


def test_four_digits() -> None:
    odds, right = draw(300, 1.4)
    temperature = fit_temperature(tempered(odds), right)
    assert temperature == round(temperature, 4)
