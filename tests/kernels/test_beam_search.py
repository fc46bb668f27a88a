"""A beam that leaves nothing out against the scores of all texts, a narrow one against a wide."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ngram_tables import random_ngrams, word_tree

from ocrlstm.kernels import beam_search as compiled
from ocrlstm.kernels.beam_search import BeamLimits, BeamWeights
from ocrlstm.kernels.reference import beam_search as reference

# Labels: 1 is a space, 2 and 3 are letters, 4 is a digit; the model knows them in another order
# and lacks 3.
SYMBOLS = np.array([-1, 0, 2, -1, 1], np.int32)
WORDS = word_tree([(2,), (2, 3), (3, 2)], [0, 0, 1, 1, 2])
ALL = BeamLimits(10_000, np.inf, -np.inf)


def run(module, posteriors, ngrams, weights, limits=ALL, count=5):
    labels = np.zeros((count, max(1, len(posteriors))), np.int32)
    lengths, scores = np.zeros(count, np.int32), np.zeros(count)
    found = module.beam_search(
        posteriors, SYMBOLS, 0, ngrams, WORDS, weights, limits, labels, lengths, scores
    )
    texts = [tuple(labels[n, : lengths[n]].tolist()) for n in range(found)]
    return texts, scores[:found]


def random_posteriors(seed, frames, spread=1.0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(frames, 5)) * spread
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "weights",
    [
        BeamWeights(0.0, 0.0, 0.0, 0.0),
        BeamWeights(0.7, 0.0, -1.5, 0.0),
        BeamWeights(0.0, -0.4, 0.0, 1.3),
        BeamWeights(1.1, 0.6, -2.0, 0.8),
    ],
    ids=["alone", "model", "words", "all"],
)
@given(
    seed=st.integers(0, 2**32 - 1), frames=st.integers(0, 4), spread=st.sampled_from([0.1, 1, 5])
)
@settings(max_examples=20, deadline=None)
def test_a_wide_beam_finds_the_best_of_all_texts(weights, seed, frames, spread):
    posteriors = random_posteriors(seed, frames, spread).reshape(frames, 5)
    ngrams = random_ngrams(np.random.default_rng(seed), 3, 3, 0.6)
    texts, scores = run(compiled, posteriors, ngrams, weights)
    expected_texts, expected_scores = run(reference, posteriors, ngrams, weights)
    np.testing.assert_allclose(scores, expected_scores, rtol=1e-9, atol=1e-9)
    assert texts == expected_texts


def test_probabilities_of_all_texts_sum_to_one():
    nothing = BeamWeights(0.0, 0.0, 0.0, 0.0)
    posteriors = random_posteriors(3, 4)
    _, scores = run(compiled, posteriors, random_ngrams(np.random.default_rng(0), 3, 2),
                    nothing, count=10_000)  # fmt: skip
    assert np.exp(scores).sum() == pytest.approx(1)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_labels_below_the_threshold_cannot_come(seed):
    limits = ALL._replace(threshold=np.log(0.2))
    weights = BeamWeights(0.5, 0.1, -1.0, 0.5)
    posteriors = random_posteriors(seed, 4)
    ngrams = random_ngrams(np.random.default_rng(seed), 3, 3)
    texts, scores = run(compiled, posteriors, ngrams, weights, limits)
    expected_texts, expected_scores = run(reference, posteriors, ngrams, weights, limits)
    assert texts == expected_texts
    np.testing.assert_allclose(scores, expected_scores, rtol=1e-9)


def test_a_narrow_beam_finds_what_a_wide_one_finds_in_sure_lines():
    rng = np.random.default_rng(0)
    ngrams = random_ngrams(rng, 3, 3)
    weights = BeamWeights(0.5, 0.0, -1.5, 0.5)
    narrow = BeamLimits(16, 12.0, np.log(1e-3))
    for seed in range(5):
        posteriors = random_posteriors(seed, 60, spread=20)
        wide = BeamLimits(1000, np.inf, np.log(1e-3))
        texts, scores = run(compiled, posteriors, ngrams, weights, wide, 1)
        found, found_scores = run(compiled, posteriors, ngrams, weights, narrow, 1)
        assert found == texts
        # Paths through what it dropped are missing from its sum.
        assert scores[0] - 1 < found_scores[0] <= scores[0] + 1e-9


def test_hopeless_texts_are_dropped_early():
    # Two frames, label 2 once with 0.1: a margin of 2 leaves the empty text alone.
    posteriors = np.log(np.array([[0.9, 0.0, 0.1, 0.0, 0.0], [1.0, 0, 0, 0, 0]]) + 1e-30)
    ngrams = random_ngrams(np.random.default_rng(0), 3, 2)
    nothing = BeamWeights(0.0, 0.0, 0.0, 0.0)
    assert run(compiled, posteriors, ngrams, nothing, BeamLimits(16, 2.0, -20.0))[0] == [()]
    assert run(compiled, posteriors, ngrams, nothing, BeamLimits(16, 3.0, -20.0))[0] == [(), (2,)]


def test_float32_serves_too():
    ngrams = random_ngrams(np.random.default_rng(0), 3, 3)
    weights = BeamWeights(0.5, 0.0, -1.5, 0.5)
    posteriors = random_posteriors(1, 10)
    texts, scores = run(compiled, posteriors, ngrams, weights)
    single, single_scores = run(compiled, posteriors.astype(np.float32), ngrams, weights)
    assert texts == single
    np.testing.assert_allclose(scores, single_scores, rtol=1e-5)
