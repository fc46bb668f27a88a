"""What stands in the texts of a data set, and what in them is likely to be a slip."""

import json

import pytest

from ocrlstm.text import FINDINGS, RULES, TextRules, survey_texts
from ocrlstm.text.families import FAMILIES


def survey(*texts, **more):
    return survey_texts(((f"{n}.gt.txt", text) for n, text in enumerate(texts, 1)), **more)


def found(*texts, **more):
    """Kind and text of each finding."""
    return [(finding.kind, finding.what) for finding in survey(*texts, **more).findings]


class TestCharacters:
    def test_they_are_counted_with_their_places(self):
        result = survey("abba", "b c", "b", "q\u0303b")
        assert result.texts == 4
        told = {use.character: (use.count, use.texts, use.names) for use in result.characters}
        assert list(told) == [" ", "a", "b", "c", "q\u0303"]
        assert told["a"] == (2, 1, ("1.gt.txt",))
        assert told["b"] == (5, 4, ("1.gt.txt", "2.gt.txt", "3.gt.txt"))
        assert result.characters[-1].name == "LATIN SMALL LETTER Q + COMBINING TILDE"

    def test_the_rare_ones(self):
        result = survey("aaabbc", "d")
        assert [use.character for use in result.rare()] == ["c", "d", "b"]
        assert [use.character for use in result.rare(1)] == ["c", "d"]
        assert result.rare(0) == ()

    def test_as_the_model_sees_them(self):
        assert [use.character for use in survey("a\u0308  ä").characters] == [" ", "ä"]
        decomposed = survey("ä", normal_form="NFD").characters
        assert [use.character for use in decomposed] == ["a\u0308"]
        ruled = survey("ſo “ja”", rules=TextRules(("modern",))).characters
        assert [use.character for use in ruled] == list(' "ajos')

    def test_nothing(self):
        result = survey()
        assert (result.texts, result.characters, result.findings) == (0, (), ())

    def test_texts_are_gone_through_once(self):
        assert survey_texts(iter([("1", "a")])).texts == 1

    def test_json(self):
        values = json.loads(json.dumps(survey("a\u200b", "ſ").to_dict()))
        assert values["characters"][0] == {
            "character": "a",
            "name": "LATIN SMALL LETTER A",
            "count": 1,
            "texts": 1,
            "names": ["1.gt.txt"],
        }
        assert values["findings"][0]["kind"] == "invisible"


def test_ordinary_lines_have_no_slips():
    lines = ["It’s “fine” – isn’t it?", "Waſſer, Fluͤſſe: 3½ fl.", "Das heißt: schön (1990)."]
    lines += ["μῆνιν ἄειδε θεὰ", "Съешь ещё этих булок", "שָׁלוֹם עולם", "قرأت الكتاب", "می‌خواهم"]
    lines += [
        "日本語のテキスト",
        "हिन्दी में क्\u200dष",
        "Tiếng Việt",
        "👨\u200d👩\u200d👧 ❤\ufe0f",
        "한국어",
    ]
    assert found(*lines) == []


@pytest.mark.parametrize(
    ("text", "kind", "what", "remains"),
    [
        ("a\ufffdb", "undecodable", "'\ufffd' (U+FFFD) REPLACEMENT CHARACTER", True),
        ("a\u0378", "unassigned", r"'\u0378' (U+0378) unassigned code point", True),
        ("\ue8bf", "private_use", r"'\ue8bf' (U+E8BF) private use character", True),
        ("a\x07b", "control", r"'\x07' (U+0007) control character", False),
        ("a\u200bb", "invisible", r"'\u200b' (U+200B) ZERO WIDTH SPACE", False),
        ("\ufeffa", "invisible", r"'\ufeff' (U+FEFF) ZERO WIDTH NO-BREAK SPACE", False),
        ("a\u00adb", "invisible", r"'\xad' (U+00AD) SOFT HYPHEN", True),
        ("a\u200db", "invisible", r"'\u200d' (U+200D) ZERO WIDTH JOINER", True),
        ("אב\u200f!", "invisible", r"'\u200f' (U+200F) RIGHT-TO-LEFT MARK", False),
        ("a\u034fb", "invisible", r"'͏' (U+034F) COMBINING GRAPHEME JOINER", True),
        ("a\ufe0f", "invisible", r"'️' (U+FE0F) VARIATION SELECTOR-16", True),
        ("a\tb", "white_space", r"'\t' (U+0009) control character", False),
        ("a\u00a0b", "white_space", r"'\xa0' (U+00A0) NO-BREAK SPACE", False),
        ("a\u2028b", "white_space", r"'\u2028' (U+2028) LINE SEPARATOR", False),
        ("\u0301a", "lonely_mark", "'\u0301' (U+0301) COMBINING ACUTE ACCENT", True),
        ("a \u0308", "lonely_mark", None, True),
        ("ﻻ", "presentation_form", None, True),
    ],
)
def test_slips(text, kind, what, remains):
    (finding,) = survey("before", text, f"{text} {text}").findings
    assert finding.kind == kind
    assert what is None or finding.what == what
    assert (finding.count, finding.texts) == (3, 2)
    assert finding.names == ("2.gt.txt", "3.gt.txt")
    assert finding.remains is remains


