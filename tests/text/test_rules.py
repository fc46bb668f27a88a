"""Rules that bring texts into one spelling."""

import json
import pickle
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.text import PRESETS, RULES, TextRules, normalize_text
from ocrlstm.text.rule_entries import TableError

# Everything that a rule looks at, and what may stand beside it.
SIGNS = sorted(
    {c for rule in RULES.values() for c in rule.table} | set("\u0308\u0307() .,!?13ab sqa")
)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("presentation", "ﻻ ﷲ ﭐ", "لا الله ٱ"),
        ("ligatures", "ﬁnﬀ oﬃ aﬅ ﬆ ĳs æœ", "finff offi aſt st ijs æœ"),
        ("long_s", "Waſſer ﬅ ẛ ſ\u0307", "Wasser ﬆ ṡ ṡ"),
        ("round_r", "Heꝛꝛ Ꝛ", "Herr R"),
        ("umlauts", "uͤber Aͤ vͤ", "über Ä v\u0308"),
        ("fractions", "½ 3½ ⅞ 1⁄2 ⅟3 ½½ ↉", "1/2 3 1/2 7/8 1/2 1/3 1/2 1/2 0/3"),
        ("quotes", '“a” „b‟ ‘c’ ‚d‛ it’s «e» "f"', '"a" "b" \'c\' \'d\' it\'s «e» "f"'),
        ("guillemets", "«a» ‹b› “c”", "\"a\" 'b' “c”"),
        ("dashes", "a‒b–c—d―e⸺f⸻g−h-i", "a–b–c–d–e–f–g–h-i"),
        ("hyphens", "a‐b‑c⸗d⹀ e\u00adf–g\u00ad", "a-b-c-d- ef–g-"),
        ("ellipsis", "a…", "a..."),
        ("punctuation_spaces", "a , b ; c : d ! e ? f . ( g ) [ h ]", "a, b; c: d! e? f. (g) [h]"),
        ("punctuation_spaces", "a .5 b ... c « d » ، e ؟", "a .5 b ... c « d »، e؟"),
    ],
)
def test_table(name: str, text: str, expected: str) -> None:
    assert TextRules((name,)).apply(text) == expected


def test_every_rule_tells_what_it_does() -> None:
    assert all(rule.meaning for rule in RULES.values())
    assert set(RULES).isdisjoint(PRESETS)


def test_presets() -> None:
    assert TextRules(("diplomatic",)) == TextRules()
    text = "„Waſſer“ fließt — uͤber Heꝛꝛn ﬁ … Haus⸗"
    assert TextRules(("modern",)).apply(text) == '"Wasser" fließt – über Herrn fi ... Haus-'


def test_names_are_kept_in_the_order_of_the_rules() -> None:
    rules = TextRules(("quotes", "modern", "long_s", "quotes"))
    assert rules == TextRules(("modern",))
    assert rules.names == tuple(name for name in RULES if name in PRESETS["modern"])


@given(st.text())
def test_without_rules_nothing_happens(text: str) -> None:
    assert TextRules().apply(text) == text
    assert not TextRules() and TextRules(("quotes",)) and TextRules((), (("a", "b"),))


ANY_NAMES = st.lists(st.sampled_from([*RULES])).map(tuple)


@given(st.one_of(st.text(st.sampled_from(SIGNS)), st.text()), ANY_NAMES)
def test_named_rules_are_a_fixed_point(text: str, names: tuple[str, ...]) -> None:
    rules = TextRules(names)
    once = rules.apply(text)
    assert rules.apply(once) == once
    if rules:
        assert once == normalize_text(once, "NFC")


@given(st.text(st.sampled_from(SIGNS)), ANY_NAMES)
def test_the_normal_form_of_the_text_does_not_matter(text: str, names: tuple[str, ...]) -> None:
    rules = TextRules((*names, "quotes"))
    assert rules.apply(text) == rules.apply(unicodedata.normalize("NFD", text))


