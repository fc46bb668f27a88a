"""Rates without regard to case, punctuation, spaces or diacritics: by hand and by property."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import VARIANTS, count_edits, score_variants

TEXTS = st.text(alphabet="abÄäéſsΣσς.,-' 1\u0364ø", max_size=12).map(lambda t: " ".join(t.split()))


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("case", "Straße ÄΣ", "straße äσ"),
        ("case", "ſagt Sagt", "ſagt sagt"),  # a long s is no small round one
        ("punctuation", "“Ja”, so – sagt’s: 3.5 €!", "Ja so sagts 35 €"),
        ("spaces", "a b  c", "abc"),
        ("diacritics", "ä é ñ ǟ aͤ ø ß", "a e n a a ø ß"),
        ("diacritics", "ἄνθρωπος", "ανθρωπος"),
        ("diacritics", "שָׁלוֹם", "שלום"),
        ("diacritics", "की", "की"),  # a vowel sign is a letter of its own
        ("all", "Été, ÇA – va!", "etecava"),
    ],
)
def test_what_is_left_of_a_text(name: str, text: str, left: str) -> None:
    assert VARIANTS[name](text) == left


@pytest.mark.parametrize("name", VARIANTS)
@given(text=TEXTS)
def test_what_is_taken_is_taken_at_once(name: str, text: str) -> None:
    once = VARIANTS[name](text)
    assert VARIANTS[name](once) == once


@pytest.mark.parametrize("name", ["case", "spaces", "diacritics"])
@given(truth=TEXTS, prediction=TEXTS)
def test_less_regard_means_no_more_edits(name: str, truth: str, prediction: str) -> None:
    # Each code point becomes one or none, so that no edit is added: in the decomposed form, as
    # composed letters are several.
    truth, prediction = (unicodedata.normalize("NFD", text) for text in (truth, prediction))
    left, right = VARIANTS[name](truth), VARIANTS[name](prediction)
    assert count_edits(left, right) <= count_edits(truth, prediction)


@given(text=TEXTS)
def test_what_is_not_regarded_costs_nothing(text: str) -> None:
    found = {each.name: each.edits for each in score_variants([text], [text.swapcase()])}
    assert found["case"] == count_edits(*(VARIANTS["case"](t) for t in (text, text.swapcase())))
    spaced = " ".join(text)
    assert {each.name: each.edits for each in score_variants([text], [spaced])}["spaces"] == 0


def test_sums_over_lines() -> None:
    truths = ["Das Haus.", "été", ""]
    predictions = ["das haus", "ete", "x"]
    found = {
        each.name: (each.edits, each.characters) for each in score_variants(truths, predictions)
    }
    assert found == {
        "case": (0 + 1 + 2 + 1, 9 + 3),
        "punctuation": (2 + 2 + 1, 8 + 3),
        "spaces": (3 + 2 + 1, 8 + 3),
        "diacritics": (3 + 0 + 1, 9 + 3),
        "all": (1, 7 + 3),
    }
    assert score_variants(truths, predictions)[0].cer == 4 / 12


def test_no_lines() -> None:
    assert [(v.cer, v.edits, v.characters) for v in score_variants([], [])] == [(0.0, 0, 0)] * 5
