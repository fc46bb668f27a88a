"""Which of the two is the ink, and how dark it is: paper becomes 0, ink about 1."""

from dataclasses import dataclass

import numpy as np

__all__ = ["InkLevels", "measure_levels", "spread_contrast"]

# White on black if twice the dark share of the image plus the dark share of its rim is above. Dark
# print on a tight cut has at most about 1.4 (heavy Fraktur), a line between black scanner edges up
# to 1.6; light print on dark has 2.3 or more, the boldest on the tightest cut 1.8.
_INVERTED_ABOVE = 1.7

# Paper and ink nearer than this (10 of 255 levels) are one: the image is blank.
_BLANK_BELOW = 0.04

# Contrast is stretched as if paper and ink lay at least this far apart: at most fourfold, so that
# the grain of blank paper does not become print.
_LEAST_CONTRAST = 0.25

# Of larger images every n-th pixel tells enough.
_MEASURED_PIXELS = 400_000

_LEVELS = 256


@dataclass(frozen=True)
class InkLevels:
    """What was measured of a line image, in its own brightness (0 white, 1 black).

    Attributes
    ----------
    paper, ink : float
        Typical levels of both. Paper is above ink when the line is white on black.
    inverted : bool
        White on black.
    blank : bool
        There is nothing but paper.
    """

    paper: float
    ink: float
    inverted: bool
    blank: bool


def measure_levels(image: np.ndarray) -> InkLevels:
    """Find paper and ink of a line image.

    Otsu's threshold [1]_ splits the levels in two. The class that fills more of the image and its
    rim is the paper. Its level is its median, moved towards the ink by the spread on its far side,
    which ink cannot have touched: with grainy paper most of the grain is then below it. The level
    of the ink is that of its darker part, for the rims of strokes are grey.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32 in [0, 1]

    Returns
    -------
    InkLevels

    References
    ----------
    .. [1] N. Otsu, "A threshold selection method from gray-level histograms", IEEE Transactions on
       Systems, Man, and Cybernetics 9 (1979), 62-66.
    """
    step = max(1, round((image.size / _MEASURED_PIXELS) ** 0.5))
    levels = _quantised(image[::step, ::step])
    counts = np.bincount(levels.ravel(), minlength=_LEVELS)
    used = np.flatnonzero(counts)
    lightest, darkest = used[0] / (_LEVELS - 1), used[-1] / (_LEVELS - 1)
    if darkest - lightest < _BLANK_BELOW:
        return InkLevels(lightest, darkest, lightest > 0.5, True)
    threshold = otsu_threshold(counts)
    inverted = _is_inverted(image, counts, threshold)
    if inverted:
        paper, ink = _class_levels(counts[::-1], _LEVELS - 1 - threshold)
        paper, ink = 1.0 - paper, 1.0 - ink
    else:
        paper, ink = _class_levels(counts, threshold)
    return InkLevels(paper, ink, inverted, abs(ink - paper) < _BLANK_BELOW)


def spread_contrast(image: np.ndarray, levels: InkLevels) -> np.ndarray:
    """Bring paper to 0 and ink to about 1, black on white.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32 in [0, 1]
    levels : InkLevels

    Returns
    -------
    ndarray of shape (H, W), float32 in [0, 1]
        All 0 for a blank image.
    """
    if levels.blank:
        return np.zeros(image.shape, np.float32)
    contrast = max(abs(levels.ink - levels.paper), _LEAST_CONTRAST)
    if levels.inverted:
        contrast = -contrast
    spread = np.subtract(image, np.float32(levels.paper), dtype=np.float32)
    spread *= np.float32(1.0 / contrast)
    return np.clip(spread, 0.0, 1.0, out=spread)


def otsu_threshold(counts: np.ndarray) -> int:
    """Find the first level of the darker class.

    Parameters
    ----------
    counts : ndarray of shape (L,), int
        Pixels a level; at least two levels have some.

    Returns
    -------
    int
        The k for which levels below k and levels from k on differ most: w0 * w1 * (m0 - m1)^2, in
        the middle of the range where that is greatest.
    """
    weights = counts.astype(np.float64)
    below = np.cumsum(weights)[:-1]
    moment = np.cumsum(weights * np.arange(len(weights)))
    above = below[-1] + weights[-1] - below
    split = np.minimum(below, above) > 0
    between = np.zeros(len(below))
    total = below[split] + above[split]
    deviation = moment[-1] * below[split] - moment[:-1][split] * total
    between[split] = deviation**2 / (below[split] * above[split])
    best = np.flatnonzero(between >= between.max() * (1 - 1e-12))
    return int(best[0] + best[-1]) // 2 + 1


def _quantised(image: np.ndarray) -> np.ndarray:
    """Round to whole levels 0..255."""
    return (image * np.float32(_LEVELS - 1) + np.float32(0.5)).astype(np.uint8)


def _is_inverted(image: np.ndarray, counts: np.ndarray, threshold: int) -> bool:
    """Weigh the dark share of the image and of its rim."""
    dark = counts[threshold:].sum() / counts.sum()
    rim = np.concatenate((image[0], image[-1], image[:, 0], image[:, -1]))
    dark_rim = np.count_nonzero(_quantised(rim) >= threshold) / rim.size
    return bool(2 * dark + dark_rim > _INVERTED_ABOVE)


def _class_levels(counts: np.ndarray, threshold: int) -> tuple[float, float]:
    """Give the levels of paper (below the threshold) and ink."""
    middle, far = _percentile(counts[:threshold], 0.5), _percentile(counts[:threshold], 0.1)
    ink = threshold + _percentile(counts[threshold:], 0.75)
    grain = min(middle - far, 0.25 * (ink - middle))
    return (middle + grain) / (_LEVELS - 1), ink / (_LEVELS - 1)


def _percentile(counts: np.ndarray, share: float) -> int:
    """Give the level below or at which `share` of the pixels lie."""
    total = np.cumsum(counts)
    return int(np.searchsorted(total, share * total[-1]))
