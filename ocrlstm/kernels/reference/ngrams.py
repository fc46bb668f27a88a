"""Looking n-grams up, by the texts of the n-grams instead of a walk over arrays: the oracle."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.ngrams import NgramTables

__all__ = ["link_ngrams", "score_symbols"]

Ngram = tuple[int, ...]


def spell_ngrams(symbols: np.ndarray, first: np.ndarray) -> list[Ngram]:
    """Return the symbols of every n-gram, in the order of their numbers."""
    spelt: list[Ngram] = [()]
    for node in range(len(first) - 1):
        for child in range(first[node], first[node + 1]):
            spelt.append((*spelt[node], int(symbols[child])))
    return spelt


def link_ngrams(
    symbols: np.ndarray, first: np.ndarray, suffixes: np.ndarray, states: np.ndarray
) -> None:
    """Find suffix and state of every n-gram; see `ocrlstm.kernels.ngrams`."""
    spelt = spell_ngrams(symbols, first)
    numbers = {ngram: number for number, ngram in enumerate(spelt)}
    prolonged = {ngram[:-1] for ngram in spelt if ngram}
    for number, ngram in enumerate(spelt):
        shorter = [ngram[start:] for start in range(len(ngram) + 1)]
        states[number] = next(numbers[s] for s in shorter if s in prolonged)
        if number < len(suffixes):
            suffixes[number] = next((numbers[s] for s in shorter[1:] if s in numbers), 0)


def score_symbols(
    tables: NgramTables, state: int, sequence: np.ndarray, log_probabilities: np.ndarray
) -> int:
    """Give each symbol of a text its log probability; see `ocrlstm.kernels.ngrams`."""
    spelt = spell_ngrams(tables.symbols, tables.first)
    numbers = {ngram: number for number, ngram in enumerate(spelt)}
    longest = len(spelt[-1])
    text = spelt[state]
    for i, symbol in enumerate(sequence.tolist()):
        context = text[max(0, len(text) - longest + 1) :]
        log_probability = 0.0
        while (*context, symbol) not in numbers:
            if context in numbers:
                log_probability += float(tables.backoffs[numbers[context]])
            context = context[1:]
        ngram = (*context, symbol)
        log_probability += float(tables.log_probabilities[numbers[ngram]])
        log_probabilities[i] = log_probability
        text = (*text, symbol)
    return next(
        int(tables.states[numbers[text[start:]]])
        for start in range(len(text) + 1)
        if text[start:] in numbers
    )
