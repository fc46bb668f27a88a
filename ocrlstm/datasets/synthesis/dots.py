"""Dot matrix printing: letters of few dots, each a needle's stroke."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ocrlstm.datasets.synthesis.ink import Ink, crop_ink
from ocrlstm.datasets.synthesis.type import X_HEIGHT, Type

__all__ = ["dot_line"]


def dot_line(text: str, type_: Type, rng: Generator, dots: int = 0) -> Ink:
    """Draw a line as a needle printer does.

    Parameters
    ----------
    text : str
        From left to right; `type_` shows it.
    type_ : Type
        Best a typeface made of square pixels.
    rng : numpy.random.Generator
        Draws size and blackness of the dots, and needles that are worn.
    dots : int, default=0
        Dots of the typeface's em: as many as its pixels. 0: as give a small x of five to eight
        dots.

    Returns
    -------
    Ink
    """
    size = dots or _dots_of(type_, int(rng.integers(5, 9)))
    grid = _grid(text, type_, size)
    pitch = max(2, round(X_HEIGHT / _small_x(type_, size)))
    strikes = (grid.pixels > 0).astype(np.float32)
    strikes *= 1 - rng.uniform(0, 0.3) * rng.random(strikes.shape, np.float32)
    worn = rng.random((len(strikes), 1), np.float32) < 0.15
    strikes *= 1 - np.float32(rng.uniform(0, 0.3)) * worn
    canvas: NDArray[np.float32] = np.kron(strikes, _dot(pitch, rng.uniform(0.42, 0.75)))
    return Ink(np.rint(canvas * 255).astype(np.uint8), grid.baseline * pitch)


def _grid(text: str, type_: Type, size: int) -> Ink:
    """Return the dots of a line, a pixel for each."""
    font = type_.plain(size)
    canvas = Image.new("L", (int(font.getlength(text)) + 2 * size, 3 * size), 0)
    pen = ImageDraw.Draw(canvas)
    pen.fontmode = "1"
    pen.text((size, 2 * size), text, 255, font, "ls")
    return crop_ink(np.asarray(canvas), 2 * size)


def _small_x(type_: Type, size: int) -> int:
    _, top, _, bottom = type_.plain(size).getbbox("x", mode="1")
    return max(int(bottom - top), 1)


def _dots_of(type_: Type, small_x: int) -> int:
    """Return the size that makes the small x so many dots high."""
    return max(6, round(type_.font.size * small_x / X_HEIGHT))


def _dot(pitch: int, radius: float) -> NDArray[np.float32]:
    """Draw a disc in a cell of `pitch` pixels; its radius is told in cells."""
    fine = (np.arange(pitch * 4) + 0.5) / (pitch * 4) - 0.5
    disc = (fine[:, None] ** 2 + fine**2 < radius**2).astype(np.float32)
    return disc.reshape(pitch, 4, pitch, 4).mean(axis=(1, 3))
