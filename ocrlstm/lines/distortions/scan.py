"""A bad scanner: few dots, no focus, wrong tones, grain."""

import numpy as np

from ocrlstm.kernels.resample import resample_columns
from ocrlstm.lines.distortions.extent import ink_columns

__all__ = ["add_grain", "bend_tones", "blur", "coarsen", "smooth", "steepen"]


def coarsen(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Scan with few dots an inch: shrink, and go back to the old size."""
    height, width = pixels.shape
    factor = 1 + rng.uniform(0.3, 0.9) * min(strength, 2.0)
    small = _resize(pixels, max(round(height / factor), 2), max(round(width / factor), 2), 2)
    return _resize(small, height, width, 1)


def blur(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Put the scanner out of focus: a narrow smoothing, once or twice."""
    share = np.float32(min(rng.uniform(0.05, 0.25) * strength, 0.33))
    for _ in range(int(rng.integers(1, 3))):
        pixels = smooth(pixels, share)
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


def add_grain(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Add grain to paper and ink between the ends of the text; below 0 it is lost in the paper."""
    first, last = ink_columns(pixels)
    grain = rng.standard_normal((pixels.shape[0], last - first), np.float32)
    grain *= np.float32(rng.uniform(0.02, 0.12) * strength)
    pixels = pixels.copy()
    pixels[:, first:last] += grain
    return pixels


def smooth(pixels: np.ndarray, share: np.float32) -> np.ndarray:
    """Give the four neighbours of each pixel a share of it; beyond the edge is paper.

    Down first, then along: a kernel of nine.
    """
    for axis in (0, 1):
        source = pixels if axis == 0 else pixels.T
        result = source * (1 - 2 * share)
        result[1:] += share * source[:-1]
        result[:-1] += share * source[1:]
        pixels = result if axis == 0 else result.T
    return pixels


def _resize(pixels: np.ndarray, height: int, width: int, samples: int) -> np.ndarray:
    """Sample a line with other numbers of rows and columns."""
    y_step, x_step = pixels.shape[0] / height, pixels.shape[1] / width
    flat = np.zeros(width)
    return resample_columns(
        pixels,
        (np.arange(width) + 0.5) * x_step - 0.5,
        flat,
        flat + (0.5 * y_step - 0.5),
        flat + y_step,
        height,
        samples,
        samples,
    )
