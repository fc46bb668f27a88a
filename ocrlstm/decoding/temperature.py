"""Confidences that mean what they say: posteriors tempered by one number.

A network that is trained to the end is surer than it should be. Dividing its log posteriors by a
temperature above 1 and normalising them again takes that back without changing which class is the
likeliest of a frame (Guo, Pleiss, Sun and Weinberger, On Calibration of Modern Neural Networks,
ICML 2017, section 4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.greedy import greedy
from ocrlstm.decoding.symbol import Symbol
from ocrlstm.decoding.threshold import threshold

__all__ = ["decode_tempered", "symbol_confidences", "temper"]

Decoder = Callable[[NDArray[np.floating]], list[Symbol]]

# Their text is that of the network whatever the temperature, and few frames give a confidence, so
# only those are tempered: this costs next to nothing.
_TEMPERED_AFTERWARDS: tuple[Decoder, ...] = (greedy, threshold)


def temper(log_posteriors: NDArray[np.floating], temperature: float) -> NDArray[np.floating]:
    """Divide log posteriors by a temperature and normalise them again.

    Parameters
    ----------
    log_posteriors : ndarray of shape (..., C)
        Logarithms of the posteriors of C classes.
    temperature : float
        Positive; above 1 flattens, below 1 sharpens, 1 changes nothing.

    Returns
    -------
    ndarray of shape (..., C)
        Of the same type.

    Raises
    ------
    ValueError
        If the temperature is not positive.

    Examples
    --------
    >>> np.exp(temper(np.log([0.9, 0.1]), 2.0))
    array([0.75, 0.25])
    """
    if not temperature > 0:
        raise ValueError(f"temperature is {temperature}, expected a positive number")
    if temperature == 1.0:
        return log_posteriors
    scaled = log_posteriors - log_posteriors.max(axis=-1, keepdims=True)
    scaled /= temperature
    scaled -= np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return scaled


def decode_tempered(
    decoder: Decoder, log_posteriors: NDArray[np.floating], temperature: float
) -> list[Symbol]:
    """Decode a line with calibrated confidences.

    Parameters
    ----------
    decoder : callable
        Log posteriors of shape (T, C) -> list of Symbol. "greedy" and "threshold" find the same
        symbols as without a temperature; any other decoder is given tempered posteriors.
    log_posteriors : ndarray of shape (T, C)
    temperature : float
        That of the model.

    Returns
    -------
    list of Symbol
    """
    if temperature == 1.0:
        return decoder(log_posteriors)
    if decoder not in _TEMPERED_AFTERWARDS:
        return decoder(temper(log_posteriors, temperature))
    symbols = decoder(log_posteriors)
    (confidences,) = symbol_confidences(symbols, log_posteriors, [temperature])
    return [
        Symbol(symbol.label, symbol.start, symbol.end, confidence)
        for symbol, confidence in zip(symbols, confidences.tolist(), strict=True)
    ]


def symbol_confidences(
    symbols: Sequence[Symbol], log_posteriors: NDArray[np.floating], temperatures: Sequence[float]
) -> NDArray[np.float64]:
    """Return how sure each symbol would be at several temperatures.

    Parameters
    ----------
    symbols : sequence of Symbol, length L
        Decoded from `log_posteriors`.
    log_posteriors : ndarray of shape (T, C)
    temperatures : sequence of float, length K

    Returns
    -------
    ndarray of shape (K, L)
        Greatest tempered posterior of the symbol's label in its frames.
    """
    if not symbols:
        return np.zeros((len(temperatures), 0))
    runs = np.array([(symbol.label, symbol.start, symbol.end) for symbol in symbols])
    counts = runs[:, 2] - runs[:, 1]
    firsts = np.cumsum(counts) - counts
    places = np.arange(counts.sum())
    rows = log_posteriors[np.repeat(runs[:, 1] - firsts, counts) + places]
    rows -= rows.max(axis=1, keepdims=True)
    of_labels = rows[places, np.repeat(runs[:, 0], counts)]
    confidences = np.empty((len(temperatures), len(symbols)))
    for number, temperature in enumerate(temperatures):
        totals = np.log(np.exp(rows / temperature).sum(axis=1))
        of_frames = of_labels / temperature - totals
        confidences[number] = np.exp(np.maximum.reduceat(of_frames, firsts))
    return np.minimum(confidences, 1.0)
