"""Normal form, white space, and marks without ink."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.text import NORMAL_FORMS, normalize_text


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("", "NFC", ""),
        (" \t\r\n", "NFC", ""),
        ("  a \t b\r\n", "NFC", "a b"),
        ("a\u00a0\u2003\u202fb\u2028c", "none", "a b c"),
        ("a\u0308", "NFC", "ä"),
        ("ä", "NFD", "a\u0308"),
        ("ſtofﬀ", "NFC", "ſtofﬀ"),
        ("ſtofﬀ", "NFKC", "stofff"),
        ("½ä", "NFKD", "1⁄2a\u0308"),
        ("a\u0308", "none", "a\u0308"),
        ("\ufeffab\x00c\x1b", "NFC", "abc"),
        ("a\ufeff\u0308", "NFC", "ä"),
        ("\u200fשלום\u202c", "NFC", "שלום"),
        # The zero-width non-joiner changes the shape of Persian letters and stays.
        ("می\u200cخواهم", "NFC", "می\u200cخواهم"),
        # A spacing diaeresis turns into space and combining mark, so blanks appear that were none.
        ("\u00a8x \u00a8", "NFKC", "\u0308x \u0308"),
    ],
)
def test_table(text: str, form: str, expected: str) -> None:
    assert normalize_text(text, form) == expected


def test_unknown_form_is_named() -> None:
    with pytest.raises(ValueError, match="'NFX' is not one of NFC, NFD"):
        normalize_text("a", "NFX")


@given(st.text(), st.sampled_from(NORMAL_FORMS))
def test_result_is_a_fixed_point(text: str, form: str) -> None:
    once = normalize_text(text, form)
    assert normalize_text(once, form) == once
    assert once.strip() == once
    assert all(character == " " or not character.isspace() for character in once)
    assert not any(unicodedata.category(character) == "Cc" for character in once)
