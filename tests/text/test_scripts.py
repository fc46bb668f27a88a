"""Which script a character belongs to, and which letters look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.text import script_of
from ocrlstm.text.look_alikes import foreign_letters, look_alike


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "Latin"),
        ("ſ", "Latin"),
        ("é", "Latin"),
        ("e\u0301", "Latin"),
        ("ω", "Greek"),
        ("ж", "Cyrillic"),
        ("ש", "Hebrew"),
        ("ب", "Arabic"),
        ("अ", "Devanagari"),
        ("漢", "Han"),
        ("か", "Hiragana"),
        ("1", "Common"),
        (".", "Common"),
        ("\u0301", "Inherited"),
        ("\U000118a0", "Other"),
        ("\u0378", "Other"),
        ("", "Other"),
    ],
)
def test_scripts(character, script):
    assert script_of(character) == script


@given(st.characters())
def test_every_code_point_has_one(character):
    assert script_of(character)


@pytest.mark.parametrize(
    ("letter", "script", "other"),
    [("a", "Cyrillic", "а"), ("О", "Latin", "O"), ("é", "Cyrillic", "е"), ("β", "Latin", "ß")]
    + [("a", "Latin", ""), ("q", "Greek", ""), ("a", "Arabic", ""), ("", "Latin", "")],
)
def test_look_alikes(letter, script, other):
    assert look_alike(letter, script) == other


@given(st.text(st.characters(categories=["L", "M", "Zs"]), max_size=20))
def test_foreign_letters_are_letters_of_the_text(text):
    for letter, script, word in foreign_letters(text):
        assert letter in word and word in text
        assert script_of(letter) != script
