"""The form of lines and texts: kept, read back, and compared in words."""

import pytest

from ocrlstm.datasets import LineForm
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import TextRules

RULES = TextRules(("long_s",), (("uo", "ů"), ("ie", "ï")))


def test_texts_are_spelt_by_rules_and_then_by_normal_form():
    assert LineForm(LineNormalizer(), "NFD", RULES).spell(" guot  Waſſer ") == "gu\u030at Wasser"
    assert LineForm(LineNormalizer()).spell(" \u200b\n") == ""


def test_there_and_back():
    form = LineForm(LineNormalizer(kind="scale", height=20, range=3), "NFKC", RULES)
    assert LineForm.from_dict(form.to_dict()) == form


def test_differences_are_told_in_words():
    one = LineForm(LineNormalizer(height=48), "NFC", RULES)
    other = LineForm(LineNormalizer(height=40), "NFD")
    assert one.differences(one) == []
    assert one.differences(other) == [
        "height 48 instead of 40",
        "normal form NFC instead of NFD",
        "text rules long_s and a table of 2 entries instead of none",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"normal_form": "NFX"}, "normal form 'NFX' is not one of NFC"),
        ({"normalizer": 3}, "no object"),
        ({"normalizer": {"height": 3}}, "height is a whole number from 4"),
        ({"text_rules": {}}, "text rules have the fields none"),
    ],
)
def test_what_a_file_of_strangers_may_hold(change, message):
    values = {**LineForm(LineNormalizer()).to_dict(), **change}
    with pytest.raises(ValueError, match=message):
        LineForm.from_dict(values)
    del values["text_rules"]
    with pytest.raises(ValueError, match="lacks text_rules"):
        LineForm.from_dict(values)
