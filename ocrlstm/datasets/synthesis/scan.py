"""The scanner: paper and ink become grey levels, blurred, noisy, coarse, or black and white."""

from __future__ import annotations

import io

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image

from ocrlstm.datasets.synthesis.clouds import Array, blurred
from ocrlstm.datasets.synthesis.effects import Wear
from ocrlstm.datasets.synthesis.paper import make_paper

__all__ = ["scan"]

Pixels = NDArray[np.uint8]

_STROKE = 0.3  # so much ink is a stroke


def scan(ink: Array, x_height: float, wear: Wear, rng: Generator) -> Pixels:
    """Scan a piece of page.

    Parameters
    ----------
    ink : float32 array of shape (H, W)
        1.0 for ink.
    x_height : float
        Height of the small x in pixels.
    wear : Wear
        "bleed", "paper", "light", "blur", "noise", "specks", "lowres", "bilevel" and "jpeg" are
        looked at.
    rng : numpy.random.Generator

    Returns
    -------
    uint8 array of shape (H, W)
        Lightness, 255 for white.
    """
    paper = make_paper(ink, x_height, wear, rng)
    black = np.float32(rng.uniform(0.0, 0.3) if wear("paper") else rng.uniform(0.0, 0.1))
    grey = paper * (1 - ink) + black * ink
    if specks := wear("specks"):
        _add_specks(grey, float(black), x_height, specks, rng)
    if blur := wear("blur"):
        grey = blurred(_to_bytes(grey), min(0.035 * blur * x_height, 1.6) + 0.15)
    if lowres := wear("lowres"):
        grey = _coarsen(grey, 1 + min(rng.uniform(0.3, 1.0) * lowres, 1.2), rng)
    if noise := wear("noise"):
        size = rng.uniform(0.005, 0.05) * noise
        grey = grey + rng.standard_normal(grey.shape, np.float32) * np.float32(size)
    if bilevel := wear("bilevel"):
        # The level is set by the strokes that there are: faint ones would be lost at that of black.
        strokes = grey[ink > _STROKE]
        darkness = float(np.median(strokes)) if strokes.size else float(black)
        return _threshold(grey, float(np.median(paper)), darkness, bilevel, rng)
    pixels = _to_bytes(grey)
    if jpeg := wear("jpeg"):
        pixels = _compress(pixels, int(np.clip(rng.normal(75 - 30 * jpeg, 12), 12, 92)))
    return pixels


def _threshold(grey: Array, paper: float, ink: float, strength: float, rng: Generator) -> Pixels:
    """Scan in black and white: what is darker than a level, which may be badly chosen."""
    middle = (paper + ink) / 2 + rng.uniform(-0.08, 0.16) * min(strength, 1.5) * (paper - ink)
    # Seldom too low, since then letters are lost, which no reader could restore. Grain of the paper
    # decides where the level is near: ragged edges.
    grain = rng.standard_normal(grey.shape, np.float32)
    grain *= np.float32(rng.uniform(0.01, 0.08) * strength)
    return np.where(grey + grain > np.float32(middle), np.uint8(255), np.uint8(0))


def _coarsen(grey: Array, factor: float, rng: Generator) -> Array:
    """Scan with fewer dots, and enlarge again, softly or in steps."""
    height, width = grey.shape
    size = max(4, round(width / factor)), max(4, round(height / factor))
    small = Image.fromarray(grey).resize(size, Image.Resampling.BOX)
    back = Image.Resampling.BILINEAR if rng.random() < 0.7 else Image.Resampling.BICUBIC
    return np.asarray(small.resize((width, height), back))


def _add_specks(
    grey: Array, black: float, x_height: float, strength: float, rng: Generator
) -> None:
    """Drop dirt on paper and holes into ink, in place: most of them tiny, some as large as dots."""
    height, width = grey.shape
    expected = rng.uniform(0.02, 0.12) * strength * grey.size / x_height**2
    count = min(1 + int(rng.poisson(expected)), 400)
    sizes = np.minimum(rng.exponential(0.05 * x_height, count), 0.3 * x_height)
    tops, lefts = rng.uniform(0, height, count), rng.uniform(0, width, count)
    light = rng.random(count) < 0.4
    for size, top, left, hole in zip(sizes, tops, lefts, light, strict=True):
        rows = slice(int(top), int(top + size * rng.uniform(0.6, 1.4)) + 1)
        columns = slice(int(left), int(left + size) + 1)
        grey[rows, columns] = rng.uniform(0.75, 1.0) if hole else black + rng.uniform(0, 0.3)


def _compress(pixels: Pixels, quality: int) -> Pixels:
    """Save as JPEG and read again."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    with Image.open(file) as picture:
        return np.asarray(picture)


def _to_bytes(grey: Array) -> Pixels:
    return np.rint(np.clip(grey, 0, 1) * 255).astype(np.uint8)
