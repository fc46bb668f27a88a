"""Too much ink or too little."""

from collections.abc import Callable

import numpy as np

from ocrlstm.lines.distortions.noise import smooth_noise

__all__ = ["fade", "thicken", "thin"]


def thicken(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let the ink run: a share of one grey dilation by three rows or columns or both, or of two."""
    share = min(rng.uniform(0.2, 1.1) * strength, 1.3)
    return _spread(pixels, rng, np.maximum, share)


def thin(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let the ink shrink: a share of a grey erosion by three rows or columns or both."""
    share = min(rng.uniform(0.2, 0.7) * strength, 1.0)
    return _spread(pixels, rng, np.minimum, share)


def fade(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Ink the type unevenly, along the line and from top to bottom."""
    height, width = pixels.shape
    depth = min(rng.uniform(0.1, 0.5) * strength, 0.9)
    along = 0.5 + 0.5 * smooth_noise(rng, 1, width, 2.0 * max(height, 2))[0]
    down = np.linspace(rng.uniform(0.0, 0.5), rng.uniform(0.0, 0.5), height)
    loss = np.minimum(along[None, :] + down[:, None], 1.0).astype(np.float32)
    return pixels * (1 - np.float32(depth) * loss)


def _spread(
    pixels: np.ndarray,
    rng: np.random.Generator,
    choose: Callable[..., np.ndarray],
    share: float,
) -> np.ndarray:
    """Go towards the greatest or least of each pixel and its neighbours down, along, or both ways.

    A share above 1 goes all the way, and again.
    """
    axes = ((0,), (1,), (0, 1))[int(rng.integers(3))]
    while share > 0:
        spread = pixels
        for axis in axes:
            source = spread if axis == 0 else spread.T
            result = source.copy()
            choose(result[1:], source[:-1], out=result[1:])
            choose(result[:-1], source[1:], out=result[:-1])
            spread = result if axis == 0 else result.T
        pixels = pixels + np.float32(min(share, 1.0)) * (spread - pixels)
        share -= 1.0
    return np.ascontiguousarray(pixels)
