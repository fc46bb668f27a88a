"""Sets of characters: how they are written and what is in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.text import CharacterSet


def held(text, among):
    characters = CharacterSet.parse(text)
    return "".join(c for c in among if characters.holds(c))


@pytest.mark.parametrize(
    ("text", "among", "expected"),
    [
        ("0-9", "a5-9 0", "590"),
        ("0-9-", "a5-9", "5-9"),
        ("-a", "-ab", "-a"),
        ("-", "-a", "-"),
        ("a-cx-z", "abdxw-", "abx"),
        ("abc", "abcd", "abc"),
        (r"a\-c", "ab-c", "a-c"),
        (r"\d", "1٣a ", "1٣"),
        (r"\w", "aä1_-\u0364", "aä1_\u0364"),
        (r"\s.", "a .", " ."),
        (r"\p{Greek}", "aαά", "αά"),
        (r"\P{L}", "a1", "1"),
        (r"\p{Lu}0", "aA0", "A0"),
        (r"\\", "a\\", "\\"),
        (r"[]^", "[]^a", "[]^"),
        ("!--", "!,-.", "!,-"),
        ("", "a", ""),
    ],
)
def test_table(text, among, expected):
    assert held(text, among) == expected


def test_a_character_of_several_code_points():
    assert held("a\u0364", ["a\u0364", "a", "o\u0364"]) == "a\u0364"
    assert CharacterSet.parse(r"\p{L}\p{M}").holds("o\u0364")
    assert not CharacterSet.parse("a-z").holds("o\u0364")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("z-a", "runs from 'z'"),
        ("a\\", "ends in a backslash"),
        (r"\p", "a name is expected"),
        (r"\p{}", "a name is expected"),
        (r"\p{Klingon}", "is known"),
        ("a\u0364-z", "not single code points"),
        (r"a-\d", "not single code points"),
        (r"\p{L}]|.*(\p{x", "name is expected|is known"),
    ],
)
def test_mistakes_are_told(text, message):
    with pytest.raises(ValueError, match=message):
        CharacterSet.parse(text)


@given(st.text(alphabet="a-\\dz{}p9", max_size=8))
def test_any_text_is_a_set_or_a_mistake(text):
    try:
        CharacterSet.parse(text).holds("a")
    except ValueError:
        pass
