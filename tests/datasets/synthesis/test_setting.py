"""Type set as print, as typewriting, and in dots."""

import re

import numpy as np
import pytest

from ocrlstm.datasets.synthesis.dots import dot_line
from ocrlstm.datasets.synthesis.ink import crop_ink
from ocrlstm.datasets.synthesis.layout import Layout, Setting, draw_setting
from ocrlstm.datasets.synthesis.printing import print_line
from ocrlstm.datasets.synthesis.type import X_HEIGHT
from ocrlstm.datasets.synthesis.typewriting import type_line


def stems(ink):
    """First columns of what is inked without a gap."""
    inked = "".join("01"[int(column)] for column in (ink.pixels.max(axis=0) > 128))
    return [match.start() for match in re.finditer("1+", inked)]


def test_words_are_set_apart(default_type, rng):
    close = stems(print_line("iii iii", default_type, Setting(word_space=1.0), rng))
    wide = stems(print_line("iii iii", default_type, Setting(word_space=3.0), rng))
    assert len(close) == len(wide) == 6
    gaps, wider = np.diff(close), np.diff(wide)
    assert gaps.argmax() == 2
    assert wider[2] > gaps[2] + 5
    np.testing.assert_allclose(np.delete(wider, 2), np.delete(gaps, 2), atol=1)


def test_a_word_is_letter_spaced(default_type, rng):
    plain = stems(print_line("iii iii", default_type, Setting(), rng))
    spaced = stems(print_line("iii iii", default_type, Setting(spacing=0.5, spaced=(1,)), rng))
    gaps, wider = np.diff(plain), np.diff(spaced)
    np.testing.assert_allclose(wider[:2], gaps[:2], atol=1)
    np.testing.assert_allclose(wider[3:] - gaps[3:], 0.5 * X_HEIGHT, atol=2)


def test_a_made_mark_stands_above_its_letter(default_type, rng):
    assert default_type.made("o\u0364")
    plain = print_line("o", default_type, Setting(), rng)
    marked = print_line("o\u0364", default_type, Setting(), rng)
    above = marked.baseline - plain.baseline
    assert above > X_HEIGHT / 4
    np.testing.assert_array_equal(marked.pixels[-len(plain.pixels) :].max(axis=0) > 0, True)
    assert marked.pixels[:above].any()
    assert not marked.pixels[above - 2 : above].all()


def test_the_baseline_is_below_the_letters(default_type, rng):
    ink = print_line("n", default_type, Setting(), rng)
    assert abs(len(ink.pixels) - ink.baseline) <= 1
    deep = print_line("ng", default_type, Setting(), rng)
    assert len(deep.pixels) - deep.baseline > X_HEIGHT / 8


def test_right_to_left_is_set_whole(default_type, rng):
    assert print_line("\N{HEBREW LETTER ALEF} a", default_type, Setting(), rng).pixels.any()


def test_a_line_without_ink_is_one_pixel():
    ink = crop_ink(np.zeros((5, 9), np.uint8), 3)
    assert ink.pixels.shape == (1, 1) and not ink.pixels.any()


def test_typewriting_has_one_pitch(default_type, rng):
    places = stems(type_line("iiiiiiii", default_type, rng, unsteady=0.0))
    steps = np.diff(places)
    assert len(places) == 8
    assert steps.max() - steps.min() <= 1


def test_a_type_bar_always_errs_alike(default_type):
    ink = type_line("nini nini", default_type, np.random.default_rng(1), unsteady=0.15)
    assert ink.force.shape == ink.pixels.shape[1:]
    assert 0.6 <= ink.force.min() < ink.force.max() <= 1


def test_dots_are_of_one_size(default_type, rng):
    ink = dot_line("Hn", default_type, rng, dots=14)
    assert ink.pixels.max() > 120
    assert 0 < ink.baseline <= len(ink.pixels)


def test_a_setting_follows_its_chances(rng):
    tags = frozenset({"onum", "smcp", "liga"})
    on = Layout(1.0, 1.0, 1.0, 1.0, 1.0, 0.0)
    setting = draw_setting(on, tags, lambda: ("dlig",), 5, rng, small_capitals=True)
    assert setting.features == ("dlig", "onum", "smcp")
    assert 1 <= len(setting.spaced) <= 3 and max(setting.spaced) < 5
    off = Layout(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    setting = draw_setting(off, tags, lambda: pytest.fail("not wanted"), 5, rng)
    assert setting.features == ("-liga", "-clig", "-kern")
    assert setting.spaced == (0, 1, 2, 3, 4)


def test_what_a_font_lacks_changes_nothing_else():
    settings = [
        draw_setting(Layout(), tags, tuple, 9, np.random.default_rng(3))
        for tags in (frozenset(), frozenset({"onum", "dlig"}))
    ]
    assert settings[0].word_space == settings[1].word_space
    assert settings[0].spacing == settings[1].spacing
