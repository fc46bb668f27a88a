"""Paper: its tone, clouds, fibres and stains, the shadow of a fold, the back of the leaf."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from ocrlstm.datasets.synthesis.clouds import Array, blurred, cloud
from ocrlstm.datasets.synthesis.effects import Wear

__all__ = ["make_paper"]

_DARKEST = 0.45  # so dark is paper at most: the text can still be read


def make_paper(ink: Array, x_height: float, wear: Wear, rng: Generator) -> Array:
    """Make the paper on which a line stands.

    Parameters
    ----------
    ink : float32 array of shape (H, W)
        The line, whose mirror image stands for the back of the leaf.
    x_height : float
        Height of the small x in pixels.
    wear : Wear
        "paper", "light" and "bleed" are looked at.
    rng : numpy.random.Generator

    Returns
    -------
    float32 array of shape (H, W)
        Lightness from 0 to 1.
    """
    paper = np.full(ink.shape, rng.uniform(0.93, 1.0), np.float32)
    if strength := wear("paper"):
        paper -= np.float32(rng.uniform(0.0, 0.25) * min(strength, 2.0))
        paper += cloud(ink.shape, rng, x_height * rng.uniform(2, 8)) * np.float32(0.02 * strength)
        grain = cloud(ink.shape, rng, rng.uniform(1.0, 3.0))
        paper += grain * np.float32(rng.uniform(0.0, 0.03) * strength)
        if rng.random() < 0.12:
            _stain(paper, x_height, strength, rng)
    if strength := wear("light"):
        slope = np.linspace(0, 1, ink.shape[1], dtype=np.float32) ** np.float32(rng.uniform(1, 4))
        slope = slope if rng.random() < 0.5 else slope[::-1]
        paper -= slope * np.float32(min(rng.uniform(0.05, 0.3) * strength, 0.4))
    if strength := wear("bleed"):
        _show_back(paper, ink, x_height, strength, rng)
    return np.clip(paper, _DARKEST, 1, out=paper)


def _stain(paper: Array, x_height: float, strength: float, rng: Generator) -> None:
    """Darken a round patch, in place; its rim is darker than its middle."""
    height, width = paper.shape
    reach = rng.uniform(1, 6) * x_height
    y = (np.arange(height, dtype=np.float32) - np.float32(rng.uniform(0, height)))[:, None]
    x = np.arange(width, dtype=np.float32) - np.float32(rng.uniform(0, width))
    far = np.sqrt(x * x + y * y) / np.float32(reach)
    inside = np.clip((1 - far) * 6, 0, 1)
    paper -= inside * np.minimum(far + 0.4, 1) * np.float32(rng.uniform(0.05, 0.2) * strength)


def _show_back(paper: Array, ink: Array, x_height: float, strength: float, rng: Generator) -> None:
    """Let the back of the leaf shine through, in place: mirrored, blurred, faint."""
    height, width = ink.shape
    back = np.roll(ink[:, ::-1], int(rng.integers(width)), axis=1)
    back = np.roll(back, int(rng.integers(height)), axis=0)
    soft = blurred((back * 255).astype(np.uint8), rng.uniform(0.04, 0.12) * x_height + 0.3)
    paper -= soft * np.float32(min(rng.uniform(0.08, 0.25) * strength, 0.3))
