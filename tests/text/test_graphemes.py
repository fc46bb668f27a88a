"""What counts as one character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.text import graphemes

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("abc", ["a", "b", "c"]),
        ("a\r\nb", ["a", "\r\n", "b"]),
        ("aͤq̃u", ["a\u0364", "q\u0303", "u"]),
        (FAMILY + "!", [FAMILY, "!"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("\u0301a", ["\u0301", "a"]),
    ],
)
def test_table(text: str, expected: list[str]) -> None:
    assert graphemes(text) == expected


@given(st.text())
def test_nothing_is_lost(text: str) -> None:
    clusters = graphemes(text)
    assert "".join(clusters) == text
    assert all(clusters)
