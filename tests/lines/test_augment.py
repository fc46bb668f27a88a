import numpy as np
import pytest
from drawn import drawn_line
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.lines import DISTORTIONS, LineNormalizer, augment, distort, normalize_line

LINE = normalize_line(drawn_line(), LineNormalizer()).pixels
OTHER = normalize_line(drawn_line(columns=300, size=10), LineNormalizer()).pixels


def lend_other(rng):
    return OTHER


def test_the_same_generator_state_gives_the_same_line():
    one = augment(LINE, np.random.default_rng(7))
    np.testing.assert_array_equal(one, augment(LINE, np.random.default_rng(7)))
    other = augment(LINE, np.random.default_rng(8))
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_strength_0_is_a_copy():
    same = augment(LINE, np.random.default_rng(0), 0.0)
    np.testing.assert_array_equal(same, LINE)
    assert same is not LINE
    none = augment(LINE, np.random.default_rng(0), 1.0, dict.fromkeys(DISTORTIONS, 0.0))
    np.testing.assert_array_equal(none, LINE)
    for strength in (-1.0, float("nan")):
        with pytest.raises(ValueError, match=f"not {strength}"):
            augment(LINE, np.random.default_rng(0), strength)


@st.composite
def lines(draw):
    """Lines from 4 to 60 rows, from one column without padding up: noise, strokes, or nothing."""
    height, width = draw(st.integers(4, 60)), draw(st.integers(1, 150))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    pixels = np.zeros((height, width), np.float32)
    kind = draw(st.sampled_from(["noise", "strokes", "a pixel", "blank", "black"]))
    padding = 16 if width > 32 else 0
    inner = pixels[:, padding : width - padding]
    if kind == "noise":
        inner[:] = rng.random(inner.shape, np.float32)
    elif kind == "strokes":
        inner[1:-1, ::5] = 1.0
    elif kind == "a pixel":
        inner[height // 2, inner.shape[1] // 2] = 1.0
    elif kind == "black":
        pixels[:] = 1.0
    return pixels


def check(result, pixels):
    assert result.dtype == np.float32
    assert result.flags.c_contiguous
    assert result.shape[0] == pixels.shape[0]
    assert result.shape[1] >= min(33, pixels.shape[1])
    assert 0 <= result.min() <= result.max() <= 1
    assert not np.shares_memory(result, pixels)


@settings(max_examples=100, deadline=None)
@given(pixels=lines(), strength=st.floats(0.0, 5.0), seed=st.integers(0, 10_000))
def test_bounds_for_any_line(pixels, strength, seed):
    before = pixels.copy()
    check(augment(pixels, np.random.default_rng(seed), strength), pixels)
    check(augment(pixels, np.random.default_rng(seed), strength, {}, lambda rng: pixels), pixels)
    np.testing.assert_array_equal(pixels, before)


@pytest.mark.parametrize("name", DISTORTIONS)
@settings(max_examples=25, deadline=None)
@given(pixels=lines(), strength=st.floats(0.0, 5.0), seed=st.integers(0, 10_000))
def test_bounds_of_each_for_any_line(name, pixels, strength, seed):
    before = pixels.copy()
    check(distort(name, pixels, np.random.default_rng(seed), strength), pixels)
    np.testing.assert_array_equal(pixels, before)


@pytest.mark.parametrize("name", DISTORTIONS)
def test_each_changes_a_line_and_the_same_seed_gives_the_same(name):
    changed = 0
    for seed in range(8):
        once, again = (
            distort(name, LINE, np.random.default_rng(seed), 1.0, lend_other) for _ in range(2)
        )
        np.testing.assert_array_equal(once, again)
        changed += once.shape != LINE.shape or np.abs(once - LINE).max() > 0.05
    assert changed >= 5  # a patch may lie between letters


@pytest.mark.parametrize("name", DISTORTIONS)
def test_each_goes_further_with_strength(name):
    def change(strength, seed):
        result = distort(name, LINE, np.random.default_rng(seed), strength, lend_other)
        if name in ("spacing", "width", "scale"):
            return abs(result.shape[1] - LINE.shape[1])
        return np.abs(result - LINE).mean()

    little, much = (np.mean([change(s, seed) for seed in range(20)]) for s in (0.3, 1.5))
    assert much > 1.2 * little


@pytest.mark.parametrize("name", DISTORTIONS)
def test_each_leaves_a_blank_line_blank_and_its_ends_paper(name):
    for seed in range(20):
        blank = distort(name, np.zeros((48, 100), np.float32), np.random.default_rng(seed))
        assert not blank.any()
        result = distort(name, LINE, np.random.default_rng(seed), 1.0, lend_other)
        assert not result[:, :6].any()
        assert not result[:, -6:].any()


def test_a_blank_line_stays_blank():
    for seed in range(40):
        blank = augment(np.zeros((48, 100), np.float32), np.random.default_rng(seed))
        assert not blank.any()


def test_the_ends_stay_paper():
    for seed in range(100):
        result = augment(LINE, np.random.default_rng(seed))
        assert not result[:, :4].any()
        assert not result[:, -4:].any()


def test_each_happens_as_often_as_its_likelihood_and_strength_say():
    lines = 1500
    changed = dict.fromkeys(DISTORTIONS, 0)
    for name in DISTORTIONS:
        factors = {**dict.fromkeys(DISTORTIONS, 0.0), name: 1.0}
        for seed in range(lines // 10):
            result = augment(LINE[:, :60], np.random.default_rng(seed), 1.0, factors, lend_other)
            same = result.shape == (48, 60) and np.array_equal(result, LINE[:, :60])
            changed[name] += not same
    for name, distortion in DISTORTIONS.items():
        likelihood = distortion.likelihood
        spread = np.sqrt(likelihood * (1 - likelihood) / (lines / 10))
        # On so short a line some change nothing now and then.
        assert changed[name] / (lines / 10) <= likelihood + 4 * spread, name
        assert changed[name] / (lines / 10) >= 0.6 * likelihood - 4 * spread, name


def test_half_the_strength_is_half_as_likely():
    factors = {**dict.fromkeys(DISTORTIONS, 0.0), "tones": 1.0}

    def share(strength):
        results = [
            augment(LINE[:, :60], np.random.default_rng(seed), strength, factors)
            for seed in range(400)
        ]
        return np.mean([not np.array_equal(result, LINE[:, :60]) for result in results])

    assert share(1.0) == pytest.approx(0.4, abs=0.1)
    assert share(0.5) == pytest.approx(0.2, abs=0.08)
    assert share(2.0) == share(1.0)


def test_what_one_does_does_not_depend_on_others():
    """Without contrast a line is what it is with contrast, but for that."""
    for seed in range(200):
        only = {**dict.fromkeys(DISTORTIONS, 0.0), "shear": 1.0, "elastic": 1.0}
        shapes = augment(LINE, np.random.default_rng(seed), 1.0, only)
        result = augment(LINE, np.random.default_rng(seed), 1.0, {**only, "contrast": 1.0})
        if not np.array_equal(result, shapes):
            break
    else:
        pytest.fail("contrast never happened")
    grown = result[(shapes > 0.9)]
    assert (grown > 0.9).all()
    assert not result[shapes < 0.05].any()


def test_a_factor_multiplies_the_strength():
    only = dict.fromkeys(DISTORTIONS, 0.0)
    for seed in range(5):
        one = augment(LINE, np.random.default_rng(seed), 1.0, {**only, "shear": 0.5})
        other = augment(LINE, np.random.default_rng(seed), 0.5, {**only, "shear": 1.0})
        np.testing.assert_array_equal(one, other)


def test_a_lent_line_lies_beside_and_behind():
    """The generator may choose the line, and it shows."""
    asked = []

    def lend(rng):
        asked.append(int(rng.integers(1000)))
        return np.ones_like(OTHER)

    for name in ("bleed", "neighbour"):
        with_other = distort(name, LINE, np.random.default_rng(1), 1.0, lend)
        without = distort(name, LINE, np.random.default_rng(1), 1.0)
        assert not np.array_equal(with_other, without)
    again = list(asked)
    for name in ("bleed", "neighbour"):
        distort(name, LINE, np.random.default_rng(1), 1.0, lend)
    assert asked == again * 2
