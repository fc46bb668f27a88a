"""From texts to a language model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language.alphabet import Alphabet
from ocrlstm.decoding.language.counts import bits_of, count_ngrams, leave_out, pack_ngrams
from ocrlstm.decoding.language.kneser_ney import estimate
from ocrlstm.decoding.language.model import LanguageModel, make_tables
from ocrlstm.decoding.language.stream import SymbolStream
from ocrlstm.errors import LanguageModelError
from ocrlstm.kernels.ngrams import NgramTables, score_symbols
from ocrlstm.text import Codec, TextRules

__all__ = ["ORDERS", "build_language_model"]

#: Lengths of n-grams that can be asked for.
ORDERS = range(1, 11)

_WORD = 64
_MOST_SYMBOLS = 1 << 16
# A twentieth of the text, in pieces spread all over it, measures a model made of the rest.
_SHARE, _PART = 20, 20_000
_FEWEST_TESTED = 50
_STEPS = 4

Progress = Callable[[int, int], None]


def build_language_model(
    lines: Iterable[str],
    *,
    order: int = 6,
    prune: int = 0,
    unit: str = "grapheme",
    normal_form: str = "NFC",
    direction: str = "ltr",
    rules: TextRules | None = None,
    metadata: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> LanguageModel:
    """Make a character n-gram model with modified Kneser-Ney smoothing.

    Memory does not depend on the length of the text but on the number of its different n-grams.

    Parameters
    ----------
    lines : iterable of str
        Lines in logical order. They count as one running text with a space between two lines, so
        it does not matter where they were broken.
    order : int
        Length of the longest n-grams, 1 to 10.
    prune : int
        N-grams of three characters and more that occur so often or less are left out.
    unit, normal_form, direction : str
        As in the codec of the line model that is to read with it; see `ocrlstm.text.Codec`.
    rules : TextRules, optional
        Applied to the lines first; those of the line model.
    metadata : dict, optional
        Kept in the model.
    progress : callable, optional
        Called with the numbers of steps done and of all, once the lines are read.

    Returns
    -------
    LanguageModel
        Its metadata tell also "text_length" in characters, "dropped" ones (those too rare for the
        alphabet), and what `mean` was measured on.

    Raises
    ------
    LanguageModelError
        If the text has fewer characters than an n-gram.
    """
    if order not in ORDERS:
        raise ValueError(f"order must be {ORDERS[0]} to {ORDERS[-1]}, not {order}")
    if prune < 0:
        raise ValueError(f"prune must be at least 0, not {prune}")
    settings = Alphabet(Codec(("",), unit, normal_form, direction), rules or TextRules())
    tell = progress or (lambda done, steps: None)
    with SymbolStream(settings) as stream:
        for line in lines:
            stream.add(line)
        # So many symbols can be told apart if an n-gram is to fit into a word.
        alphabet, dropped = stream.close_alphabet(min(1 << _WORD // order, _MOST_SYMBOLS) - 1)
        if stream.length <= order:
            raise LanguageModelError(
                f"the texts hold {max(0, stream.length - 1)} characters, too few for n-grams of "
                f"{order}; give more text or a lower order"
            )
        tell(0, _STEPS)
        counts = count_ngrams(stream.blocks(order - 1), order, bits_of(len(alphabet)))
        tell(1, _STEPS)
        pieces = [piece for block in stream.blocks(order - 1) for piece in _cut(block, order)]
        tested = sum(len(piece) - order + 1 for piece in pieces)
    if tested < _FEWEST_TESTED:
        mean = math.log(1 / len(alphabet))
    else:
        keys = np.concatenate([pack_ngrams(piece, order, counts.bits) for piece in pieces])
        rest = estimate(leave_out(counts, keys), len(alphabet), prune)
        tell(2, _STEPS)
        mean = _measure(make_tables(rest, counts.bits), pieces, order)
    tell(3, _STEPS)
    tables = make_tables(estimate(counts, len(alphabet), prune), counts.bits)
    tell(4, _STEPS)
    facts = {"text_length": stream.length, "tested": tested, "dropped": dropped}
    return LanguageModel(
        alphabet, order, tables, mean, metadata={**facts, "prune": prune, **(metadata or {})}
    )


def _cut(block: NDArray[np.uint16], order: int) -> Iterator[NDArray[np.uint16]]:
    """Yield a twentieth of a text in pieces, each with the ``order - 1`` symbols before it."""
    for start in range(0, len(block), _PART):
        end = min(start + _PART, len(block))
        length = (end - start) // _SHARE
        if length and end - length >= order - 1:
            yield block[end - length - order + 1 : end]


def _measure(tables: NgramTables, pieces: Sequence[NDArray[np.uint16]], order: int) -> float:
    """Return the mean log probability of pieces of text, each but its first symbols."""
    total, count = 0.0, 0
    for piece in pieces:
        log_probabilities = np.empty(len(piece))
        score_symbols(tables, 0, piece, log_probabilities)
        total += log_probabilities[order - 1 :].sum()
        count += len(piece) - order + 1
    return total / count
