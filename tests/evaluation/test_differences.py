"""Stretches of equal and differing text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import list_differences


def kinds(truth, reading):
    return [(s.kind, s.truth, s.reading) for s in list_differences(truth, reading)]


@pytest.mark.parametrize(
    ("truth", "reading", "expected"),
    [
        ("", "", []),
        ("abc", "abc", [("equal", "abc", "abc")]),
        ("abc", "", [("delete", "abc", "")]),
        ("", "abc", [("insert", "", "abc")]),
        ("a b", "ab", [("equal", "a", "a"), ("delete", " ", ""), ("equal", "b", "b")]),
        # The tilde belongs to its q: the whole letter is wrong.
        ("q\u0303ua", "qua", [("replace", "q\u0303", "q"), ("equal", "ua", "ua")]),
    ],
)
def test_examples(truth, reading, expected):
    assert kinds(truth, reading) == expected


@given(st.text("ab \u0303ש", max_size=12), st.text("ab \u0303ש", max_size=12))
def test_stretches_give_both_texts_again(truth, reading):
    stretches = list_differences(truth, reading)
    assert "".join(s.truth for s in stretches) == truth
    assert "".join(s.reading for s in stretches) == reading
    for stretch in stretches:
        assert (stretch.truth == stretch.reading) == (stretch.kind == "equal")
        assert bool(stretch.truth) == (stretch.kind != "insert")
        assert bool(stretch.reading) == (stretch.kind != "delete")
