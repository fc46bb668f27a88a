"""Lines of one book together."""

import numpy as np
import pytest

from ocrlstm.evaluation import Group, bootstrap_interval, group_names, score, score_groups


def test_folders() -> None:
    names = ["set/a/1.png", "set/b/page.xml#r1.l2", "2.png", "x#y/3.png"]
    assert group_names(names, "folder") == ["set/a", "set/b", ".", "x#y"]


def test_patterns() -> None:
    names = ["1816-goethe-3.png", "1890-x-1.png", "note.png"]
    assert group_names(names, r"^\d{4}") == ["1816", "1890", "(other names)"]
    assert group_names(names, r"^(\d\d)\d\d-(\w+)") == ["18", "18", "(other names)"]
    assert group_names(names, r"(x)|goethe") == ["", "x", "(other names)"]


@pytest.mark.parametrize("pattern", ["(", "[a", "a{9999999999}", "(?P<1>a)"])
def test_no_pattern(pattern: str) -> None:
    with pytest.raises(ValueError, match="is not a regular expression"):
        group_names(["a"], pattern)


def test_each_group_by_itself() -> None:
    edits, characters = [0, 3, 1, 0], [10, 10, 10, 5]
    groups = score_groups(["b", "b", "a", "a"], edits, characters)
    assert [(g.name, g.lines, g.exact_lines, g.edits, g.characters) for g in groups] == [
        ("a", 2, 1, 1, 15),
        ("b", 2, 1, 3, 20),
    ]
    assert groups[1].cer == 3 / 20
    alone = bootstrap_interval([0, 3], [10, 10], np.random.default_rng(0))
    assert groups[1].cer_interval == alone


def test_one_group_is_the_whole() -> None:
    truths, predictions = ["abc", "de", "fgh"], ["abc", "dx", ""]
    report = score(truths, predictions, groups=["x"] * 3)
    (group,) = report.groups
    assert group == Group("x", 3, 1, report.cer, report.edits, 8, report.cer_interval)


def test_groups_that_do_not_belong() -> None:
    with pytest.raises(ValueError, match="1 truths and 2 groups"):
        score(["a"], ["a"], groups=["x", "y"])
