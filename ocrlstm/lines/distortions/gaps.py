"""Ink that was lost: small patches, and strips along or across the line."""

import numpy as np

from ocrlstm.lines.distortions.extent import ink_columns, ink_rows

__all__ = ["rub_out", "tear_strips"]


def rub_out(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Take most of the ink from one to four small patches, none as wide as a letter."""
    pixels = pixels.copy()
    height = pixels.shape[0]
    first, last = ink_columns(pixels)
    for _ in range(int(rng.integers(1, 5))):
        patch_width = 1 + int(rng.uniform(0.03, 0.14) * height * strength)
        patch_height = 1 + int(rng.uniform(0.1, 1.0) * height)
        left = int(rng.integers(first, last + 1))
        top = int(rng.integers(1 - patch_height, height))
        patch = pixels[max(top, 0) : top + patch_height, left : left + patch_width]
        patch *= np.float32(rng.uniform(0.0, 0.6))
    return pixels


def tear_strips(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Take the ink from a strip along the line, or from some across it.

    A strip along is a scratch, a fold or a fault of the scanner, two to twelve heights long; those
    across stand one to four heights apart. None is thicker than a stem at strength 1.
    """
    pixels = pixels.copy()
    height = pixels.shape[0]
    first, last = ink_columns(pixels)
    top, bottom = ink_rows(pixels)
    left_over = np.float32(rng.uniform(0.0, 0.4))
    thickness = 1 + int(rng.uniform(0.0, 0.06) * height * min(strength, 3.0))
    if rng.random() < 0.5:
        row, middle = int(rng.integers(top, bottom + 1)), int(rng.integers(first, last + 1))
        reach = int(rng.uniform(1.0, 6.0) * height)
        pixels[row : row + thickness, max(middle - reach, 0) : middle + reach] *= left_over
    else:
        gaps = rng.uniform(1.0, 4.0, (last - first) // height + 1) * height
        for left in first + np.cumsum(gaps).astype(int):
            pixels[:, left : left + thickness] *= left_over
    return pixels
