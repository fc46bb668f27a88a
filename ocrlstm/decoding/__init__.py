"""From posteriors to symbols, their confidence and their place in the line."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.greedy import greedy
from ocrlstm.decoding.positions import cut_characters
from ocrlstm.decoding.symbol import Symbol, line_confidence
from ocrlstm.decoding.threshold import threshold

__all__ = ["DECODERS", "Symbol", "cut_characters", "greedy", "line_confidence", "threshold"]

DECODERS: dict[str, Callable[[NDArray[np.floating]], list[Symbol]]] = {
    "greedy": greedy,
    "threshold": threshold,
}
