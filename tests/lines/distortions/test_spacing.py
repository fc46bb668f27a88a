import numpy as np
from drawn import drawn_line

from ocrlstm.lines import LineNormalizer, distort, normalize_line

LINE = normalize_line(drawn_line(), LineNormalizer()).pixels


def runs(pixels):
    """Give the lengths of the stretches with ink and of the gaps between them."""
    inked = (pixels > 0.2).any(axis=0)
    bounds = np.flatnonzero(np.diff(inked, prepend=False, append=False))
    lengths = np.diff(bounds)
    return lengths[::2], lengths[1::2]


def draw(seed, strength=1.0, pixels=LINE):
    return distort("spacing", pixels, np.random.default_rng(seed), strength)


def test_letters_stay_and_gaps_change_alike():
    letters, gaps = runs(LINE)
    factors = []
    for seed in range(30):
        result = draw(seed)
        changed_letters, changed_gaps = runs(result)
        np.testing.assert_array_equal(changed_letters, letters)
        assert changed_gaps.min() >= 1
        # Wide gaps stay wider than narrow ones.
        assert changed_gaps[gaps == gaps.max()].min() > changed_gaps[gaps == gaps.min()].max()
        factors.append(changed_gaps.sum() / gaps.sum())
        first, last = np.flatnonzero(LINE.any(axis=0))[[0, -1]]
        assert not result[:, :first].any()
        assert LINE.shape[1] - last == result.shape[1] - np.flatnonzero(result.any(axis=0))[-1]
    assert 0.55 < min(factors) < 0.8 and 1.2 < max(factors) < 2.2


def test_letters_do_not_run_together():
    for seed in range(20):
        assert len(runs(draw(seed, 5.0))[0]) == len(runs(LINE)[0])


def test_what_has_no_gaps_stays():
    solid = np.zeros((40, 200), np.float32)
    solid[10:30, 20:180] = 1.0
    np.testing.assert_array_equal(draw(0, 1.0, solid), solid)


def test_neighbours_at_the_edges_do_not_close_the_gaps():
    with_neighbour = LINE.copy()
    first, last = np.flatnonzero(LINE.any(axis=0))[[0, -1]]
    with_neighbour[:3, first : last + 1] = 1.0
    for seed in range(5):
        assert draw(seed, 1.0, with_neighbour).shape == draw(seed).shape
