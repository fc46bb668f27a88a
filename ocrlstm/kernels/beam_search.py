"""Prefix beam search: the likeliest texts of a line by network, language model and word list.

After Graves, "Supervised Sequence Labelling with Recurrent Neural Networks" (2012), section 7.5,
and Hannun, Maas, Jurafsky and Ng, "First-Pass Large Vocabulary Continuous Speech Recognition using
Bi-Directional Recurrent DNNs" (2014). For every text so far (prefix) two sums go along, over the
paths that end in a blank and over those that end in its last label. In every frame each prefix
stays as it is or grows by a label, and the best go on.
`ocrlstm.kernels.reference.beam_search` tells by what.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ocrlstm.kernels.log_add import log_add
from ocrlstm.kernels.ngrams import NgramTables, find_child, ngram_step

__all__ = ["BeamLimits", "BeamWeights", "WordTables", "beam_search"]

# No n-gram, node, or place in the beam.
NONE = -1
# Places in a word beside the nodes of the word list: before it, off the list, and not to be judged.
BEFORE = 0
LOST = -1
EXEMPT = -2
# Kinds of labels.
APART, INSIDE, EXEMPTING = 0, 1, 2


class WordTables(NamedTuple):
    """A word list as a tree of labels, numbered as the n-grams of `NgramTables` are.

    Attributes
    ----------
    symbols : ndarray (N,) of uint16
        Last label of each beginning of a word; node 0 is the empty one.
    first : ndarray (N + 1,) of int32
        Where the nodes that prolong each begin.
    ends : ndarray (N,) of bool
        Whether the node is a whole word.
    kinds : ndarray (C,) of int8
        What each label is: 0 parts words, 1 belongs to a word, 2 belongs to one and exempts it,
        as a digit does, since lists do not hold numbers.
    """

    symbols: np.ndarray
    first: np.ndarray
    ends: np.ndarray
    kinds: np.ndarray


class BeamWeights(NamedTuple):
    """What counts how much.

    Attributes
    ----------
    alpha : float
        Of the language model; 0 leaves it out.
    beta : float
        Added for each label.
    mean : float
        Subtracted from each log probability of the language model.
    words : float
        Added for each word of the list, subtracted for each other; 0 leaves the list out.
    """

    alpha: float
    beta: float
    mean: float
    words: float


class BeamLimits(NamedTuple):
    """What is not looked at.

    Attributes
    ----------
    width : int
        So many prefixes go on after a frame.
    margin : float
        Prefixes that are so much (in nats) worse than the best go no further.
    threshold : float
        Labels with a smaller log posterior in a frame count as impossible there.
    """

    width: int
    margin: float
    threshold: float


class _Prefixes(NamedTuple):
    """All prefixes that were ever in the beam, as a tree; each array has a place for each of them.

    `place` tells where in the beam a prefix is, `score` is what language model and words give it.
    """

    parent: np.ndarray
    last: np.ndarray
    child: np.ndarray
    sibling: np.ndarray
    place: np.ndarray
    state: np.ndarray
    word: np.ndarray
    score: np.ndarray


class _Grown(NamedTuple):
    """Prefixes with one label more than one in the beam: whose, which, its sum and its score.

    `node` is its number if it was in the beam before.
    """

    origin: np.ndarray
    label: np.ndarray
    node: np.ndarray
    sum: np.ndarray
    score: np.ndarray


@njit(nogil=True, cache=True)
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
    """Find the best texts of one line.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors; label 0 is the blank.
    symbols : ndarray (C,) of int32
        Symbol of the language model for each label, -1 for one that it does not know.
    space : int
        Symbol of the space, which stands before and behind every line.
    ngrams : NgramTables
    words : WordTables
    weights : BeamWeights
    limits : BeamLimits
    labels : ndarray (N, T) of int32
        Row n is overwritten with the labels of the n-th best text.
    lengths : ndarray (N,) of int32
        Overwritten with how many those are.
    scores : ndarray (N,) of float64
        Overwritten with their scores.

    Returns
    -------
    int
        How many texts were found, at most N.
    """
    frames, classes = log_posteriors.shape
    width = limits.width
    prefixes = _make_prefixes(1 + frames * width)
    nodes = 1
    if weights.alpha:
        prefixes.state[0] = ngram_step(ngrams, 0, space)[1]
    prefixes.place[0] = 0
    beam = np.zeros(width, np.int32)
    # Logarithms of the sums over the paths that end in a blank, and in the last label.
    blank, label = np.full(width, -np.inf), np.full(width, -np.inf)
    blank[0] = 0.0
    count = 1

    grown = _make_grown(width * classes)
    possible = np.empty(classes, np.int32)
    blank_next, label_next = np.empty(width), np.empty(width)
    beam_next = np.empty(width, np.int32)
    chosen, chosen_score = np.empty(width, np.int32), np.empty(width)
    for t in range(frames):
        frame = log_posteriors[t]
        choices = 0
        for c in range(1, classes):
            if frame[c] >= limits.threshold:
                possible[choices] = c
                choices += 1
        for i in range(count):
            blank_next[i] = log_add(blank[i], label[i]) + frame[0]
            label_next[i] = -np.inf
        if choices == 0:
            # Surely a blank: nothing grows, and the order stays.
            blank, blank_next = blank_next, blank
            label, label_next = label_next, label
            continue

        bar, top = np.inf, -np.inf
        for i in range(count):
            again = prefixes.last[beam[i]]
            if again and frame[again] >= limits.threshold:
                label_next[i] = label[i] + frame[again]
            score = log_add(blank_next[i], label_next[i]) + prefixes.score[beam[i]]
            bar, top = min(bar, score), max(top, score)
        # What is new must be better than the worst of a full beam, and not too bad anyway.
        bar = max(bar if count == width else -np.inf, top - limits.margin)
        growing = _grow(
            frame, possible[:choices], beam[:count], blank, label, label_next, prefixes, grown,
            symbols, ngrams, words, weights, bar,
        )  # fmt: skip

        kept = 0
        for i in range(count):
            score = log_add(blank_next[i], label_next[i]) + prefixes.score[beam[i]]
            kept = _insert(chosen, chosen_score, kept, i, score)
            prefixes.place[beam[i]] = NONE
        for k in range(growing):
            score = grown.sum[k] + grown.score[k]
            kept = _insert(chosen, chosen_score, kept, count + k, score)
        while kept > 1 and chosen_score[kept - 1] < chosen_score[0] - limits.margin:
            kept -= 1
        for n in range(kept):
            if chosen[n] < count:
                beam_next[n] = beam[chosen[n]]
                blank[n], label[n] = blank_next[chosen[n]], label_next[chosen[n]]
                continue
            k = chosen[n] - count
            node = grown.node[k]
            if node == NONE:
                node = nodes
                nodes += 1
                above, c = beam[grown.origin[k]], grown.label[k]
                prefixes.parent[node], prefixes.last[node] = above, c
                prefixes.sibling[node], prefixes.child[above] = prefixes.child[above], node
                prefixes.score[node] = grown.score[k]
                if weights.alpha:
                    prefixes.state[node] = _next_state(ngrams, symbols[c], prefixes.state[above])
                if weights.words:
                    prefixes.word[node] = _next_word(words, prefixes.word[above], c)
            beam_next[n] = node
            blank[n], label[n] = -np.inf, grown.sum[k]
        beam, beam_next = beam_next, beam
        count = kept
        for n in range(count):
            prefixes.place[beam[n]] = n

    kept = 0
    for i in range(count):
        score = log_add(blank[i], label[i]) + prefixes.score[beam[i]]
        score += _end_gain(prefixes, beam[i], symbols, space, ngrams, words, weights)
        kept = _insert(chosen[: len(scores)], chosen_score, kept, i, score)
    for n in range(kept):
        scores[n] = chosen_score[n]
        lengths[n] = _spell(prefixes, beam[chosen[n]], labels[n])
    return kept


@njit(nogil=True, cache=True)
def _make_prefixes(most: int) -> _Prefixes:
    """Return room for so many prefixes; number 0 is the empty one."""
    none = np.full((5, most), NONE, np.int32)
    zero = np.zeros((2, most), np.int32)
    none[1, 0] = 0
    return _Prefixes(none[0], none[1], none[2], none[3], none[4], zero[0], zero[1], np.zeros(most))


@njit(nogil=True, cache=True)
def _make_grown(most: int) -> _Grown:
    numbers = np.empty((3, most), np.int32)
    sums = np.empty((2, most))
    return _Grown(numbers[0], numbers[1], numbers[2], sums[0], sums[1])


@njit(nogil=True, cache=True)
def _grow(
    frame: np.ndarray,
    possible: np.ndarray,
    beam: np.ndarray,
    blank: np.ndarray,
    label: np.ndarray,
    label_next: np.ndarray,
    prefixes: _Prefixes,
    grown: _Grown,
    symbols: np.ndarray,
    ngrams: NgramTables,
    words: WordTables,
    weights: BeamWeights,
    bar: float,
) -> int:
    """Prolong each prefix by each possible label; what is in the beam already gets its share."""
    best_gain = weights.beta + weights.words - weights.alpha * weights.mean
    growing = 0
    for i in range(len(beam)):
        node = beam[i]
        total = log_add(blank[i], label[i])
        for c in possible:
            # The same label again needs a blank between.
            gained = (blank[i] if c == prefixes.last[node] else total) + frame[c]
            if gained == -np.inf:
                continue
            found = prefixes.child[node]
            while found != NONE and prefixes.last[found] != c:
                found = prefixes.sibling[found]
            if found != NONE and prefixes.place[found] != NONE:
                j = prefixes.place[found]
                label_next[j] = log_add(label_next[j], gained)
                continue
            if gained + prefixes.score[node] + best_gain < bar:
                continue
            grown.origin[growing], grown.label[growing] = i, c
            grown.node[growing], grown.sum[growing] = found, gained
            if found != NONE:
                grown.score[growing] = prefixes.score[found]
            else:
                gain = _gain(prefixes, node, c, symbols, ngrams, words, weights)
                grown.score[growing] = prefixes.score[node] + gain
            growing += 1
    return growing


@njit(nogil=True, cache=True)
def _insert(chosen: np.ndarray, scores: np.ndarray, kept: int, number: int, score: float) -> int:
    """Put a number among the best, of equal ones behind those that came before it."""
    if kept == len(chosen):
        if not score > scores[kept - 1]:
            return kept
        kept -= 1
    n = kept
    while n and scores[n - 1] < score:
        chosen[n], scores[n] = chosen[n - 1], scores[n - 1]
        n -= 1
    chosen[n], scores[n] = number, score
    return kept + 1


@njit(nogil=True, cache=True)
def _gain(
    prefixes: _Prefixes,
    node: int,
    label: int,
    symbols: np.ndarray,
    ngrams: NgramTables,
    words: WordTables,
    weights: BeamWeights,
) -> float:
    """Return what language model and word list give a label that comes behind a prefix."""
    gain = weights.beta
    if weights.alpha and symbols[label] != NONE:
        log_probability = ngram_step(ngrams, prefixes.state[node], symbols[label])[0]
        gain += weights.alpha * (log_probability - weights.mean)
    if weights.words:
        word = prefixes.word[node]
        if words.kinds[label] == APART:
            gain += weights.words * _judge(words, word)
        elif word >= 0 and _next_word(words, word, label) == LOST:
            gain -= weights.words
    return gain


@njit(nogil=True, cache=True)
def _end_gain(
    prefixes: _Prefixes,
    node: int,
    symbols: np.ndarray,
    space: int,
    ngrams: NgramTables,
    words: WordTables,
    weights: BeamWeights,
) -> float:
    """Return what language model and word list give a text for ending as it does."""
    gain = 0.0
    if node and weights.alpha and symbols[prefixes.last[node]] != space:
        log_probability = ngram_step(ngrams, prefixes.state[node], space)[0]
        gain += weights.alpha * (log_probability - weights.mean)
    if weights.words:
        gain += weights.words * _judge(words, prefixes.word[node])
    return gain


@njit(nogil=True, cache=True)
def _judge(words: WordTables, word: int) -> int:
    """Return 1 for a word that ends on the list, -1 for one that is only the beginning of one.

    What left the list has paid for it, and what is exempt is not judged.
    """
    if word <= 0:
        return 0
    return 1 if words.ends[word] else -1


@njit(nogil=True, cache=True)
def _next_state(ngrams: NgramTables, symbol: int, state: int) -> int:
    return 0 if symbol == NONE else ngram_step(ngrams, state, symbol)[1]


@njit(nogil=True, cache=True)
def _next_word(words: WordTables, word: int, label: int) -> int:
    kind = words.kinds[label]
    if kind == APART:
        return BEFORE
    if word < 0:
        return word
    if kind == EXEMPTING:
        return EXEMPT
    return find_child(words.symbols, words.first, word, label)


@njit(nogil=True, cache=True)
def _spell(prefixes: _Prefixes, node: int, labels: np.ndarray) -> int:
    """Write the labels of a prefix and return how many they are."""
    length = 0
    above = node
    while above:
        length += 1
        above = prefixes.parent[above]
    for n in range(length - 1, -1, -1):
        labels[n] = prefixes.last[node]
        node = prefixes.parent[node]
    return length
