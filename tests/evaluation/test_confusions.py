"""Stretches read as others, with their neighbours."""

from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import Confusion, Context, find_confusions

FEW = st.text(alphabet="abc ", max_size=10)


def test_several_characters_at_once_and_what_is_around() -> None:
    lines = [
        ("1", "modern times", "modem times"),
        ("2", "the modern era", "the modem era"),
        ("3", "born", "bom"),
        ("4", "a cat", "a cat."),
        ("5", "right", "right"),
    ]
    assert find_confusions(lines) == (
        Confusion(
            "rn",
            "m",
            3,
            (
                Context("mode", " tim", 1, "1"),
                Context("mode", " era", 1, "2"),
                Context("bo", "", 1, "3"),
            ),
        ),
        Confusion("", ".", 1, (Context(" cat", "", 1, "4"),)),
    )


def test_most_common_context_first_with_its_first_line() -> None:
    lines = [("1", "xe", "xc"), ("2", "ye", "yc"), ("3", "ye", "yc"), ("4", "ze", "zc")]
    lines += [("5", "ve", "vc")]
    (one,) = find_confusions(lines)
    assert (one.truth, one.read, one.count) == ("e", "c", 5)
    assert one.contexts[0] == Context("y", "", 2, "2")
    assert len(one.contexts) == 3


def test_equally_common_ones_have_an_order() -> None:
    found = find_confusions([("1", "abc", "xbz"), ("2", "b", "")])
    assert [(c.truth, c.read) for c in found] == [("a", "x"), ("b", ""), ("c", "z")]


@given(st.lists(st.tuples(FEW, FEW), max_size=3))
def test_putting_right_what_is_wrong_gives_the_truth(pairs: list[tuple[str, str]]) -> None:
    found = find_confusions(("n", *pair) for pair in pairs)
    assert all(one.truth != one.read for one in found)
    assert sum(one.count for one in found) <= sum(max(map(len, pair)) for pair in pairs)
    # Lengths of truth and reading differ by what the confusions differ.
    gap = sum((len(one.truth) - len(one.read)) * one.count for one in found)
    assert gap == sum(len(truth) - len(read) for truth, read in pairs)
