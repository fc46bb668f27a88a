"""Small n-gram models and word lists with random numbers, for the tests of what looks them up."""

import numpy as np

from ocrlstm.kernels.beam_search import WordTables
from ocrlstm.kernels.ngrams import NgramTables, link_ngrams


def number_levels(ngrams):
    """Symbols and first of some n-grams; each must be there without its last symbol too."""
    spelt = sorted({(), *ngrams}, key=lambda ngram: (len(ngram), ngram))
    longest = len(spelt[-1])
    inner = [ngram for ngram in spelt if len(ngram) < longest] or [()]
    symbols = np.array([ngram[-1] if ngram else 0 for ngram in spelt], np.uint16)
    first, after = [], 1
    for ngram in inner:
        first.append(after)
        after += sum(other[:-1] == ngram for other in spelt if other)
    return spelt, symbols, np.array([*first, after], np.int32)


def random_ngrams(rng, symbols, order, share=0.5):
    """A model with all single symbols and a share of the longer n-grams."""
    ngrams = [(s,) for s in range(symbols)]
    level = ngrams
    for _ in range(order - 1):
        level = [(*g, s) for g in level for s in range(symbols) if rng.random() < share]
        ngrams = [*ngrams, *level]
    spelt, numbers, first = number_levels(ngrams)
    inner = len(first) - 1
    suffixes, states = np.empty(inner, np.int32), np.empty(len(spelt), np.int32)
    link_ngrams(numbers, first, suffixes, states)
    backoffs = np.where(np.diff(first) > 0, rng.uniform(-3, 0, inner), 0)
    return NgramTables(
        numbers,
        first,
        rng.uniform(-6, -0.1, len(spelt)).astype(np.float32),
        backoffs.astype(np.float32),
        suffixes,
        states,
    )


def word_tree(words, kinds):
    """A word list from tuples of labels."""
    beginnings = {word[:n] for word in words for n in range(1, len(word) + 1)}
    spelt, symbols, first = number_levels(beginnings)
    first = np.concatenate([first, np.full(len(spelt) + 1 - len(first), len(spelt), np.int32)])
    ends = np.array([word in set(words) for word in spelt])
    return WordTables(symbols, first, ends, np.array(kinds, np.int8))
