"""Bring an image to a height and keep its proportions."""

import math

import numpy as np

from ocrlstm.kernels.resample import resample_columns

__all__ = ["scale_to_height", "shrink_whole", "sum_columns"]


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
    summed = sum_columns(sum_columns(image.T, factor).T, factor)
    summed *= np.float32(1.0 / factor**2)
    return np.ascontiguousarray(summed)


def sum_columns(image: np.ndarray, size: int) -> np.ndarray:
    """Add up groups of neighbouring columns.

    Parameters
    ----------
    image : ndarray of shape (H, W)
    size : int
        Columns in a group; the last one may have fewer.

    Returns
    -------
    ndarray of shape (H, ceil(W / size))
    """
    # Adding whole strided columns: NumPy's sums over groups of a few are several times slower, and
    # a product with ones would wake the threads of BLAS.
    summed: np.ndarray = image[:, ::size].copy(order="K")
    for offset in range(1, size):
        column = image[:, offset::size]
        summed[:, : column.shape[1]] += column
    return summed
