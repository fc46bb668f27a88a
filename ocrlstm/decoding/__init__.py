"""From posteriors to symbols, their confidence and their place in the line."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.alternatives import find_alternatives
from ocrlstm.decoding.beam import WIDEST_BEAM, BeamDecoder, BeamSearch, Hypothesis
from ocrlstm.decoding.calibration import TEMPERATURE_GRID, fit_temperature
from ocrlstm.decoding.greedy import greedy
from ocrlstm.decoding.path import place_labels
from ocrlstm.decoding.positions import cut_characters
from ocrlstm.decoding.restriction import allowed_labels, lacking_characters, restrict
from ocrlstm.decoding.symbol import Symbol, line_confidence, mean_confidence
from ocrlstm.decoding.temperature import decode_tempered, symbol_confidences, temper
from ocrlstm.decoding.threshold import threshold

__all__ = [
    "DECODERS",
    "TEMPERATURE_GRID",
    "WIDEST_BEAM",
    "BeamDecoder",
    "BeamSearch",
    "Hypothesis",
    "Symbol",
    "allowed_labels",
    "cut_characters",
    "decode_tempered",
    "find_alternatives",
    "fit_temperature",
    "greedy",
    "lacking_characters",
    "line_confidence",
    "mean_confidence",
    "place_labels",
    "restrict",
    "symbol_confidences",
    "temper",
    "threshold",
]

DECODERS: dict[str, Callable[[NDArray[np.floating]], list[Symbol]]] = {
    "greedy": greedy,
    "threshold": threshold,
    "beam": BeamDecoder(BeamSearch()),
}