def test_a_rule_that_mends_it_is_named():
    (hyphen,) = survey("a\u00ad").findings
    assert (hyphen.rule, hyphen.remains) == ("hyphens", True)
    (letter,) = survey("ﻻ").findings
    assert letter.rule == "presentation"
    (letter,) = survey("ﻻ", rules=TextRules(("presentation",))).findings
    assert (letter.rule, letter.remains) == ("", False)


class TestNormalForms:
    def test_one_character_in_two_spellings(self):
        (finding,) = survey("ä ä", "a\u0308", "ö").findings
        assert finding.kind == "normal_form"
        assert finding.what == "'ä' as U+00E4 2 times, as U+0061 U+0308 once"
        assert (finding.count, finding.names, finding.remains) == (1, ("2.gt.txt",), False)

    def test_it_remains_without_normal_form(self):
        (finding,) = survey("ä", "a\u0308", normal_form="none").findings
        assert finding.remains

    def test_one_spelling_throughout_is_no_slip(self):
        assert found("a\u0308 o\u0308") == found("ä ö") == found("a\u0308 ö") == []


class TestScripts:
    def test_a_latin_letter_in_a_russian_word(self):
        (finding,) = survey("мaма", "папа").findings
        assert finding.kind == "mixed_script"
        assert finding.what == (
            "'a' (U+0061) LATIN SMALL LETTER A in Cyrillic words such as 'мaма'; "
            "it looks like 'а' (U+0430)"
        )
        assert finding.names == ("1.gt.txt",)

    def test_other_letters_than_look_alikes(self):
        ((kind, told),) = found("λόγος λq")
        assert kind == "mixed_script"
        assert told.endswith("LATIN SMALL LETTER Q in Greek words such as 'λq'")

    def test_where_a_word_has_as_many_of_both_the_text_decides(self):
        assert "CYRILLIC" in found("all in Latin and оf")[0][1]
        assert "LATIN" in found("всё кириллица и oт")[0][1]

    def test_a_whole_word_of_look_alikes(self):
        assert found("Зачем мне такая cop") == [
            ("look_alike", "'cop' (Latin) among Cyrillic words")
        ]
        assert found("Зачем мне такая a") == [("look_alike", "'a' (Latin) among Cyrillic words")]

    @pytest.mark.parametrize(
        "text",
        [
            "Пётр I и Карл XII",  # Roman numerals
            "Зачем мне такая cop и sweet",  # there are words of the other script
            "Зачем мне cop and",
            "сор cop",  # no script is the one of the line
            "Зачем мне такая 100",
            "日本 カタカナ ひらがな 漢字かな",
            "한국 韓國",
        ],
    )
    def test_no_look_alikes(self, text):
        assert found(text) == []


class TestMixtures:
    def test_straight_and_curly_quotes(self):
        (finding,) = survey('"a"', '"b"', "“c”").findings
        assert finding.kind == "mixture" and finding.rule == "quotes"
        assert finding.what == (
            "double quotes: '\"' (U+0022) 4 times, '“' (U+201C) once, '”' (U+201D) once"
        )
        assert (finding.count, finding.names) == (2, ("3.gt.txt",))

    @pytest.mark.parametrize(
        ("texts", "name", "rule"),
        [
            (["a – b", "a — b"], "dashes", "dashes"),
            (["a-", "a⸗"], "hyphens", "hyphens"),
            (["it's", "it’s"], "apostrophes and single quotes", "quotes"),
            (["it's", "it`s"], "apostrophes and accents that stand alone", ""),
            (["a...", "b…"], "ellipses", "ellipsis"),
            (["uͤber", "über"], "umlauts", "umlauts"),
            (["ﬁn", "fin"], "ligatures", "ligatures"),
            (["5°", "5º"], "degree signs", ""),
        ],
    )
    def test_families(self, texts, name, rule):
        findings = survey(*texts).findings
        assert len(findings) == 1
        assert findings[0].what.startswith(f"{name}: ")
        assert findings[0].rule == rule
        if rule:
            assert survey(*texts, rules=TextRules((rule,))).findings == ()

    @pytest.mark.parametrize(
        "texts",
        [["“a” „b“ ‘c’"], ["a-b – c"], ["o0 l1 O I"], ["aͤ", "ü"], ["ﬁ", "fo"], ["it’s", "‘a’"]],
    )
    def test_what_goes_well_together(self, texts):
        assert found(*texts) == []

    def test_every_rule_of_a_family_exists(self):
        assert {family.rule for family in FAMILIES} - {""} <= set(RULES)


def test_findings_stand_in_the_order_of_their_kinds():
    kinds = [kind for kind, _ in found('“ " \ufffd', "\x07 \u0378 \u0378", "\ue000мa a\u0308 ä")]
    assert kinds == [kind for kind in FINDINGS if kind in kinds] and len(kinds) == 7
