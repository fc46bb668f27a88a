"""The bidirectional algorithm, against python-bidi where that is installed."""

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocrlstm.text.bidi import bidi_class, resolve_levels
from ocrlstm.text.mirroring import closing_of, mirrored, opening_of
from ocrlstm.text.visual_levels import reorder

# Characters of all classes that a line of text has, with brackets of several kinds.
CLASSES = "abאבبت12٢٣+-,.:/$%#° ()[]{}<>»«!\u0301\u05b0"


@pytest.mark.parametrize(
    ("text", "base", "levels"),
    [
        ("", 1, ""),
        ("אב 12", 1, "11122"),
        ("אב a1", 1, "11122"),
        ("ab אב", 0, "00011"),
        ("ab אב 12", 0, "00011122"),
        ("12", 1, "22"),
        ("12", 0, "00"),
        ("ب 1-2", 1, "11212"),  # W2 comes before W4
        ("א 1-2", 1, "11222"),
        ("א (a) ", 1, "111211"),
        ("a (א", 0, "0001"),
        ("a\u00ad ", 1, "211"),
    ],
)
def test_levels(text: str, base: int, levels: str) -> None:
    assert "".join(map(str, resolve_levels(list(text), base))) == levels


@pytest.mark.parametrize(
    ("levels", "order"),
    [([], []), ([0, 1, 1, 0], [0, 2, 1, 3]), ([1, 2, 2, 1, 1], [4, 3, 1, 2, 0]), ([2, 2], [0, 1])],
)
def test_reorder(levels: list[int], order: list[int]) -> None:
    assert reorder(levels) == order


@settings(max_examples=1000)
@given(st.text(CLASSES, max_size=30), st.sampled_from([0, 1]))
@example("(((a)א)", 1)
@example("(" * 70 + "א" + ")" * 70, 0)
def test_the_order_is_that_of_python_bidi(text: str, base: int) -> None:
    bidi = pytest.importorskip("bidi")
    text = text.strip()
    found = "".join(text[n] for n in reorder(resolve_levels(list(text), base)))
    assert found == bidi.get_display(text, base_dir="LR"[base])


class TestMirroring:
    def test_what_prints_have(self) -> None:
        pairs = ["()", "[]", "{}", "<>", "«»", "‹›", "⟨⟩", "≤≥", "⁅⁆"]
        assert all(mirrored(a) == b and mirrored(b) == a for a, b in pairs)
        assert mirrored("<\u0338") == ">\u0338"
        assert [mirrored(c) for c in "a/\"'“א∫"] == list("a/\"'“א∫")
        assert mirrored("") == ""

    def test_twice_is_nothing(self) -> None:
        for code in range(0x30000):
            once = mirrored(chr(code))
            assert mirrored(once) == chr(code)
            assert once == chr(code) or unicodedata.mirrored(once)

    def test_as_in_python_bidi(self) -> None:
        """All brackets and quotes; of rare mathematical signs some have other names."""
        mirror = pytest.importorskip("bidi.mirror")
        for one, other in mirror.MIRRORED.items():
            if unicodedata.category(one) in ("Ps", "Pe", "Pi", "Pf") and "OGHAM" not in (
                unicodedata.name(one)
            ):
                assert mirrored(one) == other

    def test_brackets_come_in_pairs(self) -> None:
        assert (closing_of("("), opening_of("]"), closing_of(")"), opening_of("a")) == (
            ")", "[", "", ""
        )  # fmt: skip
        # Canonical equivalents count as one another.
        assert closing_of("\u2329") == closing_of("\u3008") == "\u3009"
        assert closing_of("<") == closing_of("«") == ""


def test_classes() -> None:
    assert [bidi_class(c) for c in ("a", "א", "ب", "1", "٢", "é", "\u0378")] == [
        "L", "R", "AL", "EN", "AN", "L", "L"
    ]  # fmt: skip
