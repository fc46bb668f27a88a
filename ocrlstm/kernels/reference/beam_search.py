"""The best texts of a line among all texts there are: what the beam search looks for, its oracle.

A text is worth

    log P(text | frames)
    + sum over its labels of (alpha (log p(label | those before) - mean) + beta)
    + alpha (log p(space | all of it) - mean)
    + weight (words on the list - words not on it)

where P is the sum over all CTC paths and p the language model, which begins after a space. The
third term falls away for a text that is empty or ends in a space itself. At a label that the model
does not know it keeps silent, and begins anew. A word that has a label of kind 2 is counted only if
no word of the list begins as it does up to there.
"""

from __future__ import annotations

from itertools import groupby, product

import numpy as np

from ocrlstm.kernels.beam_search import BeamLimits, BeamWeights, WordTables
from ocrlstm.kernels.ngrams import NgramTables
from ocrlstm.kernels.reference.ctc import ctc
from ocrlstm.kernels.reference.ngrams import score_symbols, spell_ngrams

__all__ = ["beam_search", "language_score", "word_score"]


def beam_search(
    log_posteriors: np.ndarray,
    symbols: np.ndarray,
    space: int,
    ngrams: NgramTables,
    words: WordTables,
    weights: BeamWeights,
    limits: BeamLimits,
    labels: np.ndarray,
    lengths: np.ndarray,
    scores: np.ndarray,
) -> int:
    """Find the best texts of one line of few frames; see `ocrlstm.kernels.beam_search`.

    Of `limits` only the threshold counts, for all texts are looked at.
    """
    frames, classes = log_posteriors.shape
    allowed = np.array(log_posteriors, np.float64)
    allowed[:, 1:][allowed[:, 1:] < limits.threshold] = -np.inf
    found = []
    for length in range(frames + 1):
        for text in product(range(1, classes), repeat=length):
            score = -ctc(allowed, np.array(text, np.int64), np.zeros_like(allowed))
            if score == -np.inf:
                continue
            score += weights.beta * length
            if weights.alpha:
                known = language_score(text, symbols, space, ngrams, weights.mean)
                score += weights.alpha * known
            if weights.words:
                score += weights.words * word_score(text, words)
            found.append((score, text))
    found.sort(reverse=True)
    for n, (score, text) in enumerate(found[: len(scores)]):
        labels[n, : len(text)] = text
        lengths[n], scores[n] = len(text), score
    return min(len(found), len(scores))


def language_score(
    text: tuple[int, ...], symbols: np.ndarray, space: int, ngrams: NgramTables, mean: float
) -> float:
    """Return what the language model says of a text, by how much it is better than the mean."""
    spelt = [int(symbols[label]) for label in text]
    if spelt and spelt[-1] != space:
        spelt.append(space)
    state = score_symbols(ngrams, 0, np.array([space]), np.zeros(1))
    total = 0.0
    for symbol in spelt:
        if symbol < 0:
            state = 0
            continue
        log_probability = np.zeros(1)
        state = score_symbols(ngrams, state, np.array([symbol]), log_probability)
        total += log_probability[0] - mean
    return total


def word_score(text: tuple[int, ...], words: WordTables) -> int:
    """Return the number of words on the list minus that of those not on it."""
    beginnings = spell_ngrams(words.symbols, words.first)
    listed = {word for word, end in zip(beginnings, words.ends, strict=True) if end}
    score = 0
    for is_word, run in groupby(text, key=lambda label: bool(words.kinds[label])):
        if not is_word:
            continue
        word = tuple(run)
        judged = next((n for n, c in enumerate(word) if words.kinds[c] == 2), len(word))
        if word[:judged] not in beginnings:
            score -= 1
        elif judged == len(word):
            score += 1 if word in listed else -1
    return score
