"""Errors by script, counted by hand."""

from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.evaluation import ScriptErrors, count_script_errors, list_confusions


def test_by_hand() -> None:
    lines = [("Der λόγος, 12 a\u0364", "Dex λόyος 13 a"), ("ab", "a"), ("", "z")]
    assert count_script_errors(lines) == (
        ScriptErrors("Latin", 6, 1, 1, 2 / 6),
        ScriptErrors("Greek", 5, 1, 0, 1 / 5),
        ScriptErrors("spaces", 3, 0, 0, 0.0),
        ScriptErrors("digits", 2, 1, 0, 1 / 2),
        ScriptErrors("combining marks", 1, 0, 1, 1.0),
        ScriptErrors("punctuation", 1, 0, 1, 1.0),
    )


def test_what_scripts_share() -> None:
    found = count_script_errors([("1½ €«»+", "")])
    assert {each.script: each.characters for each in found} == {
        **{"digits": 2, "spaces": 1, "symbols": 2, "punctuation": 2}
    }
    assert count_script_errors([]) == ()


@given(st.lists(st.tuples(*[st.text(alphabet="aβ1 .", max_size=6)] * 2), max_size=4))
def test_all_characters_and_errors_are_somebodys(lines: list[tuple[str, str]]) -> None:
    found = count_script_errors(lines)
    assert sum(each.characters for each in found) == sum(len(truth) for truth, _ in lines)
    wrong = [c for line in lines for c in list_confusions(*line) if c[0]]
    assert sum(each.replaced + each.deleted for each in found) == len(wrong)
    assert sum(each.deleted for each in found) == sum(read == "" for _, read in wrong)
