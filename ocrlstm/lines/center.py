"""Straighten a line along the centre of its ink, and fit the size of its letters.

The centre-line normaliser of OCRopus: the ink is smoothed until words run together, the darkest row
of each column is the centre, and the mean distance of the ink from it tells how large letters are.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np

from ocrlstm.kernels.resample import resample_columns
from ocrlstm.lines.normalizer import LineNormalizer
from ocrlstm.lines.scale import sum_columns
from ocrlstm.lines.smoothing import gaussian_weights, smooth_curve, smooth_rows

__all__ = ["CenterLine", "measure_center", "straighten"]

# The centre is measured on strips of this many columns to the height of the line: what is smoothed
# over a whole height afterwards loses nothing by it.
_STRIPS_PER_HEIGHT = 8

# Of higher lines, neighbouring rows are taken together, down to between 64 and 128.
_MEASURED_ROWS = 64

# Ink fainter than this is grain or the grey rim of a stroke and is not measured.
_LEAST_INK = 0.1

# Half heights are kept between these parts of the image's height: a lone dash is not blown up
# without end, and ink at both edges does not shrink the line to nothing.
_LEAST_RADIUS = 0.1
_LARGEST_RADIUS = 1.0

# No line is wider than this many times its height.
_LARGEST_ASPECT = 2000


@dataclass(frozen=True)
class CenterLine:
    """Where a line runs.

    Attributes
    ----------
    center : ndarray of shape (W,), float64
        The middle of the ink in each column, in rows.
    radius : float
        Rows to keep above and below it.
    """

    center: np.ndarray
    radius: float


def measure_center(image: np.ndarray, normalizer: LineNormalizer) -> CenterLine | None:
    """Find the centre line and the size of a line image.

    With h the height: smoothed = gaussian(image, (h / 2, h * smoothness)); the centre is the row of
    the maximum of each column of smoothed + 0.001 * its mean along the line (which decides where
    there is no ink nearby), itself smoothed by gaussian(h * extra);
    radius = int(1 + range * mean distance of the ink from the centre).

    Parameters
    ----------
    image : ndarray of shape (H, W), float32
        Ink 1.0, paper 0.0.
    normalizer : LineNormalizer

    Returns
    -------
    CenterLine or None
        None where there is no ink to measure.
    """
    rows, columns = image.shape
    strip = max(1, rows // _STRIPS_PER_HEIGHT)
    group = max(1, rows // _MEASURED_ROWS)
    ink = np.maximum(image - np.float32(_LEAST_INK), np.float32(0.0))
    binned = sum_columns(sum_columns(ink.T, group).T, strip).astype(np.float64)
    total = binned.sum()
    if total <= 0:
        return None
    row_middles = _middles(rows, group)
    column_middles = _middles(columns, strip)
    smoothed = _smoothed(binned, rows * normalizer.smoothness / strip)
    center = row_middles[np.argmax(smoothed, axis=0)]
    if normalizer.extra > 0:
        center = smooth_curve(center, rows * normalizer.extra / strip)
    distance = np.abs(row_middles[:, None] - center)
    deviation = float((distance * binned).sum() / total)
    radius: float = int(1 + normalizer.range * deviation)
    radius = min(max(radius, _LEAST_RADIUS * rows), _LARGEST_RADIUS * rows)
    radius = max(radius, columns / (2 * _LARGEST_ASPECT))
    return CenterLine(np.interp(np.arange(columns), column_middles, center), radius)


def straighten(image: np.ndarray, line: CenterLine, height: int) -> np.ndarray:
    """Cut each column about the centre line and scale to the height, in one sampling.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32
    line : CenterLine
    height : int

    Returns
    -------
    ndarray of shape (height, W'), float32
        W' is W * height / (2 * radius), rounded, at least 1.
    """
    columns = image.shape[1]
    y_step = 2 * line.radius / height
    width = max(1, round(columns / y_step))
    x_step = columns / width
    x_start = (np.arange(width) + 0.5) * x_step - 0.5
    center = np.interp(x_start, np.arange(columns), line.center)
    flat = np.zeros(width)
    return resample_columns(
        image,
        x_start,
        flat,
        # Rows center - radius up to, not including, center + radius, as OCRopus cuts them.
        center - line.radius + (0.5 * y_step - 0.5),
        flat + y_step,
        height,
        math.ceil(x_step - 1e-9),
        math.ceil(y_step - 1e-9),
    )


def _smoothed(binned: np.ndarray, sigma: float) -> np.ndarray:
    """Smooth binned ink (rows, strips): by half its height down, by `sigma` strips along."""
    # einsum, not @: so small a product is done before the threads of BLAS have woken.
    smoothed = np.einsum("ij,jk->ik", _vertical_smoothing(len(binned)), binned)
    if sigma > 0:
        smoothed = smooth_rows(smoothed, sigma)
    smoothed += 0.001 * smoothed.mean(axis=1, keepdims=True)
    return smoothed


def _middles(length: int, size: int) -> np.ndarray:
    """Give the middle of each group of `size` pixels of `length`, the last of which may be cut."""
    starts = np.arange(0, length, size)
    return (starts + np.minimum(starts + size, length) - 1) / 2


@functools.lru_cache(maxsize=64)
def _vertical_smoothing(rows: int) -> np.ndarray:
    """Give the matrix (rows, rows) that smooths a column by a Gaussian of half its height.

    Nothing but paper is taken to lie above and below, so rows of weights do not add up to 1.
    """
    weights = gaussian_weights(0.5 * rows)
    offsets = np.arange(rows)[:, None] - np.arange(rows)[None, :]
    matrix: np.ndarray = weights[offsets + len(weights) // 2]
    matrix.flags.writeable = False
    return matrix
