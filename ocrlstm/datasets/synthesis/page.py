"""The page around a line: margins, neighbour lines, rules, pen strokes, stamps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from PIL import Image, ImageDraw

from ocrlstm.datasets.synthesis.clouds import Array
from ocrlstm.datasets.synthesis.effects import Wear
from ocrlstm.datasets.synthesis.type import X_HEIGHT

__all__ = ["lay_out"]


@dataclass(frozen=True)
class _Place:
    """Where the line lies on its page."""

    top: int
    left: int
    baseline: int


def lay_out(printed: Array, baseline: int, wear: Wear, rng: Generator) -> Array:
    """Put a printed line on a piece of page, as it is cut out.

    Parameters
    ----------
    printed : float32 array of shape (H, W)
    baseline : int
        Its row.
    wear : Wear
        "neighbours", "underline", "rules" and "stamp" are looked at.
    rng : numpy.random.Generator

    Returns
    -------
    float32 array
        1.0 for ink; stamps and pencil are fainter.
    """
    height, width = printed.shape
    above, below, left, right = (
        int(rng.uniform(0.0, 0.7) * X_HEIGHT),
        int(rng.uniform(0.0, 0.7) * X_HEIGHT),
        int(rng.uniform(0.1, 1.5) * X_HEIGHT),
        int(rng.uniform(0.1, 1.5) * X_HEIGHT),
    )
    # Lines without tall or deep letters are often cut as high as others.
    roof, floor = baseline - int(1.5 * X_HEIGHT), baseline + int(0.5 * X_HEIGHT)
    if rng.random() < 0.7:
        above += max(0, -roof)
        below += max(0, floor - height)
    page = np.zeros((above + height + below, left + width + right), np.float32)
    page[above : above + height, left : left + width] = printed
    place = _Place(above, left, above + baseline)
    if wear("neighbours"):
        _add_neighbours(page, printed, place, wear("neighbours"), rng)
    if wear("rules"):
        _add_rules(page, place, rng)
    if wear("underline"):
        _add_underline(page, place, rng)
    if wear("stamp"):
        _add_stamp(page, wear("stamp"), rng)
    return page


def _add_neighbours(
    page: Array, printed: Array, place: _Place, strength: float, rng: Generator
) -> None:
    """Let the same words, elsewhere on the line, reach in from above and below."""
    height, width = printed.shape
    # Tall and deep letters of two lines hardly ever touch.
    pitch = max(X_HEIGHT * rng.uniform(2.9 - 0.8 * min(strength, 1.2), 3.0), 0.72 * height)
    lines = np.roll(printed, int(rng.integers(width)), axis=1)
    which = rng.random()
    for shift, wanted in ((-int(pitch), which < 0.7), (int(pitch), which > 0.3)):
        top = place.top + shift
        first, last = max(top, 0), min(top + height, len(page))
        if not wanted or first >= last:
            continue
        start, end = 0, width
        if rng.random() < 0.3:
            start, end = np.sort(rng.integers(0, width + 1, 2))
        target = page[first:last, place.left + start : place.left + end]
        np.maximum(target, lines[first - top : last - top, start:end], out=target)


def _add_rules(page: Array, place: _Place, rng: Generator) -> None:
    """Draw printed rules: below the line, dotted or whole, or upright at an end."""
    height, width = page.shape
    darkness = np.float32(rng.uniform(0.25, 1.0))
    thick = int(rng.integers(1, 4))
    if rng.random() < 0.7:
        row = place.baseline + int(rng.uniform(0.05, 0.6) * X_HEIGHT)
        if rng.random() < 0.2:
            row = int(rng.uniform(0, 0.15) * height)
        rows = page[max(row, 0) : row + thick]
        if rng.random() < 0.3:
            step = int(rng.integers(3, 9))
            rows = rows[:, ::step]
        np.maximum(rows, darkness, out=rows)
    if rng.random() < 0.4:
        end = int(rng.uniform(0, place.left))
        column = end if rng.random() < 0.5 else width - 1 - end
        columns = page[:, max(column, 0) : column + thick]
        np.maximum(columns, darkness, out=columns)


def _add_underline(page: Array, place: _Place, rng: Generator) -> None:
    """Draw a stroke of a pen below some of the words, never quite straight."""
    width = page.shape[1]
    start, end = np.sort(rng.integers(0, width, 2))
    row = place.baseline + rng.uniform(0.1, 0.5) * X_HEIGHT
    points = np.linspace(start, max(end, start + X_HEIGHT), 6)
    path = [(float(x), float(row + rng.normal(0, 0.06) * X_HEIGHT)) for x in points]
    _draw(page, [path], rng.uniform(0.4, 1.0), int(rng.integers(1, 4)))


def _add_stamp(page: Array, strength: float, rng: Generator) -> None:
    """Draw part of a stamp: a ring or a frame, in faint ink."""
    height, width = page.shape
    x, y = rng.uniform(0, width), rng.uniform(-0.5, 1.5) * height
    across, down = rng.uniform(1.5, 5.0, 2) * height
    if rng.random() < 0.5:
        turn = np.linspace(0, 2 * np.pi, 60)
        rings = [
            [(x + f * across * np.cos(t), y + f * across * np.sin(t)) for t in turn]
            for f in (1.0, 0.86)
        ]
    else:
        lean = rng.uniform(-0.15, 0.15)
        corners = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
        rings = [
            [
                (x + f * (a * across - lean * b * down), y + f * (b * down + lean * a * across))
                for a, b in corners
            ]
            for f in (0.6, 0.55)
        ]
    darkness = min(rng.uniform(0.15, 0.45) * strength, 0.6)
    _draw(page, rings, darkness, int(rng.integers(2, 6)))


def _draw(page: Array, paths: list[list[tuple[float, float]]], darkness: float, thick: int) -> None:
    """Draw curves in place; ink below stays."""
    height, width = page.shape
    sheet = Image.new("L", (width, height), 0)
    pen = ImageDraw.Draw(sheet)
    for path in paths:
        pen.line(path, 255, thick, joint="curve")
    np.maximum(page, np.asarray(sheet, np.float32) * np.float32(darkness / 255), out=page)
