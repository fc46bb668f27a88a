"""Polygons in pixels: is there an area in them, and what of it lies on the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ocrlstm.errors import ImageError

__all__ = ["Points", "check_polygon", "clip_polygon", "has_no_area", "main_angle", "rotate"]

Points = NDArray[np.floating]

# A polygon that is nowhere wider than this holds no print.
_LEAST_WIDTH = 0.5

_MOST_POINTS = 100_000


def check_polygon(points: Points) -> None:
    """Refuse what encloses nothing.

    Parameters
    ----------
    points : float array of shape (N, 2)
        Corners x, y in pixels.

    Raises
    ------
    ImageError
        Without a name before it: fewer than three points, coordinates that are no numbers or of no
        sensible size, or all points on one line.
    """
    if len(points) < 3:
        raise ImageError(f"the polygon has {len(points)} points, expected 3 or more")
    if len(points) > _MOST_POINTS:
        raise ImageError(f"the polygon has {len(points)} points, expected {_MOST_POINTS} at most")
    if not np.isfinite(points).all() or np.abs(points).max() > 1e9:
        raise ImageError("the polygon has coordinates that are not finite or beyond 1e9")
    if has_no_area(points):
        raise ImageError("the polygon has no area: its points lie on one line")


def has_no_area(points: Points) -> bool:
    """Tell whether all points of a polygon lie on one line."""
    centred = points - points.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    return bool(np.ptp(centred @ axes[:, 0]) < _LEAST_WIDTH)


def clip_polygon(points: Points, width: int, height: int) -> Points:
    """Cut off what lies beyond the page.

    Parameters
    ----------
    points : float array of shape (N, 2)
        Of a polygon that `check_polygon` passed; it may cross itself.
    width, height : int
        Pixels of the page; x from 0 to width - 1 are on it.

    Returns
    -------
    float64 array of shape (M, 2)
        M is 0 where nothing is left.

    Notes
    -----
    After I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", Communications of the
    ACM 17 (1974), 32-42: half-plane after half-plane. Where the polygon falls apart, its pieces
    stay joined by lines along the rim of the page.
    """
    clipped = np.asarray(points, np.float64)
    for axis, sign, bound in ((0, 1, 0), (1, 1, 0), (0, -1, width - 1), (1, -1, height - 1)):
        inside = sign * (clipped[:, axis] - bound)  # negative beyond the page
        if len(clipped) == 0 or inside.min() >= 0:
            continue
        following, inside_following = np.roll(clipped, -1, axis=0), np.roll(inside, -1)
        crosses = (inside < 0) != (inside_following < 0)
        share = np.divide(
            inside, inside - inside_following, out=np.zeros_like(inside), where=crosses
        )
        cut = clipped + share[:, None] * (following - clipped)
        cut[:, axis] = bound
        # Each corner on the page is kept, each edge over the rim adds the point where it meets it.
        both = np.stack([clipped, cut], axis=1).reshape(-1, 2)
        clipped = both[np.stack([inside >= 0, crosses], axis=1).ravel()]
    return clipped


def main_angle(points: Points) -> float:
    """Give the direction of a baseline, in radians; y grows downwards, so it falls if positive.

    Parameters
    ----------
    points : float array of shape (M, 2)
        At least two different points, in reading order.

    Returns
    -------
    float
        In [-3/4 pi, 3/4 pi]: a baseline that runs from right to left is turned about, as no line
        is upside down, but a vertical one keeps its direction.

    Notes
    -----
    The axis of least squared distances from points set evenly along the baseline, so that corners
    that lie close together weigh no more than others.
    """
    steps = np.hypot(*np.diff(points, axis=0).T)
    place = np.concatenate([[0.0], np.cumsum(steps)])
    even = np.linspace(0.0, place[-1], 64)
    line = np.stack([np.interp(even, place, points[:, axis]) for axis in (0, 1)], axis=1)
    centred = line - line.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    direction = axes[:, 1]
    if direction @ (points[-1] - points[0]) < 0:
        direction = -direction
    angle = float(np.arctan2(direction[1], direction[0]))
    if abs(angle) > 0.75 * np.pi:
        angle -= np.copysign(np.pi, angle)
    return angle


def rotate(points: Points, angle: float) -> Points:
    """Turn points about (0, 0) so that a line of this angle comes to lie level."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return points @ np.array([[cosine, -sine], [sine, cosine]])
