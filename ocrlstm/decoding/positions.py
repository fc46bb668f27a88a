"""Where in the line each decoded symbol stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.symbol import Symbol

__all__ = ["cut_characters"]

# A column counts as ink from this share of the darkest column on; less is paper texture.
_INK_SHARE = 0.05


def cut_characters(
    symbols: Sequence[Symbol], ink: NDArray[np.floating], frames: int
) -> list[tuple[float, float]]:
    """Return the range of columns of every symbol.

    CTC fires in a few frames somewhere inside a character, so a run of frames tells which character
    it is but not how wide. Two neighbours are parted at the column with least ink between their
    runs (ties: the one nearest to the middle); runs that touch are parted where they touch. The
    outermost edges are those of the ink, but no further from the run than a typical character
    width, the median distance of neighbouring runs. A single symbol takes all the ink.

    Parameters
    ----------
    symbols : sequence of Symbol, length L
        Symbols of a line, in order, with disjoint runs of frames.
    ink : ndarray of shape (W,)
        Ink of each column of the normalised line, its padding included.
    frames : int
        Frames that the network gave for the line; they cover the W columns evenly.

    Returns
    -------
    list of (float, float)
        Left and right edge of each symbol in columns, ``0 <= x0 < x1 <= W``. Each range contains
        the columns of the symbol's run; none overlaps the next.

    Raises
    ------
    ValueError
        If the runs are empty, out of order, or exceed `frames`.
    """
    if not symbols:
        return []
    _check_runs(symbols, frames)
    step = len(ink) / frames
    starts = [symbol.start * step for symbol in symbols]
    # Rounding must not carry the end of the last frame past the line.
    ends = [min(symbol.end * step, float(len(ink))) for symbol in symbols]
    # Light smoothing, or a single light pixel column inside a letter wins over the gap beside it.
    around = np.pad(np.asarray(ink, dtype=np.float64), 1, mode="edge")
    smooth = (0.25 * (around[:-2] + around[2:]) + 0.5 * around[1:-1]).tolist()
    cuts = [_cut(smooth, left, right) for left, right in zip(ends[:-1], starts[1:], strict=True)]
    first, last = _outer_edges(ink, starts, ends)
    return list(zip([first, *cuts], [*cuts, last], strict=True))


def _cut(ink: list[float], left: float, right: float) -> float:
    """Return the middle of the lightest whole column between two runs."""
    middle = (left + right) / 2
    columns = range(int(np.ceil(left)), int(right))
    if not columns:
        return middle
    return min(columns, key=lambda column: (ink[column], abs(column + 0.5 - middle))) + 0.5


def _outer_edges(
    ink: NDArray[np.floating], starts: list[float], ends: list[float]
) -> tuple[float, float]:
    """Return the left edge of the first symbol and the right edge of the last."""
    inked = np.flatnonzero(ink > _INK_SHARE * ink.max())
    if not inked.size:
        return starts[0], ends[-1]
    first, last = float(inked[0]), float(inked[-1] + 1)
    if len(starts) > 1:
        width = float(np.median(np.diff(np.add(starts, ends) / 2)))
        first, last = max(first, starts[0] - width), min(last, ends[-1] + width)
    return min(first, starts[0]), max(last, ends[-1])


def _check_runs(symbols: Sequence[Symbol], frames: int) -> None:
    """Raise ValueError unless the runs are in order and within the frames."""
    done = 0
    for symbol in symbols:
        if not done <= symbol.start < symbol.end <= frames:
            raise ValueError(
                f"symbol in frames {symbol.start} to {symbol.end} does not follow frame {done} "
                f"within {frames} frames"
            )
        done = symbol.end
