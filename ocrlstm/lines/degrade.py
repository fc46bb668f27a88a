"""Distort ink and paper of a line: too much ink or too little, blur, dirt, holes, a bad scanner."""

from collections.abc import Callable

import numpy as np

from ocrlstm.lines.warp import smooth_noise

__all__ = ["DEGRADATIONS", "degrade"]


def thicken(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let the ink run: a share of a grey dilation by three rows or columns or both."""
    share = min(rng.uniform(0.2, 0.8) * strength, 1.0)
    return _blend(pixels, _spread(pixels, rng, np.maximum), share)


def thin(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let the ink shrink: a share of a grey erosion by three rows or columns or both."""
    share = min(rng.uniform(0.2, 0.7) * strength, 1.0)
    return _blend(pixels, _spread(pixels, rng, np.minimum), share)


def blur(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Put the scanner out of focus: a narrow smoothing, once or twice."""
    share = np.float32(min(rng.uniform(0.05, 0.25) * strength, 0.33))
    for _ in range(int(rng.integers(1, 3))):
        for axis in (0, 1):
            pixels = _smooth(pixels, share, axis)
    return pixels


def bend_tones(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Lighten or darken the greys and leave black and white: p + g * p * (1 - p), |g| <= 1."""
    bend = np.float32(np.clip(rng.uniform(-0.8, 0.8) * strength, -1, 1))
    return pixels + bend * pixels * (1 - pixels)


def steepen(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Scan towards black and white."""
    gain = 1 + rng.uniform(0.5, 5.0) * strength
    threshold = rng.uniform(0.35, 0.6)
    return np.clip((pixels - np.float32(threshold)) * np.float32(gain) + np.float32(0.5), 0, 1)


def fade(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Ink the type unevenly, along the line and from top to bottom."""
    height, width = pixels.shape
    depth = min(rng.uniform(0.1, 0.5) * strength, 0.9)
    along = 0.5 + 0.5 * smooth_noise(rng, 1, width, 2.0 * max(height, 2))[0]
    down = np.linspace(rng.uniform(0.0, 0.5), rng.uniform(0.0, 0.5), height)
    loss = np.minimum(along[None, :] + down[:, None], 1.0).astype(np.float32)
    return pixels * (1 - np.float32(depth) * loss)


def add_grain(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Add grain to paper and ink between the ends of the text; below 0 it is lost in the paper."""
    first, last = _extent(pixels)
    grain = rng.standard_normal((pixels.shape[0], last - first), np.float32)
    grain *= np.float32(rng.uniform(0.02, 0.12) * strength)
    pixels = pixels.copy()
    pixels[:, first:last] += grain
    return pixels


def add_specks(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Drop specks of dirt on the line and holes into its ink, of one to four pixels."""
    pixels = pixels.copy()
    height, width = pixels.shape
    count = int(rng.uniform(0.0005, 0.003) * strength * pixels.size) + 1
    tops, lefts = rng.integers(0, height, count), rng.integers(0, width, count)
    values = rng.uniform(0.3, 1.0, count).astype(np.float32) * (rng.random(count) < 0.4)
    wide, high = rng.random((2, count)) < 0.4
    first, last = _extent(pixels)
    inside = (lefts >= first) & (lefts < last)
    pixels[tops[inside], lefts[inside]] = values[inside]
    for more, down, right in ((wide, 0, 1), (high, 1, 0), (wide & high, 1, 1)):
        chosen = inside & more & (tops + down < height) & (lefts + right < last)
        pixels[tops[chosen] + down, lefts[chosen] + right] = values[chosen]
    return pixels


def rub_out(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Take most of the ink from one to four small patches, none as wide as a letter."""
    pixels = pixels.copy()
    height, width = pixels.shape
    for _ in range(int(rng.integers(1, 5))):
        patch_width = 1 + int(rng.uniform(0.02, 0.12) * height * strength)
        patch_height = 1 + int(rng.uniform(0.1, 1.0) * height)
        left = int(rng.integers(0, max(width - patch_width, 1)))
        top = int(rng.integers(1 - patch_height, height))
        patch = pixels[max(top, 0) : top + patch_height, left : left + patch_width]
        patch *= np.float32(rng.uniform(0.0, 0.6))
    return pixels


def add_neighbour(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let the next line look in at the upper or lower edge, as in a cut that is too generous.

    The line itself, moved along, lends the edge of its own letters.
    """
    height, width = pixels.shape
    rows = 1 + int(rng.uniform(0.0, 0.1) * height * min(strength, 2.0))
    level = int(rng.uniform(0.15, 0.3) * height)
    moved = np.roll(pixels, int(rng.integers(0, width)), axis=1)
    first, last = _extent(pixels)
    pixels = pixels.copy()
    if rng.random() < 0.5:  # the feet of the line above
        edge, lent = pixels[:rows, first:last], moved[height - level - rows : height - level]
    else:  # the heads of the line below
        edge, lent = pixels[height - rows :, first:last], moved[level : level + rows]
    np.maximum(edge, lent[:, first:last], out=edge)
    return pixels


Degradation = Callable[[np.ndarray, np.random.Generator, float], np.ndarray]

DEGRADATIONS: tuple[tuple[float, tuple[Degradation, ...]], ...] = (
    (0.15, (add_neighbour,)),
    (0.5, (thicken, thin)),
    (0.2, (rub_out,)),
    (0.25, (fade,)),
    (0.35, (blur,)),
    (0.4, (bend_tones,)),
    (0.15, (add_specks,)),
    (0.25, (add_grain,)),
    (0.2, (steepen,)),
)
"""In the order of press, age, scanner: how likely each is at strength 1, and which may happen."""


def degrade(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let some of the `DEGRADATIONS` befall a line.

    Parameters
    ----------
    pixels : ndarray of shape (H, W), float32 in [0, 1]
        Not changed.
    rng : numpy.random.Generator
    strength : float
        Factor of how far each goes, and up to 1 of how likely it is.

    Returns
    -------
    ndarray of shape (H, W), float32 in [0, 1]
    """
    chances = rng.random(len(DEGRADATIONS))
    for chance, (likelihood, choices) in zip(chances, DEGRADATIONS, strict=True):
        if chance < likelihood * min(strength, 1.0):
            pixels = choices[int(rng.integers(len(choices)))](pixels, rng, strength)
    return np.clip(pixels, 0.0, 1.0)


def _spread(
    pixels: np.ndarray, rng: np.random.Generator, choose: Callable[..., np.ndarray]
) -> np.ndarray:
    """Give the greatest or least of each pixel and its neighbours down, along, or both ways."""
    axes = ((0,), (1,), (0, 1))[int(rng.integers(3))]
    for axis in axes:
        source = pixels if axis == 0 else pixels.T
        result = source.copy()
        choose(result[1:], source[:-1], out=result[1:])
        choose(result[:-1], source[1:], out=result[:-1])
        pixels = result if axis == 0 else result.T
    return np.ascontiguousarray(pixels)


def _smooth(pixels: np.ndarray, share: np.float32, axis: int) -> np.ndarray:
    """Give each pixel's two neighbours along an axis a share of it; beyond the edge is paper."""
    source = pixels if axis == 0 else pixels.T
    result = source * (1 - 2 * share)
    result[1:] += share * source[:-1]
    result[:-1] += share * source[1:]
    return result if axis == 0 else result.T


def _blend(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    """Go from one to the other by a share."""
    return one + np.float32(share) * (other - one)


def _extent(pixels: np.ndarray) -> tuple[int, int]:
    """Give the first column with ink and the one after the last; (0, 0) when there is none."""
    inked = np.flatnonzero(pixels.any(axis=0))
    return (int(inked[0]), int(inked[-1]) + 1) if inked.size else (0, 0)
