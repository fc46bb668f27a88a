"""What happens to a line between the press and the file."""

import numpy as np
import pytest

from ocrlstm.datasets.synthesis.effects import EFFECTS, Effect, Wear, draw_wear
from ocrlstm.datasets.synthesis.ink import Ink
from ocrlstm.datasets.synthesis.page import lay_out
from ocrlstm.datasets.synthesis.paper import make_paper
from ocrlstm.datasets.synthesis.press import GROUND, press
from ocrlstm.datasets.synthesis.scan import scan
from ocrlstm.datasets.synthesis.sheet import lay_down
from ocrlstm.datasets.synthesis.type import X_HEIGHT

NOTHING = Wear({})


def bars(count=12, height=30):
    """Upright strokes, as a line of "i"."""
    pixels = np.zeros((height, 12 * count), np.uint8)
    for place in range(4, 12 * count, 12):
        pixels[:, place : place + 4] = 255
    return Ink(pixels, height)


def generator(seed=0):
    return np.random.default_rng(seed)


def test_chances_and_strengths():
    always = {name: Effect(1.0) for name in EFFECTS}
    never = {name: Effect(0.0) for name in EFFECTS}
    assert set(draw_wear(always, generator()).strengths) == set(EFFECTS)
    assert draw_wear(never, generator()).strengths == {}
    assert draw_wear(always, generator(), clean=1.0).strengths == {}
    assert draw_wear(always, generator(), factor=0.0).strengths == {}
    twice = draw_wear(always, generator(), factor=2.0)
    assert twice("blur") == pytest.approx(2 * draw_wear(always, generator())("blur"))


def test_turning_one_off_changes_no_other():
    usual = draw_wear({}, generator(3)).strengths
    without = draw_wear({"skew": Effect(0.0)}, generator(3)).strengths
    assert without == {name: value for name, value in usual.items() if name != "skew"}


def test_impossible_effects_are_refused():
    with pytest.raises(ValueError, match="from 0 to 1, not 1.5"):
        Effect(1.5)
    with pytest.raises(ValueError, match="from 0 to 4, not -1"):
        Effect(0.5, -1)


def test_without_wear_the_drawing_is_printed_as_it_is():
    ink = bars()
    printed = press(ink, NOTHING, generator())
    np.testing.assert_allclose(printed[GROUND:-GROUND, GROUND:-GROUND], ink.pixels / 255, atol=1e-6)
    assert printed[:GROUND].max() == 0 == printed[:, -GROUND:].max()


def test_ink_spreads_and_fails():
    ink = bars()
    plain = press(ink, NOTHING, generator()).sum()
    assert press(ink, Wear({"spread": 1.5}), generator()).sum() > 1.3 * plain
    assert press(ink, Wear({"loss": 1.5}), generator()).sum() < 0.95 * plain
    ragged = press(ink, Wear({"ragged": 1.5}), generator())
    assert 0.7 * plain < ragged.sum() < 1.3 * plain
    assert ragged.std(axis=0).max() > 0.1


def test_hairlines_are_not_lost_altogether():
    hairline = np.zeros((30, 60), np.uint8)
    hairline[:, 30] = 255
    printed = press(Ink(hairline, 30), Wear({"loss": 1.0}), generator())
    assert printed.max(axis=1)[GROUND:-GROUND].min() > 0.3


def test_each_column_has_the_force_of_its_stroke():
    ink = bars(2)
    force = np.repeat(np.float32([1.0, 0.6]), 12)
    printed = press(Ink(ink.pixels, 30, force), NOTHING, generator())
    assert printed[:, : GROUND + 12].max() == 1
    assert printed[:, GROUND + 12 :].max() == pytest.approx(0.6)


def test_breaks_take_ink_away():
    ink = bars()
    printed = press(ink, Wear({"breaks": 2.0}), generator(1))
    assert printed.sum() < press(ink, NOTHING, generator()).sum()


@pytest.mark.parametrize("name", ["neighbours", "underline", "rules", "stamp"])
def test_what_else_is_on_the_page_leaves_the_line_alone(name):
    printed = press(bars(), NOTHING, generator())
    added = 0.0
    for seed in range(12):
        plain = lay_out(printed, 30 + GROUND, NOTHING, generator(seed))
        page = lay_out(printed, 30 + GROUND, Wear({name: 1.0}), generator(seed))
        assert page.shape == plain.shape
        assert (page >= plain - 1e-6).all() and page.max() <= 1
        added += float((page - plain).sum())
    assert added > 0


def test_a_line_without_tall_letters_may_be_cut_as_high_as_others():
    low = press(bars(height=X_HEIGHT), NOTHING, generator())
    heights = [len(lay_out(low, X_HEIGHT + GROUND, NOTHING, generator(s))) for s in range(20)]
    assert max(heights) >= 2 * X_HEIGHT


def test_a_page_is_scanned_in_any_size():
    page = lay_out(press(bars(), NOTHING, generator()), 36, NOTHING, generator())
    for x_height in (6.0, 10.0, 20.0, 30.0):
        small = lay_down(page, x_height, NOTHING, generator())
        assert abs(len(small) - len(page) * x_height / X_HEIGHT) <= 1
        assert small.mean() == pytest.approx(page.mean(), rel=0.1)


@pytest.mark.parametrize("name", ["skew", "curl", "uneven"])
def test_a_bent_sheet_moves_its_columns(name):
    page = np.zeros((60, 400), np.float32)
    page[30] = 1
    moved = 0
    for seed in range(8):
        sheet = lay_down(page, X_HEIGHT, Wear({name: 2.0}), generator(seed))
        rows = sheet.argmax(axis=0)
        moved = max(moved, int(rows.max() - rows.min()))
        assert sheet.max() <= 1.0001
    assert moved >= 2
    straight = lay_down(page, X_HEIGHT, NOTHING, generator())
    assert np.ptp(straight.argmax(axis=0)) == 0


def test_a_clean_scan_is_dark_on_light():
    ink = lay_out(press(bars(), NOTHING, generator()), 36, NOTHING, generator())
    pixels = scan(ink, X_HEIGHT, NOTHING, generator())
    assert pixels.dtype == np.uint8 and pixels.shape == ink.shape
    assert pixels[ink == 0].min() > 230 and pixels[ink == 1].max() < 30


@pytest.mark.parametrize(
    "name", ["bleed", "paper", "light", "blur", "noise", "specks", "lowres", "bilevel", "jpeg"]
)
def test_every_effect_of_the_scanner_leaves_the_line_readable(name):
    ink = lay_out(press(bars(), NOTHING, generator()), 36, NOTHING, generator())
    plain = scan(ink, X_HEIGHT, NOTHING, generator())
    pixels = scan(ink, X_HEIGHT, Wear({name: 1.0}), generator())
    assert pixels.shape == ink.shape
    assert (pixels != plain).any()
    assert pixels[ink == 0].mean() - pixels[ink == 1].mean() > 60


def test_black_and_white_is_just_that():
    ink = lay_out(press(bars(), NOTHING, generator()), 36, NOTHING, generator())
    pixels = scan(ink, X_HEIGHT, Wear({"bilevel": 1.0, "blur": 1.0, "noise": 1.0}), generator())
    assert set(np.unique(pixels)) == {0, 255}


def test_paper_is_never_too_dark_to_read_on():
    everything = Wear({name: 3.0 for name in EFFECTS})
    ink = lay_out(press(bars(), NOTHING, generator()), 36, NOTHING, generator())
    for seed in range(10):
        assert make_paper(ink, X_HEIGHT, everything, generator(seed)).min() >= 0.45
