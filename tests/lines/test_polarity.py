import numpy as np
import pytest
from drawn import drawn_line

from ocrlstm.lines.polarity import measure_levels, otsu_threshold, spread_contrast


def spread(image):
    return spread_contrast(image, measure_levels(image))


@pytest.mark.parametrize("rows", [26, 50])  # 26: cut tight, a third of all is ink
def test_white_on_black_is_turned(rows):
    image = drawn_line(rows=rows, size=18)
    assert not measure_levels(image).inverted
    assert measure_levels(1 - image).inverted
    np.testing.assert_allclose(spread(1 - image), image, atol=1e-6)
    np.testing.assert_allclose(spread(image), image, atol=1e-6)


def test_a_line_between_black_scanner_edges_is_not_turned():
    image = drawn_line()
    image[:3] = image[-3:] = 1
    assert not measure_levels(image).inverted
    image[:, :4] = image[:, -4:] = 1
    assert not measure_levels(image).inverted


@pytest.mark.parametrize(("paper", "ink"), [(0.2, 0.9), (0.5, 0.8), (0.9, 0.2), (0.6, 0.3)])
def test_grey_paper_becomes_white_and_faint_ink_black(paper, ink):
    line = drawn_line()
    image = (paper + (ink - paper) * line).astype(np.float32)
    assert measure_levels(image).inverted == (paper > ink)
    np.testing.assert_allclose(spread(image), line, atol=0.02)


def test_grain_of_the_paper_goes_and_ink_stays():
    line = drawn_line()
    rng = np.random.default_rng(0)
    image = 0.25 + 0.5 * line + rng.normal(0, 0.03, line.shape)
    result = spread(np.clip(image, 0, 1).astype(np.float32))
    assert result[line == 0].mean() < 0.02
    assert result[line == 1].mean() > 0.9


@pytest.mark.parametrize("level", [0.0, 0.4, 1.0])
def test_one_level_is_blank(level):
    image = np.full((20, 50), level, np.float32)
    assert measure_levels(image).blank
    assert not spread(image).any()


def test_grain_of_blank_paper_does_not_become_print():
    rng = np.random.default_rng(0)
    image = np.clip(rng.normal(0.3, 0.01, (50, 400)), 0, 1).astype(np.float32)
    assert spread(image).mean() < 0.05


def test_otsu_splits_in_the_middle_between_two_levels():
    counts = np.zeros(256, int)
    counts[[10, 200]] = 500, 300
    assert otsu_threshold(counts) == 105


def test_otsu_equals_the_definition():
    rng = np.random.default_rng(0)
    values = np.concatenate((rng.integers(0, 90, 700), rng.integers(60, 256, 300)))

    def within(k):  # the sum of squares about both means, which the threshold makes least
        parts = values[values < k], values[values >= k]
        return sum(((part - part.mean()) ** 2).sum() for part in parts if part.size)

    best = min(within(k) for k in range(1, 256))
    assert within(otsu_threshold(np.bincount(values, minlength=256))) == pytest.approx(best)
