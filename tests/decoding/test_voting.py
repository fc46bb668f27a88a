"""Voting against brute force over all spellings, and what it must hold to in any case."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ocrlstm.decoding import greedy
from ocrlstm.decoding.voting import Choice, Voter, vote
from ocrlstm.text import Codec

CODEC = Codec(("", "a", "b", "c"))


def voter(path: str, sure: float = 0.9, codec: Codec = CODEC) -> Voter:
    """A model that reads `path`, a character or "-" for the blank a frame."""
    labels = [0 if character == "-" else codec.labels.index(character) for character in path]
    posteriors = np.full((len(labels), len(codec)), (1 - sure) / (len(codec) - 1))
    posteriors[np.arange(len(labels)), labels] = sure
    return of_posteriors(np.log(posteriors), codec)


def of_posteriors(log_posteriors: NDArray[np.floating], codec: Codec = CODEC) -> Voter:
    reading = [codec.labels[symbol.label] for symbol in greedy(log_posteriors)]
    return Voter(log_posteriors, codec, reading)


def text(choices: Sequence[Choice]) -> str:
    return "".join(choice.text for choice in choices)


def test_one_voter_keeps_its_reading() -> None:
    choices = vote([voter("a-b-b-")])
    assert text(choices) == "abb"
    assert [choice.places for choice in choices] == [((0, 0),), ((0, 1),), ((0, 2),)]


def test_two_against_one_win() -> None:
    assert text(vote([voter("a-b-"), voter("a-c-"), voter("a-c-")])) == "ac"


def test_one_who_is_sure_outvotes_two_who_are_not() -> None:
    unsure = np.log(np.array([[0.9, 0.05, 0.05 - 1e-9, 1e-9], [0.1, 0.1, 0.41, 0.39]]))
    sure = np.log(np.array([[0.9, 0.05, 0.05 - 1e-9, 1e-9], [0.01, 0.01, 0.01, 0.97]]))
    voters = [of_posteriors(unsure), of_posteriors(unsure), of_posteriors(sure)]
    assert [list(each.reading) for each in voters] == [["b"], ["b"], ["c"]]
    assert text(vote(voters)) == "c"


def test_takes_the_right_part_of_each() -> None:
    """No voter reads the whole rightly; each error is outvoted in its own place."""
    voters = [voter("b-b-c-a-c-"), voter("a-b-b-a-c-"), voter("a-b-c-a-")]
    assert text(vote(voters)) == "abcac"


def test_frames_need_not_be_as_many_nor_codecs_equal() -> None:
    other = Codec(("", "b", "a"))
    choices = vote([voter("a-b-c"), voter("-aa---bb--", codec=other), voter("-a-b")])
    assert text(choices) == "ab"
    assert choices[0].places[0][0] in (1, 2)


def test_who_lacks_a_character_only_tells_that_one_stands_there() -> None:
    """Two who know "c" win over one who can but take it for an "a"; one alone does as well."""
    small = Codec(("", "a", "b"))
    reads_a = voter("b-a-", codec=small)
    assert text(vote([voter("b-c-"), voter("b-c-"), reads_a])) == "bc"
    assert text(vote([voter("b-c-"), reads_a, reads_a])) == "ba"


def test_tells_who_read_each_character_and_where() -> None:
    choices = vote([voter("a-b-"), voter("-c-a-b"), voter("a-b")])
    assert text(choices) == "ab"
    assert sorted(choices[0].places) == [(0, 0), (1, 1), (2, 0)]
    assert sorted(choices[1].places) == [(0, 1), (1, 2), (2, 1)]


def test_nothing_read_by_most_leaves_nothing() -> None:
    assert vote([voter("----"), voter("----"), voter("-a--", sure=0.6)]) == []


def test_a_text_that_does_not_fit_a_voter_loses() -> None:
    """Three characters cannot be spelt in one frame."""
    assert len(vote([voter("a-b-c", sure=0.4), voter("a", sure=0.99)])) <= 1


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=6), min_size=2, max_size=4),
    st.integers(0, 2**31),
)
def test_no_single_reading_is_more_probable(paths: list[list[int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    voters = []
    for path in paths:
        values = rng.uniform(0.05, 1, (len(path), 4))
        values[np.arange(len(path)), path] += 1
        voters.append(of_posteriors(np.log(values / values.sum(axis=1, keepdims=True))))
    choices = vote(voters)

    def score(characters: Sequence[str]) -> float:
        return sum(each.log_probability(characters) for each in voters)

    common = [choice.text for choice in choices]
    assert score(common) >= max(score(each.reading) for each in voters) - 1e-9
    for choice in choices:
        assert choice.places
        for number, place in choice.places:
            assert voters[number].reading[place] == choice.text


@pytest.mark.parametrize("seed", range(20))
def test_no_change_of_a_single_place_is_more_probable(seed: int) -> None:
    """Two voters that share no letter: each place may be spelt as either has it."""
    rng = np.random.default_rng(seed)
    codec = Codec(("", *"abcdef"))
    voters = []
    for letters in ((1, 2, 3), (4, 5, 6)):
        values = rng.uniform(0.05, 1, (7, 7))
        values[::2, 0] += 3
        values[1::2, letters] += rng.uniform(0, 1, (3, 3))
        values[[1, 3, 5], letters] += 2
        voters.append(of_posteriors(np.log(values / values.sum(axis=1, keepdims=True)), codec))
    assert [list(each.reading) for each in voters] == [list("abc"), list("def")]
    common = [choice.text for choice in vote(voters)]
    assert len(common) == 3

    def score(characters: Sequence[str]) -> float:
        return sum(each.log_probability(characters) for each in voters)

    for place, pair in enumerate(zip("abc", "def", strict=True)):
        for character in pair:
            changed = [*common[:place], character, *common[place + 1 :]]
            assert score(common) >= score(changed) - 1e-9
