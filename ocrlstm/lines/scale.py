"""Bring an image to a height and keep its proportions."""

import math

import numpy as np

from ocrlstm.kernels.resample import resample_columns

__all__ = ["scale_to_height", "shrink_whole"]


def scale_to_height(image: np.ndarray, height: int) -> np.ndarray:
    """Scale an image, averaging over areas where it shrinks.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32
    height : int

    Returns
    -------
    ndarray of shape (height, W'), float32
        W' is W * height / H, rounded, at least 1.
    """
    rows, columns = image.shape
    width = max(1, round(columns * height / rows))
    y_step, x_step = rows / height, columns / width
    x_start = (np.arange(width) + 0.5) * x_step - 0.5
    flat = np.zeros(width)
    return resample_columns(
        image,
        x_start,
        flat,
        flat + (0.5 * y_step - 0.5),
        flat + y_step,
        height,
        math.ceil(x_step),
        math.ceil(y_step),
    )


def shrink_whole(image: np.ndarray, factor: int) -> np.ndarray:
    """Average over squares of `factor` pixels; what they lack at the edges counts as paper.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32
    factor : int

    Returns
    -------
    ndarray of shape (ceil(H / factor), ceil(W / factor)), float32
    """
    if factor == 1:
        return image
    rows, columns = image.shape
    summed = np.add.reduceat(image, np.arange(0, rows, factor), axis=0)
    summed = np.add.reduceat(summed, np.arange(0, columns, factor), axis=1)
    summed *= np.float32(1.0 / factor**2)
    return summed
