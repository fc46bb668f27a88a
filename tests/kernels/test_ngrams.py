"""Walks over the arrays of an n-gram model against look-ups by the n-grams' texts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ngram_tables import random_ngrams

from ocrlstm.kernels import ngrams as compiled
from ocrlstm.kernels.reference import ngrams as reference

MODELS = st.tuples(
    st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 4), st.sampled_from([0.2, 0.7, 1])
)


def make(model):
    seed, symbols, order, share = model
    return random_ngrams(np.random.default_rng(seed), symbols, order, share)


@given(MODELS)
@settings(max_examples=60, deadline=None)
def test_links_equal_those_of_the_reference(model):
    tables = make(model)
    suffixes, states = np.empty_like(tables.suffixes), np.empty_like(tables.states)
    reference.link_ngrams(tables.symbols, tables.first, suffixes, states)
    np.testing.assert_array_equal(tables.suffixes, suffixes)
    np.testing.assert_array_equal(tables.states, states)


@given(MODELS, st.lists(st.integers(0, 3), max_size=12))
@settings(max_examples=60, deadline=None)
def test_scores_equal_those_of_the_reference(model, sequence):
    tables = make(model)
    sequence = np.array([s % model[1] for s in sequence], np.int64)
    found, expected = np.empty(len(sequence)), np.empty(len(sequence))
    state = compiled.score_symbols(tables, 0, sequence, found)
    assert state == reference.score_symbols(tables, 0, sequence, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_text_in_two_parts_scores_as_in_one():
    tables = make((5, 4, 3, 0.6))
    sequence = np.random.default_rng(0).integers(0, 4, 50)
    whole, parts = np.empty(50), np.empty(50)
    compiled.score_symbols(tables, 0, sequence, whole)
    state = compiled.score_symbols(tables, 0, sequence[:20], parts[:20])
    compiled.score_symbols(tables, state, sequence[20:], parts[20:])
    np.testing.assert_array_equal(whole, parts)


@pytest.mark.parametrize(("symbol", "child"), [(0, 4), (1, -1), (2, 5), (7, -1)])
def test_children_are_found(symbol, child):
    # The single symbols 0 to 2, and behind symbol 0 the pairs with 0 and 2.
    symbols = np.array([0, 0, 1, 2, 0, 2], np.uint16)
    first = np.array([1, 4, 6, 6, 6], np.int32)
    assert compiled.find_child(symbols, first, 1, symbol) == child
    assert compiled.find_child(symbols, first, 2, symbol) == -1
    assert compiled.find_child(symbols, first, 4, symbol) == -1
