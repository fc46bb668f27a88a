"""Smooth noise, cheaply: coarse random numbers, enlarged by Pillow."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageFilter

__all__ = ["Array", "blurred", "cloud", "enlarge"]

Array = NDArray[np.float32]


def cloud(shape: tuple[int, int], rng: Generator, grain: float) -> Array:
    """Draw smooth noise with mean 0 and values of about -1 to 1.

    Parameters
    ----------
    shape : (H, W)
    rng : numpy.random.Generator
    grain : float
        Distance in pixels over which it changes.

    Returns
    -------
    float32 array (H, W)
    """
    height, width = shape
    coarse = (int(height / grain) + 2, int(width / grain) + 2)
    return enlarge(rng.standard_normal(coarse, np.float32), shape)


def enlarge(coarse: Array, shape: tuple[int, int]) -> Array:
    """Stretch an array to a larger shape."""
    height, width = shape
    picture = Image.fromarray(coarse)  # float32 becomes mode F
    return np.asarray(picture.resize((width, height), Image.Resampling.BILINEAR))


def blurred(pixels: NDArray[np.uint8], radius: float) -> Array:
    """Blur a uint8 picture, and bring it to 0 to 1.

    Parameters
    ----------
    pixels : uint8 array of shape (H, W)
    radius : float
        Standard deviation in pixels.

    Returns
    -------
    float32 array (H, W)
    """
    picture = Image.fromarray(pixels)
    if radius > 0:
        picture = picture.filter(ImageFilter.GaussianBlur(radius))
    return np.asarray(picture, np.float32) * np.float32(1 / 255)
