"""A character as the decoder found it, before it is put into the image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Symbol", "line_confidence", "mean_confidence"]


@dataclass(frozen=True)
class Symbol:
    """One decoded label.

    Attributes
    ----------
    label : int
        Label of the codec, never 0.
    start, end : int
        Frames that gave it, `end` exclusive.
    confidence : float
        Greatest posterior of the label in these frames, in [0, 1].
    """

    label: int
    start: int
    end: int
    confidence: float


def line_confidence(symbols: Sequence[Symbol]) -> float:
    """Return the geometric mean of the symbols' confidences.

    Parameters
    ----------
    symbols : sequence of Symbol
        The symbols of a line.

    Returns
    -------
    float
        In [0, 1]; 1.0 for a line without symbols.

    Examples
    --------
    >>> round(line_confidence([Symbol(1, 0, 1, 0.9), Symbol(2, 3, 4, 0.4)]), 6)
    0.6
    """
    return mean_confidence([symbol.confidence for symbol in symbols])


def mean_confidence(confidences: Sequence[float]) -> float:
    """Return the geometric mean of confidences in [0, 1]; 1.0 for none."""
    if not confidences:
        return 1.0
    # The smallest float keeps the logarithm finite where a confidence is 0.
    values = np.maximum(confidences, np.finfo(np.float64).tiny)
    return float(np.exp(np.log(values).mean()))
