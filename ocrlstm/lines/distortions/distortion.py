"""A row of the table of distortions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ocrlstm.lines.distortions.columns import Columns

__all__ = ["Distortion", "Lend", "Shape", "Surface"]

Lend = Callable[[np.random.Generator], np.ndarray]
"""Gives another line of the same height, (H, W) float32, which the generator chooses."""


@dataclass(frozen=True)
class Distortion:
    """What may befall a line.

    Attributes
    ----------
    likelihood : float
        How often it does at strength 1.
    apply : callable
        A pure function; see `Shape` and `Surface`.
    about : str
        What it shows, in a few words.
    """

    likelihood: float
    apply: Callable[..., object]
    about: str


@dataclass(frozen=True)
class Shape(Distortion):
    """Moves the letters: ``apply(columns, rng, strength)``, `Columns` in and out."""

    apply: Callable[[Columns, np.random.Generator, float], Columns]


@dataclass(frozen=True)
class Surface(Distortion):
    """Changes ink and paper: ``apply(pixels, rng, strength)``, float32 arrays (H, W) in and out.

    The result is a new array, and may leave [0, 1] a little.

    Attributes
    ----------
    borrows : bool
        It takes another line of the same height as a fourth argument.
    """

    apply: Callable[..., np.ndarray]
    borrows: bool = False
