"""Distort a normalised line for training, so that few lines teach what many would."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from ocrlstm.lines.distortions import DISTORTIONS, Lend, Shape
from ocrlstm.lines.distortions.columns import Columns

__all__ = ["augment", "distort"]

_PLACES = {name: place for place, name in enumerate(DISTORTIONS)}


def augment(
    pixels: np.ndarray,
    rng: np.random.Generator,
    strength: float = 1.0,
    factors: Mapping[str, float] | None = None,
    lend: Lend | None = None,
) -> np.ndarray:
    """Distort a normalised line as another print, press or scanner might have.

    Each of `DISTORTIONS` may befall it: with its strength s, as likely as its likelihood times s,
    which counts up to 1, and s times as far as at 1. What one does is the same whether others
    happen or not, as each has random numbers of its own.

    Parameters
    ----------
    pixels : ndarray of shape (H, W), float32 in [0, 1]
        Ink 1.0, paper 0.0.
    rng : numpy.random.Generator
        The same state gives the same line.
    strength : float, default=1.0
        Of all distortions; 0 changes nothing.
    factors : mapping of str to float, optional
        Name of a distortion -> what `strength` is multiplied by for it, 1 where it is not named.
    lend : callable, optional
        Gives another line of the same height for what lies beside and behind this one; without it
        this line itself is lent.

    Returns
    -------
    ndarray of shape (H, W'), float32 in [0, 1], C-contiguous
        A new array. W' lies near W, and is never below 33, the least that a normalised line has.

    Raises
    ------
    ValueError
        For a strength below 0.
    """
    if not strength >= 0:
        raise ValueError(f"strength is 0 or more, not {strength}")
    own = factors or {}
    chances = rng.random(len(DISTORTIONS))
    happening = {}
    for (name, distortion), chance in zip(DISTORTIONS.items(), chances, strict=True):
        own_strength = strength * own.get(name, 1.0)
        if chance < distortion.likelihood * min(own_strength, 1.0):
            happening[name] = own_strength
    return _apply(pixels, happening, _Streams(rng), lend)


def distort(
    name: str,
    pixels: np.ndarray,
    rng: np.random.Generator,
    strength: float = 1.0,
    lend: Lend | None = None,
) -> np.ndarray:
    """Let one distortion befall a line for certain; all else as for `augment`."""
    return _apply(pixels, {name: strength}, _Streams(rng), lend)


def _apply(
    pixels: np.ndarray, happening: Mapping[str, float], streams: _Streams, lend: Lend | None
) -> np.ndarray:
    """Let distortions befall a line, those of the shape that follow each other in one sampling."""
    pixels = np.array(pixels, np.float32, order="C")
    lend = lend or partial(_move_along, pixels)
    columns = None
    for name, strength in happening.items():
        distortion, rng = DISTORTIONS[name], streams[name]
        if isinstance(distortion, Shape):
            columns = distortion.apply(columns or Columns.straight(*pixels.shape), rng, strength)
            continue
        if columns is not None:
            pixels, columns = columns.sample(pixels), None
        borrowed = (lend(rng),) if distortion.borrows else ()
        pixels = distortion.apply(pixels, rng, strength, *borrowed)
    if columns is not None:
        pixels = columns.sample(pixels)
    return np.clip(pixels, 0.0, 1.0)


def _move_along(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lend a line to itself, with other letters at each place."""
    return np.roll(pixels, int(rng.integers(pixels.shape[1])), axis=1)


class _Streams:
    """Random numbers of its own for each distortion, so that none depends on what others drew.

    All are one long stream, begun 2^64 numbers apart: to move along it takes a third of the time
    that seeding does, and on each line ten distortions ask.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._bits = np.random.PCG64(int(rng.integers(2**63)))
        self._start = self._bits.state
        self._rng = np.random.Generator(self._bits)

    def __getitem__(self, name: str) -> np.random.Generator:
        """Return the generator, moved to the numbers of a distortion; there is one for all."""
        self._bits.state = self._start
        self._bits.advance(_PLACES[name] << 64)
        return self._rng
