"""Logical and visual order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.text import base_direction, graphemes, to_logical, to_visual

# Few characters of every bidirectional class that the rules tell apart, so that they meet often.
CLASSES = "aאب1٢-,$% (»\u0301"


@pytest.mark.parametrize(
    ("logical", "visual"),
    [
        ("", ""),
        ("אבג", "גבא"),
        ("אב 1990 גד", "דג 1990 בא"),
        # In a right-to-left line a list of numbers runs from right to left, a decimal does not.
        ("א 12 34", "34 12 א"),
        ("א 1,5 ב", "ב 1,5 א"),
        ("א 1990-1995", "1990-1995 א"),
        ("א 50%", "50% א"),
        ("א ٢٤٣ ب", "ب ٢٤٣ א"),
        ("א ٢,٣ ب", "ب ٢,٣ א"),
        # Beside Arabic letters a sign stands to the left of its number, and a range runs leftwards.
        ("ب 50%", "%50 ب"),
        ("ب 1990-1995", "1995-1990 ب"),
        ("א abc def ב", "ב abc def א"),
        ("א abc 12 ב", "ב abc 12 א"),
        ("א (ב) ג", "ג (ב) א"),
        ("א (abc) ב", "ב (abc) א"),
        ("א f(x)y ב", "ב f(x)y א"),
        ("אב.", ".בא"),
        ("שָׁ א", "א שָׁ"),
    ],
)
def test_right_to_left(logical: str, visual: str) -> None:
    assert "".join(to_visual(graphemes(logical), "rtl")) == visual


def test_a_mirrored_bracket_shows_the_other_shape() -> None:
    assert to_visual(list("א(ב"), "rtl") == list("ב)א")


def test_left_to_right_is_left_alone() -> None:
    assert to_visual(list("ab (אב) 1"), "ltr") == list("ab (אב) 1")


@given(st.one_of(st.text(alphabet=CLASSES), st.text()), st.sampled_from(["ltr", "rtl"]))
def test_the_way_back(text: str, direction: str) -> None:
    units = graphemes(text)
    assert to_logical(to_visual(units, direction), direction) == units


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], "ltr"),
        (["1990", "..."], "ltr"),
        (["abc אב"], "ltr"),
        (["abc", "אבגד"], "rtl"),
        (["ab אב"], "ltr"),
        (["سلام 123456"], "rtl"),
    ],
)
def test_base_direction(texts: list[str], expected: str) -> None:
    assert base_direction(texts) == expected


def test_unknown_direction_is_named() -> None:
    with pytest.raises(ValueError, match="direction 'up'"):
        to_visual(["a"], "up")
