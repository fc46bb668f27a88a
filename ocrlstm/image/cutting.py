"""A line cut from the image of its page, straightened, with paper around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ocrlstm.errors import ImageError
from ocrlstm.image.polygons import (
    Points,
    check_polygon,
    clip_polygon,
    has_no_area,
    main_angle,
    rotate,
)

__all__ = ["cut_line"]

Grey = NDArray[np.uint8]

# White print on black has a larger share of dark pixels in the box of its polygon.
_INVERTED_ABOVE = 0.6

# A line that rises by less, in heights of it, is left as it is: turning costs sharpness.
_LEAST_RISE = 0.05

# Pixels beyond the polygon that interpolation looks at.
_MARGIN = 3


def cut_line(page: Grey, polygon: Points, baseline: Points | None = None) -> np.ndarray:
    """Cut a line out of a page.

    Parameters
    ----------
    page : uint8 array of shape (H, W)
        Ink, 255 is black; from `ocrlstm.image.read_page`.
    polygon : float array of shape (N, 2)
        Corners x, y in pixels of the page; pixels on its rim belong to the line. What lies beyond
        the page is cut off. Where the polygon crosses itself, the even-odd rule tells what is
        inside.
    baseline : float array of shape (M, 2), optional
        Points on which the letters stand. If it is slanted, the line is rotated to be level,
        unless it would become taller by that, as an upright box around a slanted line would.

    Returns
    -------
    float32 array of shape (h, w)
        Ink in [0, 1]; what is not in the polygon has the tone of the line's paper.

    Raises
    ------
    ImageError
        Without a name before it: nothing of the polygon lies on the page, or `check_polygon`
        refuses it.
    """
    check_polygon(polygon)
    height, width = page.shape
    corners = clip_polygon(polygon, width, height)
    if len(corners) == 0 or has_no_area(corners):
        raise ImageError(f"the polygon lies beyond the page of {width} x {height} pixels")
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - _MARGIN, 0)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + _MARGIN + 1
    box = page[top:bottom, left:right]
    angle = 0.0 if baseline is None else _slant(corners, np.asarray(baseline, np.float64))
    corners = corners - (left, top)
    turned = rotate(corners, angle)
    first = np.floor(turned.min(axis=0) + 1e-6).astype(int)
    columns, rows = (np.ceil(turned.max(axis=0) - 1e-6).astype(int) - first + 1).tolist()
    mask = _fill(turned - first, columns, rows)
    if angle == 0.0:
        line = box[first[1] : first[1] + rows, first[0] : first[0] + columns]
    else:
        line = _turn(box, angle, first, columns, rows)
    ink = np.full((rows, columns), _paper(box, line[mask]), np.float32)
    ink[mask] = line[mask]
    ink /= np.float32(255.0)
    return ink


def _slant(corners: Points, baseline: Points) -> float:
    """Give the angle to turn by; 0 where there is nothing to gain."""
    if len(baseline) < 2 or not np.isfinite(baseline).all() or np.abs(baseline).max() > 1e9:
        return 0.0
    length = float(np.hypot(*(baseline[-1] - baseline[0])))
    if length < 1.0:
        return 0.0
    angle = main_angle(baseline)
    before, after = np.ptp(corners, axis=0), np.ptp(rotate(corners, angle), axis=0)
    rise = abs(np.sin(angle)) * float(after[0])
    worth_while = rise >= max(1.0, _LEAST_RISE * float(after[1]))
    return angle if worth_while and after[1] <= before[1] else 0.0


def _fill(corners: Points, columns: int, rows: int) -> NDArray[np.bool_]:
    """Mark the pixels in a polygon and on its rim."""
    mask = Image.new("1", (columns, rows))
    ImageDraw.Draw(mask).polygon([tuple(corner) for corner in corners.tolist()], fill=1, outline=1)
    return np.asarray(mask)


def _turn(box: Grey, angle: float, first: np.ndarray, columns: int, rows: int) -> Grey:
    """Turn a part of the page, so that pixel (0, 0) is where `first` was after the turn."""
    cosine, sine = float(np.cos(angle)), float(np.sin(angle))
    # Pillow counts from the corner of the first pixel, `first` from its middle.
    x, y = (first - 0.5).tolist()
    origin_x, origin_y = x * cosine - y * sine + 0.5, x * sine + y * cosine + 0.5
    back = (cosine, -sine, origin_x, sine, cosine, origin_y)
    turned = Image.fromarray(box).transform(
        (columns, rows), Image.Transform.AFFINE, back, Image.Resampling.BICUBIC
    )
    return np.asarray(turned)


def _paper(box: Grey, inside: Grey) -> int:
    """Give the tone of the paper inside: its lighter half, where print is white its darker one."""
    around = np.bincount(box.ravel(), minlength=256)
    middle = (_level(around, 0.01) + _level(around, 0.99)) // 2
    inverted = around[middle + 1 :].sum() > _INVERTED_ABOVE * box.size
    counts = np.bincount(inside, minlength=256)
    paper = np.where((np.arange(256) > middle) == inverted, counts, 0)
    return _level(paper if paper.any() else counts, 0.5)


def _level(counts: NDArray[np.integer], share: float) -> int:
    """Give the tone below or at which `share` of the pixels lie."""
    total = np.cumsum(counts)
    return int(np.searchsorted(total, share * total[-1]))
