"""From posteriors to symbols, their confidence and their place in the line."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.calibration import TEMPERATURE_GRID, fit_temperature
from ocrlstm.decoding.greedy import greedy
from ocrlstm.decoding.positions import cut_characters
from ocrlstm.decoding.symbol import Symbol, line_confidence, mean_confidence
from ocrlstm.decoding.temperature import decode_tempered, symbol_confidences, temper
from ocrlstm.decoding.threshold import threshold

__all__ = [
    "DECODERS",
    "TEMPERATURE_GRID",
    "Symbol",
    "cut_characters",
    "decode_tempered",
    "fit_temperature",
    "greedy",
    "line_confidence",
    "mean_confidence",
    "symbol_confidences",
    "temper",
    "threshold",
]

DECODERS: dict[str, Callable[[NDArray[np.floating]], list[Symbol]]] = {
    "greedy": greedy,
    "threshold": threshold,
}
