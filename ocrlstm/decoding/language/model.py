"""A character n-gram model: what the probability of a character is after those before it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language.alphabet import Alphabet
from ocrlstm.decoding.language.kneser_ney import Level
from ocrlstm.kernels.ngrams import NgramTables, link_ngrams, score_symbols

__all__ = ["STEPS", "LanguageModel", "Weights", "link", "make_tables"]

# Logarithms are kept in steps of 1/2048 nat, which 16 bits hold down to -32: close enough that the
# probabilities of all symbols sum to one within 0.03 %.
STEPS = 2048


@dataclass(frozen=True)
class Weights:
    """What counts how much beside the network; `ocrlstm lm tune` finds them for a line model.

    The defaults are on the cautious side of what tuning found for several models and languages.

    Attributes
    ----------
    alpha : float
        Of the language model's log probabilities, in [0, 10].
    beta : float
        Nats added for each character, in [-20, 20]; above 0 it favours long texts.
    words : float
        Nats added for each word on the word list and subtracted for each other, in [0, 20].
    """

    alpha: float = 0.3
    beta: float = 0.5
    words: float = 0.25

    def __post_init__(self) -> None:
        """Check the values, since they may come from a stranger's file.

        Raises
        ------
        ValueError
            If one is no number or out of range.
        """
        for name, low, high in (("alpha", 0, 10), ("beta", -20, 20), ("words", 0, 20)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise ValueError(f"weight {name} is {value!r}, not a number")
            if not low <= value <= high:
                raise ValueError(f"weight {name} is {value}, not within {low} and {high}")

    def to_dict(self) -> dict[str, float]:
        """Return the weights by their names."""
        return {name: float(value) for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: Any) -> Weights:
        """Make weights from what `to_dict` gave; ValueError for anything else."""
        if not isinstance(values, Mapping) or set(values) != {"alpha", "beta", "words"}:
            raise ValueError(f"weights are {values!r}, not alpha, beta and words")
        return cls(**values)


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """An n-gram model of characters.

    Attributes
    ----------
    alphabet : Alphabet
        Its characters, and how texts are brought to them.
    order : int
        Length of the longest n-grams.
    tables : NgramTables
    mean : float
        Log probability in nats that it gives a character on average, of text that it was not made
        of.
    weights : Weights
        Those that decoding takes unless told otherwise.
    metadata : dict
        From what it was made, and how it was tuned; only what JSON can hold.

    Examples
    --------
    >>> from ocrlstm.decoding.language import build_language_model
    >>> model = build_language_model(["so it is", "it is so", "is it so"] * 9, order=3)
    >>> model.probability("i", "t") > model.probability("i", "o")
    True
    """

    alphabet: Alphabet
    order: int
    tables: NgramTables
    mean: float
    weights: Weights = Weights()
    metadata: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Tell order and size."""
        return (
            f"LanguageModel(order={self.order}, {len(self.alphabet) - 1} characters, "
            f"{len(self.tables.symbols) - 1} n-grams)"
        )

    @property
    def level_sizes(self) -> list[int]:
        """Numbers of n-grams of the lengths 1, 2, ..."""
        # The n-grams that prolong those of a level are the next level.
        bounds = [0, 1]
        while bounds[-1] < len(self.tables.first) - 1:
            bounds.append(int(self.tables.first[bounds[-1]]))
        return np.diff([*bounds[1:], len(self.tables.symbols)]).tolist()

    @property
    def space(self) -> int:
        """Symbol of the space, which stands before and behind every line."""
        return self.alphabet.symbol(" ")

    def score(self, text: str) -> NDArray[np.float64]:
        """Return the log probabilities of the characters of a line and of the space behind it.

        Parameters
        ----------
        text : str
            In logical order; it is brought to the alphabet's spelling.

        Returns
        -------
        ndarray of shape (L + 1,)
            In nats, in the order of the image; each after the characters before it, the first
            after a space. A character that the alphabet lacks has a probability too.
        """
        symbols = np.append(self.alphabet.encode(text), self.space)
        return self._score(self._state([self.space]), symbols)

    def probability(self, context: str, character: str) -> float:
        """Return the probability of one character after a context, both in the image's order."""
        symbols = [self.alphabet.symbol(c) for c in context]
        state = self._state(symbols)
        return math.exp(self._score(state, np.array([self.alphabet.symbol(character)]))[0])

    def _state(self, symbols: Sequence[int]) -> int:
        array = np.array(symbols, np.int64)
        return int(score_symbols(self.tables, 0, array, np.empty(len(array))))

    def _score(self, state: int, symbols: NDArray[np.int64]) -> NDArray[np.float64]:
        log_probabilities = np.empty(len(symbols))
        score_symbols(self.tables, state, symbols, log_probabilities)
        return log_probabilities


def _quantize(probabilities: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return logarithms of probabilities, in the steps in which they are kept."""
    with np.errstate(divide="ignore"):
        steps = np.minimum(np.rint(-STEPS * np.log(probabilities)), np.iinfo(np.uint16).max)
    return np.asarray(-steps / STEPS, np.float32)


def make_tables(levels: Sequence[Level], bits: int) -> NgramTables:
    """Give the n-grams of all levels their numbers and links.

    Parameters
    ----------
    levels : sequence of Level
        From `estimate`.
    bits : int
        Bits of a symbol in their keys.
    """
    mask = np.uint64((1 << bits) - 1)
    symbols = [np.zeros(1, np.uint64), *(level.keys & mask for level in levels)]
    probabilities = np.concatenate([[1.0], *(level.probabilities for level in levels)])
    backoffs = np.concatenate([level.left for level in levels])
    first, above, done = [], np.zeros(1, np.uint64), 1
    for level in levels:
        first.append(done + np.searchsorted(level.keys >> np.uint64(bits), above))
        above = level.keys
        done += len(above)
    return link(
        np.concatenate(symbols).astype(np.uint16),
        np.concatenate([*first, [done]]).astype(np.int32),
        _quantize(probabilities),
        _quantize(backoffs),
    )


def link(
    symbols: NDArray[np.uint16],
    first: NDArray[np.int32],
    log_probabilities: NDArray[np.float32],
    backoffs: NDArray[np.float32],
) -> NgramTables:
    """Make the tables complete with suffixes and states."""
    suffixes, states = np.empty(len(first) - 1, np.int32), np.empty(len(symbols), np.int32)
    link_ngrams(symbols, first, suffixes, states)
    return NgramTables(symbols, first, log_probabilities, backoffs, suffixes, states)
