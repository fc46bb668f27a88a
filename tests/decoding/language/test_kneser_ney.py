"""Probabilities against the formulas of the paper, worked out with dictionaries; sums to one."""

import random
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.decoding.language import build_language_model
from ocrlstm.decoding.language.counts import bits_of, count_ngrams
from ocrlstm.decoding.language.kneser_ney import estimate


def plain_kneser_ney(sequence, order, symbols):
    """Return p(symbol, context) after Chen and Goodman (1998), equations 11, 17 and 19."""
    occurrences = Counter(tuple(sequence[i : i + order]) for i in range(len(sequence) - order + 1))
    counts = {order: occurrences}
    for length in range(order - 1, 0, -1):
        counts[length] = Counter(ngram[1:] for ngram in counts[length + 1])
    followers = {length: defaultdict(dict) for length in counts}
    discounts = {}
    for length, table in counts.items():
        for ngram, count in table.items():
            followers[length][ngram[:-1]][ngram[-1]] = count
        n = Counter(table.values())
        discounts[length] = {1: 0.5, 2: 1.0, 3: 1.5}
        if n[1] and n[2] and n[3] and n[4]:
            y = n[1] / (n[1] + 2 * n[2])
            found = {k: k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)}
            if all(0 < d < k for k, d in found.items()):
                discounts[length] = found

    def probability(symbol, context):
        length = len(context) + 1
        shorter = probability(symbol, context[1:]) if context else 1 / symbols
        seen = followers[length].get(context)
        if not seen:
            return shorter
        discount = discounts[length]
        left = sum(discount[min(count, 3)] for count in seen.values())
        count = seen.get(symbol, 0)
        share = count - discount[min(count, 3)] if count else 0
        return (share + left * shorter) / sum(seen.values())

    return probability


def estimated(sequence, order, symbols, prune=0):
    """Return p(symbol, context) by the levels, walked through by hand."""
    bits = bits_of(symbols)
    block = np.array(sequence, np.uint16)
    levels = estimate(count_ngrams([block], order, bits), symbols, prune)

    def find(ngram):
        key = 0
        for symbol in ngram:
            key = key << bits | symbol
        keys = levels[len(ngram) - 1].keys
        place = int(np.searchsorted(keys, np.uint64(key)))
        return place if place < len(keys) and keys[place] == key else None

    def probability(symbol, context):
        place = find((*context, symbol))
        if place is not None:
            return levels[len(context)].probabilities[place]
        at = find(context)
        left = 1.0 if at is None else levels[len(context)].left[at]
        return left * probability(symbol, context[1:])

    return probability


def text_like(seed, symbols, length):
    """Symbols that depend on the two before, so that counts of all sizes occur."""
    rng = random.Random(seed)
    sequence = [0, 1 % symbols]
    for _ in range(length):
        likely = (3 * sequence[-1] + sequence[-2]) % symbols
        sequence.append(likely if rng.random() < 0.7 else rng.randrange(symbols))
    return sequence


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(2, 5), st.sampled_from([6, 40, 400]))
@settings(max_examples=40, deadline=None)
def test_equals_the_formulas(seed, order, symbols, length):
    sequence = text_like(seed, symbols, length)
    expected = plain_kneser_ney(sequence, order, symbols)
    found = estimated(sequence, order, symbols)
    rng = random.Random(seed)
    for _ in range(30):
        context = tuple(rng.randrange(symbols) for _ in range(order - 1))
        for symbol in range(symbols):
            assert found(symbol, context) == pytest.approx(expected(symbol, context), rel=1e-9)


def test_the_paper_discounts_are_used_where_counts_allow():
    # With 400 symbols all of n1 to n4 are there, so the test above is not of fall-backs only.
    counts = count_ngrams([np.array(text_like(0, 5, 400), np.uint16)], 3, 3)
    assert all((counts.counts == n).any() for n in (1, 2, 3, 4))


@pytest.mark.parametrize("prune", [0, 1, 3])
@given(st.integers(0, 1000), st.integers(2, 5))
@settings(max_examples=15, deadline=None)
def test_probabilities_sum_to_one_in_every_context(prune, seed, symbols):
    found = estimated(text_like(seed, symbols, 300), 4, symbols, prune)
    rng = random.Random(seed)
    for length in (0, 1, 2, 3, 3, 3):
        context = tuple(rng.randrange(symbols) for _ in range(length))
        probabilities = [found(symbol, context) for symbol in range(symbols)]
        assert sum(probabilities) == pytest.approx(1, rel=1e-9)
        assert min(probabilities) > 0


def test_pruning_leaves_out_what_is_rare():
    sequence = np.array(text_like(1, 5, 3000), np.uint16)
    counts = count_ngrams([sequence], 4, 3)
    sizes = [[len(level.keys) for level in estimate(counts, 5, prune)] for prune in (0, 1, 10)]
    assert sizes[0][:2] == sizes[1][:2] == sizes[2][:2]
    assert sizes[0][3] > sizes[1][3] > sizes[2][3]
    often = count_ngrams([sequence], 4, 3).counts > 10
    assert sizes[2][3] == often.sum()


def test_longer_ngrams_foretell_better():
    rng = random.Random(0)
    syllables = [vowel + consonant for vowel in "aeiou" for consonant in "bdglmnrst"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(60)]
    lines = [" ".join(rng.choice(words) for _ in range(8)) for _ in range(600)]
    models = [build_language_model(lines[:500], order=order) for order in range(1, 6)]
    held_back = lines[500:]
    means = [np.concatenate([model.score(t) for t in held_back]).mean() for model in models]
    assert means == sorted(means)
    assert np.exp(-means[0]) > 2 * np.exp(-means[4])
