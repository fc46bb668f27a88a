"""Which line goes into which fold."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.errors import DatasetError, TrainingError
from ocrlstm.training.folds import Fold, assign_folds, digest_pairs, split_source
from ocrlstm.training.sources import find_source


def paths(count, root="/data"):
    return [f"{root}/book-{n % 7}/page-{n % 10}/{n}.png" for n in range(count)]


@given(st.integers(2, 9), st.integers(9, 60), st.integers(0, 2**63 - 1))
def test_folds_of_lines_are_of_equal_size(folds, lines, seed):
    sizes = np.bincount(assign_folds(paths(lines), folds, seed=seed), minlength=folds + 1)
    assert sizes[0] == 0 and sizes.sum() == lines
    assert sizes[1:].max() - sizes[1:].min() <= 1


@pytest.mark.parametrize("by", ["line", "folder", "file", r"page-(\d+)"])
def test_it_depends_on_the_seed_and_on_nothing_else(by):
    names = paths(40)
    first = assign_folds(names, 3, by, seed=5)
    np.testing.assert_array_equal(first, assign_folds(paths(40, "/mnt/elsewhere"), 3, by, seed=5))
    # The order in which the files are found does not matter.
    np.testing.assert_array_equal(first[::-1], assign_folds(names[::-1], 3, by, seed=5))
    assert any((assign_folds(names, 3, by, seed=seed) != first).any() for seed in range(5))


@pytest.mark.parametrize(
    ("by", "group"),
    [
        ("folder", lambda name: name.rpartition("/")[0]),
        (r"book-(\d)", lambda name: name.split("/")[2]),
        (r"page-\d", lambda name: name.split("/")[3]),
    ],
)
def test_groups_stay_together(by, group):
    names = paths(100)
    folds = assign_folds(names, 3, by, seed=1)
    of_group = {}
    for name, fold in zip(names, folds, strict=True):
        assert of_group.setdefault(group(name), fold) == fold
    sizes = np.bincount(folds)[1:]
    # The largest first, each to the smallest fold: they differ by no more than one group.
    assert sizes.max() - sizes.min() <= max(Counter(map(group, names)).values())


def test_lines_of_a_page_stay_together():
    names = [f"/d/{page}.xml#line{n}" for page in "abc" for n in range(4)] + ["/d/e#1.png"]
    folds = assign_folds(names, 4, "file")
    assert [len(set(folds[i : i + 4])) for i in (0, 4, 8)] == [1, 1, 1]
    assert len({*folds[::4]}) == 4


def test_one_large_group_leaves_the_others_to_the_rest():
    names = [f"/d/a/{n}" for n in range(50)] + [f"/d/{folder}/1" for folder in "bcde"]
    folds = assign_folds(names, 3, "folder")
    assert len(set(folds[:50])) == 1
    assert sorted(np.bincount(folds[50:], minlength=4)[1:]) == [0, 2, 2]


@pytest.mark.parametrize(
    ("by", "error", "message"),
    [
        ("line", DatasetError, "^6 lines are too few for 9 folds"),
        ("folder", DatasetError, "^6 lines are of 6 groups by 'folder', too few for 9 folds"),
        (r"book-(7)", DatasetError, r"^book-0/page-0/0\.png: is not fitted by the pattern"),
        ("(", TrainingError, r"^'\(' is neither line, folder, file nor a regular expression"),
    ],
)
def test_what_makes_no_folds(by, error, message):
    with pytest.raises(error, match=message):
        assign_folds(paths(6), 9, by)


def test_a_source_is_split(pairs_folder):
    source = find_source(pairs_folder)
    seen = []
    for number in (1, 2, 3):
        rest, held_back = split_source(source, Fold(number, 3, seed=2))
        names = [pair.name for pair in held_back.pairs]
        assert len(names) == 4 and len(rest.pairs) == 8
        assert not {pair.name for pair in rest.pairs} & set(names)
        assert rest.paths == source.paths
        seen += names
    assert sorted(seen) == sorted(pair.name for pair in source.pairs)


def test_the_digest_knows_names_texts_and_order(write_pairs, pairs_folder, tmp_path):
    def digest(*paths):
        return digest_pairs(find_source(paths), lambda done, total: None)

    first = digest(pairs_folder)
    assert digest(write_pairs(tmp_path / "moved" / "pairs", 12)) == first
    images = [pairs_folder / f"{number}.png" for number in (1, 2)]
    digests = [first, digest(*images), digest(*images[::-1])]
    (pairs_folder / "3.gt.txt").write_text("i", encoding="utf-8")
    digests.append(digest(pairs_folder))
    (pairs_folder / "3.png").rename(pairs_folder / "3a.png")
    (pairs_folder / "3.gt.txt").rename(pairs_folder / "3a.gt.txt")
    digests.append(digest(pairs_folder))
    (pairs_folder / "3a.gt.txt").write_bytes(b"\xff")
    digests.append(digest(pairs_folder))
    assert len(set(digests)) == 6


@pytest.mark.parametrize(("number", "of"), [(0, 3), (4, 3), (1, 1), (1, 1001)])
def test_folds_that_there_are_not(number, of):
    with pytest.raises(TrainingError, match=r"fold"):
        Fold(number, of)


@pytest.mark.parametrize("values", [None, {}, {"number": 1, "of": 2, "by": "line", "seed": "0"}])
def test_what_is_no_fold(values):
    assert Fold.from_dict(Fold(2, 3, "file", 4).to_dict()) == Fold(2, 3, "file", 4)
    with pytest.raises(TrainingError, match="expected a fold with number, of, by, seed"):
        Fold.from_dict(values)