class TestTable:
    def test_longest_entry_first(self) -> None:
        rules = TextRules((), (("a", "x"), ("aa", "y"), ("ä", "oe")))
        assert rules.apply("aaa a\u0308") == "yx oe"

    def test_after_the_named_rules(self) -> None:
        rules = TextRules(("umlauts", "long_s"), (("ü", "ue"), ("sz", "ß")))
        assert rules.apply("uͤ ſz") == "ue ß"

    def test_all_quotes_to_another_kind(self) -> None:
        rules = TextRules(("quotes", "guillemets"), (('"', "″"),))
        assert rules.apply('“a” «b» "c" ″d″') == "″a″ ″b″ ″c″ ″d″"

    def test_spaces_around_dashes(self) -> None:
        assert TextRules((), (("—", " — "),)).apply("a—b — c") == "a — b — c"

    def test_an_empty_target_drops(self) -> None:
        assert TextRules((), (("¶", ""),)).apply("a ¶ b¶") == "a b"

    def test_nothing_special_to_regular_expressions(self) -> None:
        assert TextRules((), ((".*", r"\1"), ("[a]", "b"))).apply("x.* [a] a") == r"x\1 b a"

    # One sign becomes none or several others, none of which is changed again by itself.
    @given(
        st.text(),
        st.dictionaries(st.sampled_from("ABC*"), st.text(st.sampled_from("ab c"), max_size=3)),
    )
    def test_tables_of_single_signs_are_fixed_points(self, text: str, table: Any) -> None:
        rules = TextRules((), tuple(table.items()))
        once = rules.apply(text)
        assert rules.apply(once) == once

    @pytest.mark.parametrize(
        ("names", "table", "entry", "told"),
        [
            ((), [("a", "b"), ("b", "c")], 0, "becomes 'b' (U+0062), which would be changed again"),
            ((), [("a", "aa")], 0, "changed again into 'aaaa'"),
            (("quotes",), [("x", "“")], 0, "changed again into '\"'"),
            (("long_s",), [("x", "y"), ("ſt", "ﬅ")], 1, "the rule long_s has changed it before"),
            ((), [("", "a")], 0, "nothing to look for"),
            ((), [("a  b", "a")], 0, "is never found"),
            ((), [("\u200b", "")], 0, "is never found"),
            ((), [("a", "b"), ("ä", "c"), ("a\u0308", "d")], 2, "stands in the table before"),
            ((), [("a", "\ud800")], 0, "lone surrogate"),
            ((), [("a", "b" * 65)], 0, "65 characters in one part; at most 64"),
            ((), [("a", "b"), ("c",)], 1, "not a pair of strings"),
            ((), [("a", None)], 0, "not a pair of strings"),
            ((), ["ab"], 0, "not a pair of strings"),
        ],
    )
    def test_refused(self, names: Any, table: Any, entry: int, told: str) -> None:
        with pytest.raises(TableError) as caught:
            TextRules(names, tuple(table))
        assert caught.value.entry == entry
        assert told in str(caught.value) and str(caught.value).startswith(f"entry {entry + 1} of")


def test_dictionary_round_trip_through_json() -> None:
    rules = TextRules(("modern",), (("ä", "ae"), ("q̃", "que")))
    again = TextRules.from_dict(json.loads(json.dumps(rules.to_dict())))
    assert again == rules and hash(again) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)).apply("ſä") == "sae"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "text rules are a list"),
        ({}, "have the fields none; expected names, table"),
        ({"names": [], "table": [], "path": "/etc"}, "have the fields names, table, path"),
        ({"names": "quotes", "table": []}, "names of text rules are a str, not a list"),
        ({"names": ["magic"], "table": []}, "text rule 'magic' is not one of diplomatic, modern"),
        ({"names": [["quotes"]], "table": []}, "is not one of"),
        ({"names": [None], "table": []}, "text rule None is not"),
        ({"names": [], "table": {"a": "b"}}, "text table is a dict"),
        ({"names": [], "table": None}, "text table is a NoneType"),
        ({"names": [], "table": [["a", "b"]] * 2001}, "2001 entries; at most 2000"),
        ({"names": [], "table": [["a", 1]]}, "not a pair of strings"),
    ],
)
def test_a_strangers_values_are_refused_with_a_reason(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TextRules.from_dict(values)
