"""Counting by sorting against counting with a dictionary."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.decoding.language.counts import bits_of, count_ngrams, leave_out, pack_ngrams

TEXTS = st.lists(st.integers(0, 5), max_size=60)


def spelt(counts):
    mask = (1 << counts.bits) - 1
    places = range(counts.bits * (counts.order - 1), -1, -counts.bits)
    keys = [tuple(key >> place & mask for place in places) for key in counts.keys.tolist()]
    assert keys == sorted(set(keys))
    return dict(zip(keys, counts.counts.tolist(), strict=True))


def by_hand(text, order):
    return Counter(tuple(text[i : i + order]) for i in range(len(text) - order + 1))


@given(TEXTS, st.integers(1, 5), st.integers(1, 20))
def test_blocks_count_as_the_whole(text, order, size):
    symbols = np.array(text, np.uint16)
    # Each block repeats the symbols that its first n-grams begin with.
    starts = range(0, len(text), size)
    blocks = [symbols[max(0, s - order + 1) : s + size] for s in starts]
    assert spelt(count_ngrams(blocks, order, 3)) == by_hand(text, order)


@given(TEXTS)
def test_suffixes(text):
    counts = count_ngrams([np.array(text, np.uint16)], 3, 3)
    shorter, varieties = counts.suffixes()
    assert spelt(shorter) == by_hand(text[1:], 2)
    before = Counter(ngram[1:] for ngram in by_hand(text, 3))
    assert varieties.tolist() == [before[ngram] for ngram in spelt(shorter)]


@given(TEXTS, TEXTS)
def test_what_is_left_out_does_not_count(kept, dropped):
    together = [np.array(text, np.uint16) for text in (kept, dropped)]
    counts = leave_out(count_ngrams(together, 2, 3), pack_ngrams(together[1], 2, 3))
    assert spelt(counts) == by_hand(kept, 2)


@pytest.mark.parametrize(("symbols", "bits"), [(1, 1), (2, 1), (3, 2), (256, 8), (257, 9)])
def test_bits(symbols, bits):
    assert bits_of(symbols) == bits


def test_all_bits_of_a_word_can_be_used():
    text = np.array([65535, 0, 65535, 1, 65535], np.uint16)
    assert spelt(count_ngrams([text], 4, 16)) == {
        (0, 65535, 1, 65535): 1,
        (65535, 0, 65535, 1): 1,
    }
    with pytest.raises(ValueError, match="do not fit into 64 bits"):
        count_ngrams([text], 5, 16)
