import numpy as np
import pytest
from drawn import drawn_line, ink_middles
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.lines import LineNormalizer, augment, normalize_line
from ocrlstm.lines.degrade import DEGRADATIONS
from ocrlstm.lines.warp import smooth_noise, warp

LINE = normalize_line(drawn_line(), LineNormalizer()).pixels
EACH = [choice for _, choices in DEGRADATIONS for choice in choices]


def named(function):
    return next(choice for choice in EACH if choice.__name__ == function)


def test_the_same_generator_state_gives_the_same_line():
    one = augment(LINE, np.random.default_rng(7))
    np.testing.assert_array_equal(one, augment(LINE, np.random.default_rng(7)))
    other = augment(LINE, np.random.default_rng(8))
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_strength_0_is_a_copy():
    same = augment(LINE, np.random.default_rng(0), 0.0)
    np.testing.assert_array_equal(same, LINE)
    assert same is not LINE
    with pytest.raises(ValueError, match="-1"):
        augment(LINE, np.random.default_rng(0), -1.0)


@settings(max_examples=60, deadline=None)
@given(
    height=st.integers(4, 60),
    width=st.integers(33, 150),
    strength=st.floats(0.0, 3.0),
    seed=st.integers(0, 10_000),
)
def test_bounds_for_any_size(height, width, strength, seed):
    rng = np.random.default_rng(seed)
    pixels = np.zeros((height, width), np.float32)
    pixels[:, 16:-16] = rng.random((height, width - 32), np.float32)
    before = pixels.copy()
    result = augment(pixels, rng, strength)
    assert result.dtype == np.float32
    assert result.flags.c_contiguous
    assert result.shape[0] == height
    assert result.shape[1] >= 33
    assert 0 <= result.min() <= result.max() <= 1
    np.testing.assert_array_equal(pixels, before)


def test_a_blank_line_stays_blank():
    for seed in range(40):
        blank = augment(np.zeros((48, 100), np.float32), np.random.default_rng(seed))
        assert not blank.any()


def test_the_ends_stay_paper():
    for seed in range(40):
        result = augment(LINE, np.random.default_rng(seed))
        assert not result[:, :4].any()
        assert not result[:, -4:].any()


def test_width_changes_by_about_an_eighth_at_most():
    widths = [warp(LINE, np.random.default_rng(s), 1.0).shape[1] for s in range(200)]
    assert min(widths) >= LINE.shape[1] * np.exp(-0.12) - 1
    assert max(widths) <= LINE.shape[1] * np.exp(0.12) + 1
    assert np.ptp(widths) > 0.15 * LINE.shape[1]


def test_warping_keeps_the_letters_in_the_line():
    # The mean row of the ink moves, but no more than shift, slope and wave together allow.
    rows = [ink_middles(warp(LINE, np.random.default_rng(s), 1.0), 4) for s in range(50)]
    assert np.abs(np.array(rows) - 23.5).max() < 48 * (0.05 + 0.03 + 0.025) + 1
    assert np.std(rows) > 0.5


def test_warping_a_little_changes_little():
    nearly = warp(LINE, np.random.default_rng(0), 1e-6)
    assert nearly.shape == LINE.shape
    np.testing.assert_allclose(nearly, LINE, atol=1e-3)


@pytest.mark.parametrize("degradation", EACH, ids=lambda function: function.__name__)
def test_each_degradation_changes_a_copy_only(degradation):
    before = LINE.copy()
    changed = [degradation(LINE, np.random.default_rng(seed), 1.0) for seed in range(5)]
    np.testing.assert_array_equal(LINE, before)
    assert any(np.abs(np.clip(result, 0, 1) - LINE).max() > 0.1 for result in changed)
    assert all(result.shape == LINE.shape for result in changed)
    assert all(result.dtype == np.float32 for result in changed)


def test_thick_is_darker_and_thin_is_lighter():
    for seed in range(5):
        assert (named("thicken")(LINE, np.random.default_rng(seed), 1.0) >= LINE - 1e-6).all()
        assert (named("thin")(LINE, np.random.default_rng(seed), 1.0) <= LINE + 1e-6).all()


def test_blur_keeps_the_ink_and_spreads_it():
    blurred = named("blur")(LINE, np.random.default_rng(0), 1.0)
    assert blurred.sum() == pytest.approx(LINE.sum(), rel=1e-3)
    assert (blurred**2).sum() < 0.97 * (LINE**2).sum()


def test_bending_tones_leaves_black_and_white():
    tones = np.array([[0.0, 0.25, 0.5, 1.0]], np.float32)
    bent = named("bend_tones")(tones, np.random.default_rng(1), 1.0)
    assert (bent[0, 0], bent[0, 3]) == (0.0, 1.0)
    assert (np.diff(bent[0]) > 0).all()
    assert bent[0, 2] != 0.5


def test_smooth_noise_is_bounded_and_smooth():
    noise = smooth_noise(np.random.default_rng(0), 3, 500, 40.0)
    assert noise.shape == (3, 500)
    assert np.abs(noise).max() <= 1
    # From knot to knot at most 2, with a slope of at most 1.5 times the mean one.
    assert np.abs(np.diff(noise)).max() <= 1.5 * 2 / 40 + 1e-9
