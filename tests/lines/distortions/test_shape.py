import numpy as np
import pytest
from drawn import drawn_line, ink_middles

from ocrlstm.lines import LineNormalizer, distort, normalize_line
from ocrlstm.lines.distortions import DISTORTIONS, Shape
from ocrlstm.lines.distortions.columns import Columns

SHAPES = {name: row for name, row in DISTORTIONS.items() if isinstance(row, Shape)}
LINE = normalize_line(drawn_line(), LineNormalizer()).pixels


def draw(name, seed, strength=1.0):
    return distort(name, LINE, np.random.default_rng(seed), strength)


@pytest.mark.parametrize("name", SHAPES)
def test_a_little_changes_little(name):
    nearly = draw(name, 0, 1e-6)
    assert nearly.shape == LINE.shape
    np.testing.assert_allclose(nearly, LINE, atol=1e-3)


def test_straight_paths_change_nothing():
    np.testing.assert_array_equal(Columns.straight(*LINE.shape).sample(LINE), LINE)


def test_stretching_twice_is_stretching_once():
    columns = SHAPES["elastic"].apply(Columns.straight(40, 300), np.random.default_rng(0), 1.0)
    twice, once = columns.stretched(0.8).stretched(1.5), columns.stretched(1.2)
    assert twice.width == once.width == 360
    np.testing.assert_allclose(twice.x, once.x, atol=1.0)
    np.testing.assert_allclose(twice.y, once.y, atol=0.1)


def test_width_changes_by_about_an_eighth_at_most():
    widths = [draw("width", seed).shape[1] for seed in range(200)]
    assert min(widths) >= LINE.shape[1] * np.exp(-0.12) - 1
    assert max(widths) <= LINE.shape[1] * np.exp(0.12) + 1
    assert np.ptp(widths) > 0.15 * LINE.shape[1]


def test_scale_keeps_the_proportions():
    for seed in range(30):
        scaled = draw("scale", seed)
        factor = scaled.shape[1] / LINE.shape[1]
        assert np.exp(-0.31) < factor < np.exp(0.13)
        if factor < 1:  # what is larger is cut off
            assert scaled.sum() == pytest.approx(LINE.sum() * factor**2, rel=0.03)


def test_smaller_letters_lie_anywhere_but_within_the_height():
    middles = []
    for seed in range(60):
        scaled = draw("scale", seed, 2.0)
        if scaled.shape[1] < 0.85 * LINE.shape[1]:
            middles.append(ink_middles(scaled, 1)[0])
            assert not scaled[0].any() and not scaled[-1].any()
    assert min(middles) < 22 and max(middles) > 25


def test_rotation_turns_line_and_letters():
    slopes = []
    for seed in range(30):
        middles = ink_middles(draw("rotation", seed), 10)
        slopes.append(np.polyfit(np.arange(10), middles, 1)[0] * 10)
    # From end to end at most an eighth of the height.
    assert 2.0 < np.abs(slopes).max() < 0.12 * 48 + 0.5
    assert min(slopes) < -1 < 1 < max(slopes)


def test_letters_stay_at_a_right_angle_to_a_turned_line():
    stroke, bar = np.zeros((40, 100), np.float32), np.zeros((40, 100), np.float32)
    stroke[5:35, 48:52] = 1.0
    bar[18:22, 10:90] = 1.0
    columns, rows = np.arange(100), np.arange(40)[:, None]
    slopes = []
    for seed in range(10):
        turned = distort("rotation", stroke, np.random.default_rng(seed), 2.0)
        upper, lower = ((p * columns).sum() / p.sum() for p in (turned[5:12], turned[28:35]))
        turned = distort("rotation", bar, np.random.default_rng(seed), 2.0)
        left, right = ((p * rows).sum() / p.sum() for p in (turned[:, 20:30], turned[:, 70:80]))
        slopes.append((right - left) / 50)
        assert (lower - upper) / 23 == pytest.approx(-slopes[-1], abs=0.01)
    assert min(slopes) < -0.03 < 0.03 < max(slopes)


def test_shear_slants_and_does_not_move():
    leans = []
    for seed in range(30):
        sheared = draw("shear", seed)
        assert ink_middles(sheared, 1)[0] == pytest.approx(ink_middles(LINE, 1)[0], abs=0.05)
        row_means = [(row * np.arange(len(row))).sum() / row.sum() for row in sheared[18:30]]
        leans.append(np.polyfit(np.arange(12), row_means, 1)[0])
    assert 0.1 < np.abs(leans).max() < 0.16
    assert min(leans) < 0 < max(leans)


def test_shift_moves_the_line_and_keeps_it_in_the_height():
    rows = np.array([ink_middles(draw("shift", seed), 6) for seed in range(50)])
    assert np.abs(rows - 23.5).max() < 48 * (0.05 + 0.03) + 1
    assert rows.mean(axis=1).std() > 0.5
    assert np.ptp(rows, axis=1).max() > 0.5


def test_elastic_moves_letters_apart_and_keeps_the_line():
    warped = draw("elastic", 3)
    assert warped.shape == LINE.shape
    assert np.abs(ink_middles(warped, 6) - 23.5).max() < 48 * 0.025 + 1
    gaps = np.diff(np.flatnonzero(np.diff((warped.sum(axis=0) > 1).astype(int)) == 1))
    before = np.diff(np.flatnonzero(np.diff((LINE.sum(axis=0) > 1).astype(int)) == 1))
    assert len(set(gaps)) > len(set(before))
