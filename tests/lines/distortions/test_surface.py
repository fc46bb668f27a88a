import numpy as np
import pytest
from drawn import drawn_line

from ocrlstm.lines import LineNormalizer, distort, normalize_line
from ocrlstm.lines.distortions.extent import ink_columns, ink_rows
from ocrlstm.lines.distortions.neighbour import add_neighbour

LINE = normalize_line(drawn_line(), LineNormalizer()).pixels
PAPER = LINE < 0.01


def draw(name, seed, strength=1.0, pixels=LINE, lend=None):
    return distort(name, pixels, np.random.default_rng(seed), strength, lend)


def test_thick_is_darker_and_thin_is_lighter():
    for seed in range(5):
        assert (draw("thicken", seed) >= LINE - 1e-6).all()
        assert (draw("thin", seed) <= LINE + 1e-6).all()


@pytest.mark.parametrize("name", ["thin", "fade", "rubbing", "strips"])
def test_lost_ink_leaves_the_paper(name):
    for seed in range(10):
        result = draw(name, seed)
        assert not result[LINE == 0].any()
        assert (result <= LINE + 1e-6).all()


@pytest.mark.parametrize("name", ["bleed", "texture", "rules", "neighbour", "thicken"])
def test_what_lies_on_the_paper_leaves_the_ink(name):
    for seed in range(10):
        assert (draw(name, seed, 2.0) >= LINE - 1e-6).all()


@pytest.mark.parametrize("name", ["strips", "rubbing"])
def test_most_ink_stays(name):
    for seed in range(100):
        for strength in (1.0, 2.0):
            assert draw(name, seed, strength).sum() > 0.75 * LINE.sum()


def test_strips_lie_along_or_across():
    along = across = 0
    for seed in range(40):
        lost = LINE - draw("strips", seed) > 0.4
        if not lost.any():
            continue
        rows, columns = np.flatnonzero(lost.any(axis=1)), np.flatnonzero(lost.any(axis=0))
        if np.ptp(rows) <= 3:
            along += 1
            assert np.ptp(columns) > 10
        else:
            across += 1
            assert lost[:, columns].sum(axis=0).min() >= 5
            assert len(columns) < 0.1 * LINE.shape[1]
    assert along > 5 and across > 5


@pytest.mark.parametrize("name", ["bleed", "texture"])
def test_paper_stays_lighter_than_ink(name):
    for seed in range(20):
        for strength in (1.0, 5.0):
            assert draw(name, seed, strength)[PAPER].max() <= 0.61


def test_what_bleeds_through_is_mirrored():
    """A lent line that rises from left to right falls in what is seen."""
    other = np.zeros((48, 48), np.float32)
    other[np.arange(48), np.arange(48)] = 1.0
    pixels = np.zeros((48, 200), np.float32)
    pixels[23:25, [20, 179]] = 1.0
    ghost = draw("bleed", 0, 1.0, pixels, lambda rng: other)
    ghost[:, [20, 179]] = 0.0
    darkest = np.argmax(ghost[:, 30:170], axis=0)
    steps = np.diff(darkest)
    assert (np.abs(steps) == 1).mean() > 0.9
    assert (steps == -1).mean() > 0.9


def test_rules_are_thin():
    for seed in range(40):
        added = draw("rules", seed) - LINE > 0.05
        rows, columns = added.any(axis=1).sum(), added.any(axis=0).sum()
        assert columns == 1 or rows <= 6
        assert added.sum(axis=0).max() <= 2 or columns == 1


def test_neighbours_fill_the_free_rows_and_little_more():
    ink = np.ones((48, 700), np.float32)
    top, bottom = ink_rows(LINE)
    first, last = ink_columns(LINE)
    above = below = 0
    for seed in range(40):
        added = add_neighbour(LINE, np.random.default_rng(seed), 1.0, ink) - LINE > 0.3
        rows = np.flatnonzero(added.any(axis=1))
        assert not added[:, :first].any() and not added[:, last:].any()
        middle = (rows > top + 0.07 * 48) & (rows < bottom - 1 - 0.07 * 48)
        assert not middle.any()
        above += bool((rows < 24).any())
        below += bool((rows > 24).any())
    assert above > 10 and below > 10 and above + below > 42


def test_the_feet_of_a_neighbour_lie_lowest():
    """Above stands the lower part of the lent line, below the upper, as they would on the page."""
    other = np.tile(np.linspace(0.1, 0.9, 48, dtype=np.float32)[:, None], (1, 700))
    middle = 100 + int(np.flatnonzero(PAPER[:, 100:].all(axis=0))[0])
    above = below = 0
    for seed in range(40):
        column = add_neighbour(LINE, np.random.default_rng(seed), 1.0, other)[:, middle]
        feet, heads = (part[part > 0.05] for part in (column[:20], column[28:]))
        assert (np.diff(feet) > 0).all() and (feet > 0.4).all()
        assert (np.diff(heads) > 0).all() and (heads < 0.6).all()
        above, below = above + (len(feet) > 1), below + (len(heads) > 1)
    assert above > 10 and below > 10


def test_blur_keeps_the_ink_and_spreads_it():
    blurred = draw("blur", 0)
    assert blurred.sum() == pytest.approx(LINE.sum(), rel=1e-3)
    assert (blurred**2).sum() < 0.97 * (LINE**2).sum()


def test_coarse_scans_lose_detail_and_keep_the_ink():
    fine = np.zeros((40, 200), np.float32)
    fine[5:35, 20:180:2] = 1.0
    coarse = draw("coarse", 0, 1.0, fine)
    assert coarse.shape == fine.shape
    assert coarse.sum() == pytest.approx(fine.sum(), rel=0.05)
    assert coarse[8:32, 30:170].std() < 0.5 * fine[8:32, 30:170].std()


def test_bending_tones_leaves_black_and_white():
    tones = np.array([[0.0, 0.25, 0.5, 1.0]], np.float32)
    bent = draw("tones", 1, 1.0, tones)
    assert (bent[0, 0], bent[0, 3]) == (0.0, 1.0)
    assert (np.diff(bent[0]) > 0).all()
    assert bent[0, 2] != 0.5


def test_contrast_goes_towards_black_and_white():
    greys = np.linspace(0.0, 1.0, 50, dtype=np.float32)[None, :]
    steep = draw("contrast", 2, 1.0, greys)
    assert (np.diff(steep[0]) >= 0).all()
    assert ((steep == 0) | (steep == 1)).mean() > 0.2


def test_specks_are_small():
    for seed in range(10):
        changed = np.abs(draw("specks", seed) - LINE) > 0.01
        assert 0 < changed.mean() < 0.02


def test_ink_rows_overlook_stray_pixels():
    pixels = np.zeros((40, 300), np.float32)
    pixels[10:30, 20:280] = 0.5
    pixels[2, 50:53] = 1.0
    assert ink_rows(pixels) == (10, 30)
    assert ink_columns(pixels) == (20, 280)
    assert ink_rows(np.zeros((40, 300))) == ink_columns(np.zeros((40, 300))) == (0, 0)
