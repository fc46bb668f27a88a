"""Tempered posteriors: the same text, other confidences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.decoding import (
    DECODERS,
    Symbol,
    decode_tempered,
    greedy,
    symbol_confidences,
    temper,
    threshold,
)

TEMPERATURES = st.floats(0.05, 20.0)


def draw_posteriors(seed: int, frames: int = 30, classes: int = 5) -> np.ndarray:
    scores = np.random.default_rng(seed).normal(0, 4, (frames, classes))
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def test_two_classes_by_hand() -> None:
    # 0.9 to 0.1 are odds of 9; their square root is 3, their square 81.
    log = np.log([[0.9, 0.1], [0.5, 0.5]])
    np.testing.assert_allclose(np.exp(temper(log, 2.0)), [[3 / 4, 1 / 4], [0.5, 0.5]])
    np.testing.assert_allclose(np.exp(temper(log, 0.5)), [[81 / 82, 1 / 82], [0.5, 0.5]])
    assert temper(log, 1.0) is log


@given(st.integers(0, 10**6), TEMPERATURES)
def test_rows_are_posteriors_in_the_same_order(seed: int, temperature: float) -> None:
    log = draw_posteriors(seed)
    tempered = temper(log, temperature)
    np.testing.assert_allclose(np.exp(tempered).sum(axis=1), 1.0)
    np.testing.assert_array_equal(tempered.argsort(axis=1), log.argsort(axis=1))
    np.testing.assert_allclose(temper(tempered, 1 / temperature), log, atol=1e-8)


def test_float32_stays_and_extreme_rows_stay_finite() -> None:
    log = np.array([[0.0, -90.0, -1e5]], np.float32)
    for temperature in (0.05, 20.0):
        tempered = temper(log, temperature)
        assert tempered.dtype == np.float32 and np.isfinite(tempered).all()
    np.testing.assert_array_equal(log, [[0.0, -90.0, -1e5]])


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan")])
def test_no_temperature(temperature: float) -> None:
    with pytest.raises(ValueError, match="expected a positive number"):
        temper(np.zeros((1, 2)), temperature)


@given(st.integers(0, 10**6), TEMPERATURES)
def test_greedy_is_that_of_tempered_posteriors(seed: int, temperature: float) -> None:
    log = draw_posteriors(seed)
    quick = decode_tempered(greedy, log, temperature)
    slow = greedy(temper(log, temperature))
    assert [(s.label, s.start, s.end) for s in quick] == [(s.label, s.start, s.end) for s in slow]
    np.testing.assert_allclose([s.confidence for s in quick], [s.confidence for s in slow])


@given(st.integers(0, 10**6), TEMPERATURES, st.sampled_from(["greedy", "threshold"]))
def test_the_text_stays(seed: int, temperature: float, name: str) -> None:
    log = draw_posteriors(seed).astype(np.float32)
    before = DECODERS[name](log)
    after = decode_tempered(DECODERS[name], log, temperature)
    assert [(s.label, s.start, s.end) for s in before] == [(s.label, s.start, s.end) for s in after]
    assert decode_tempered(DECODERS[name], log, 1.0) == before


def test_other_decoders_get_tempered_posteriors() -> None:
    log = np.log([[0.1, 0.9]])
    given: list[np.ndarray] = []

    def decoder(posteriors: np.ndarray) -> list[Symbol]:
        given.append(np.exp(posteriors))
        return []

    assert decode_tempered(decoder, log, 2.0) == []
    np.testing.assert_allclose(given[0], [[0.25, 0.75]])


def test_the_greatest_posterior_of_the_symbols_frames() -> None:
    # The surer frame may be another one at another temperature: what remains counts too.
    log = np.log([[0.2, 0.8, 1e-9], [0.1, 0.8, 0.1], [0.99, 0.005, 0.005], [0.1, 0.1, 0.8]])
    symbols = greedy(log)
    assert [(s.label, s.start, s.end) for s in symbols] == [(1, 0, 2), (2, 3, 4)]
    confidences = symbol_confidences(symbols, log, [1.0, 0.5])
    assert confidences.shape == (2, 2)
    np.testing.assert_allclose(confidences[0], [0.8, 0.8])
    np.testing.assert_allclose(confidences[1], [0.64 / 0.66, 0.64 / 0.66])


def test_lines_without_symbols() -> None:
    blank = np.log([[0.9, 0.1]])
    assert decode_tempered(greedy, blank, 2.0) == []
    assert decode_tempered(threshold, np.zeros((0, 2)), 2.0) == []
    assert symbol_confidences([], blank, [1.0, 2.0]).shape == (2, 0)
