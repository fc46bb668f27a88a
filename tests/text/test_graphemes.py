"""What counts as one character."""

import itertools

import pytest
import regex
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


def test_the_short_cut_is_none_for_what_joins() -> None:
    """Each code point by itself, doubled, and beside others of its kind."""
    alone = "".join(chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000)
    doubled = "".join(code + code for code in alone)
    spread = "".join(itertools.chain.from_iterable(zip(alone, alone[997:], strict=False)))
    for text in (alone, doubled, spread):
        for start in range(0, len(text), 2):
            piece = text[start : start + 2]
            assert graphemes(piece) == regex.findall(r"\X", piece)
