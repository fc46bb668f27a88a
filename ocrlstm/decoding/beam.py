"""Prefix beam search, with a language model and a word list if there are any."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language import LanguageModel, Weights, fit_language_model, word_tables
from ocrlstm.decoding.path import place_labels
from ocrlstm.decoding.symbol import Symbol
from ocrlstm.kernels.beam_search import BeamLimits, BeamWeights, WordTables, beam_search
from ocrlstm.kernels.ngrams import NgramTables
from ocrlstm.text import Codec, spell_all

__all__ = ["WIDEST_BEAM", "BeamDecoder", "BeamSearch", "Hypothesis"]

#: Memory and time grow with the width, and more than some dozens hardly help.
WIDEST_BEAM = 500

# Measured on several models: what lies further back than the margin never wins, and labels with a
# posterior of less than 1 in 1000 are not missed.
_MARGIN = 10.0
_THRESHOLD = math.log(1e-3)


@dataclass(frozen=True)
class Hypothesis:
    """A text that a line may be.

    Attributes
    ----------
    labels : tuple of int
    score : float
        Logarithm of its probability by the network, plus what language model and word list give.
    """

    labels: tuple[int, ...]
    score: float


@dataclass(frozen=True, eq=False)
class BeamSearch:
    """How to search; `bind` makes the decoder for a line model.

    Attributes
    ----------
    width : int
        Texts that are followed at once, 1 to 500.
    language_model : LanguageModel, optional
    words : sequence of str, optional
        The word list.
    weights : Weights, optional
        By default those of the language model; without one, the defaults with no bonus for
        characters.
    """

    width: int = 16
    language_model: LanguageModel | None = None
    words: Sequence[str] | None = None
    weights: Weights | None = None

    def __post_init__(self) -> None:
        """Check the width."""
        if not 1 <= self.width <= WIDEST_BEAM:
            raise ValueError(f"beam width must be 1 to {WIDEST_BEAM}, not {self.width}")

    def bind(self, codec: Codec) -> BeamDecoder:
        """Make the decoder of a line model.

        Parameters
        ----------
        codec : Codec
            That of the line model.

        Returns
        -------
        BeamDecoder

        Raises
        ------
        LanguageModelError
            If the language model was not made for such texts.
        """
        return BeamDecoder(self, codec)


class BeamDecoder:
    """Finds the best text of a line among those that a beam holds.

    It ranks texts as `ocrlstm.kernels.reference.beam_search` says. Without language model and word
    list that is their CTC probability, summed over all paths.

    Parameters
    ----------
    search : BeamSearch
    codec : Codec, optional
        Of the line model; may be missing if there is neither language model nor word list.

    Attributes
    ----------
    notes : tuple of str
        One line for each thing that does not quite fit the line model.
    """

    def __init__(self, search: BeamSearch, codec: Codec | None = None) -> None:
        model, words = search.language_model, search.words
        if codec is None and (model is not None or words is not None):
            raise ValueError("a language model or word list needs the codec of the line model")
        self.search = search
        # Without a language model nothing makes texts too short.
        default = Weights(beta=0.0) if model is None else model.weights
        self.weights = search.weights or default
        notes: list[str] = []
        self._symbols, self._space, self._ngrams = np.full(1, -1, np.int32), 0, _no_ngrams()
        if codec is not None and model is not None:
            self._symbols, unknown = fit_language_model(model, codec)
            self._space, self._ngrams = model.space, model.tables
            if unknown:
                notes.append(
                    f"the language model does not know {spell_all(unknown, 8)}; "
                    "these are read without it"
                )
        self._words = _no_words()
        if codec is not None and words is not None:
            self._words, kept = word_tables(words, codec)
            if kept < len(words):
                notes.append(
                    f"{len(words) - kept} of {len(words)} words on the list are left out: they "
                    "have characters that the line model lacks"
                )
        self._limits = BeamLimits(search.width, _MARGIN, _THRESHOLD)
        self.notes = tuple(notes)

    def with_weights(self, weights: Weights) -> BeamDecoder:
        """Return the same decoder with other weights."""
        other = copy(self)
        other.weights = weights
        return other

    def __call__(self, log_posteriors: NDArray[np.floating]) -> list[Symbol]:
        """Decode a line.

        Parameters
        ----------
        log_posteriors : ndarray of shape (T, C)
            Logarithms of the posteriors, one row a frame; class 0 is the blank.

        Returns
        -------
        list of Symbol
            Those of the best text; their frames are those of its likeliest path.
        """
        (best,) = self.hypotheses(log_posteriors, 1)
        return place_labels(log_posteriors, best.labels)

    def hypotheses(self, log_posteriors: NDArray[np.floating], count: int) -> list[Hypothesis]:
        """Return the best texts of a line, the best first.

        Parameters
        ----------
        log_posteriors : ndarray of shape (T, C)
        count : int
            At most so many, and no more than the width of the beam.

        Returns
        -------
        list of Hypothesis
            At least one.
        """
        count = min(count, self.search.width)
        # A line of a batch is not contiguous, and would be compiled for by itself.
        posteriors = np.ascontiguousarray(log_posteriors)
        labels = np.empty((count, len(posteriors)), np.int32)
        lengths, scores = np.empty(count, np.int32), np.empty(count)
        model, words = self.search.language_model, self.search.words
        weights = BeamWeights(
            0.0 if model is None else float(self.weights.alpha),
            float(self.weights.beta),
            0.0 if model is None else model.mean,
            0.0 if words is None else float(self.weights.words),
        )
        found = beam_search(
            posteriors, self._symbols, self._space, self._ngrams, self._words, weights,
            self._limits, labels, lengths, scores,
        )  # fmt: skip
        return [
            Hypothesis(tuple(labels[n, : lengths[n]].tolist()), float(scores[n]))
            for n in range(found)
        ]


def _no_ngrams() -> NgramTables:
    """Return tables of a model that is never asked."""
    number, probability = np.zeros(1, np.int32), np.zeros(1, np.float32)
    return NgramTables(np.zeros(1, np.uint16), number, probability, probability, number, number)


def _no_words() -> WordTables:
    """Return the tables of a word list that is never asked."""
    first, ends = np.ones(2, np.int32), np.zeros(1, bool)
    return WordTables(np.zeros(1, np.uint16), first, ends, np.zeros(1, np.int8))
