"""Letters and words set closer together, or wider apart."""

import numpy as np

from ocrlstm.lines.distortions.extent import ink_columns

__all__ = ["respace"]

# Edges of the height that are not asked, where neighbour lines look in.
_EDGE = 0.12
# Fainter than this is paper.
_LEAST_INK = 0.2

_CLOSER, _WIDER = 0.45, 0.3  # logarithms
_LESS, _MORE = 0.01, 0.04  # of the height


def respace(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Multiply all gaps between letters and words by one factor, and add the same to each.

    A gap is a run of columns without ink. None gets narrower than a column, so that no letters run
    together that stood apart, nor do words and letters change their order of distances.
    """
    first, last = ink_columns(pixels)
    height, width = pixels.shape
    factor = np.exp(strength * rng.uniform(-_CLOSER, _WIDER))
    more = height * strength * rng.uniform(-_LESS, _MORE)
    edge = round(_EDGE * height)
    blank = pixels[edge : height - edge].max(axis=0, initial=0.0) < _LEAST_INK
    blank[:first] = blank[last:] = False
    bounds = np.flatnonzero(np.diff(blank, prepend=False, append=False))
    begins, ends = bounds[::2], bounds[1::2]
    if not len(begins):
        return pixels.copy()
    lengths = ends - begins
    # How many columns each becomes; those of a gap share what it gets.
    counts = np.ones(width)
    counts[blank] = np.repeat(np.maximum(lengths * factor + more, 1.0) / lengths, lengths)
    places = np.cumsum(counts)
    chosen = np.searchsorted(places, np.arange(round(places[-1])) + 0.5)
    return np.ascontiguousarray(pixels[:, np.minimum(chosen, width - 1)])
