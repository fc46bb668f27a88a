"""Bilinear sampling of an image along slanted columns: the one warp that lines are made with.

Straightening, scaling and distorting a line all move whole columns: each column of the result is
read along a straight path through the source, with a start and a step of its own. That is enough
for shear, rotation by small angles, changing size and smooth waves, and takes four numbers a column
where a free warp takes two a pixel.
"""

import numpy as np
from numba import njit

__all__ = ["resample_columns"]


@njit(nogil=True, cache=True)
def resample_columns(
    image: np.ndarray,
    x_start: np.ndarray,
    x_step: np.ndarray,
    y_start: np.ndarray,
    y_step: np.ndarray,
    height: int,
    x_samples: int,
    y_samples: int,
) -> np.ndarray:
    """Sample an image along one straight path a column.

    The middle of output pixel (i, j) lies in the source at
    ``y = y_start[j] + i * y_step[j]``, ``x = x_start[j] + i * x_step[j]``, pixel middles being
    whole numbers. Where the source is shrunk, several samples are averaged: `y_samples` spread
    evenly over one step down, `x_samples` over the distance to the next columns, which is the
    average over the area that an output pixel covers. Outside of the source there is 0.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32 or float64, C-contiguous
    x_start, x_step, y_start, y_step : ndarray of shape (W',), float64
    height : int
        Rows of the result.
    x_samples, y_samples : int
        At least 1; 1 is plain bilinear interpolation.

    Returns
    -------
    ndarray of shape (height, W'), type of `image`
    """
    rows, columns = image.shape
    # A rim of paper, so that each sample has its four neighbours without a question asked.
    framed = np.zeros((rows + 2, columns + 2), image.dtype)
    for i in range(rows):
        for j in range(columns):
            framed[i + 1, j + 1] = image[i, j]
    width = x_start.shape[0]
    result = np.zeros((height, width), image.dtype)
    column = np.zeros(height)
    profile = np.zeros(rows + 2)
    share = 1.0 / (x_samples * y_samples)
    for j in range(width):
        # The spacing of the columns here: half the distance between both neighbours.
        before, after = max(j - 1, 0), min(j + 1, width - 1)
        spacing = (x_start[after] - x_start[before]) / max(after - before, 1)
        column[:] = 0.0
        if x_step[j] == 0.0:
            # A path straight down: all samples across have the same rows, so their sum is sampled.
            profile[:] = 0.0
            for p in range(x_samples):
                x = x_start[j] + ((p + 0.5) / x_samples - 0.5) * spacing + 1.0
                if x > 0.0 and x < columns + 1:
                    left = int(x)
                    u = x - left
                    for top in range(1, rows + 1):
                        profile[top] += framed[top, left] + u * (
                            framed[top, left + 1] - framed[top, left]
                        )
            for q in range(y_samples):
                y_first = y_start[j] + ((q + 0.5) / y_samples - 0.5) * y_step[j] + 1.0
                for i in range(height):
                    y = y_first + i * y_step[j]
                    if y > 0.0 and y < rows + 1:
                        top = int(y)
                        column[i] += profile[top] + (y - top) * (profile[top + 1] - profile[top])
        else:
            for p in range(x_samples):
                x_first = x_start[j] + ((p + 0.5) / x_samples - 0.5) * spacing + 1.0
                for q in range(y_samples):
                    y_first = y_start[j] + ((q + 0.5) / y_samples - 0.5) * y_step[j] + 1.0
                    for i in range(height):
                        x = x_first + i * x_step[j]
                        y = y_first + i * y_step[j]
                        if not (x > 0.0 and x < columns + 1 and y > 0.0 and y < rows + 1):
                            continue
                        left, top = int(x), int(y)
                        u, v = x - left, y - top
                        upper = framed[top, left] + u * (framed[top, left + 1] - framed[top, left])
                        lower = framed[top + 1, left] + u * (
                            framed[top + 1, left + 1] - framed[top + 1, left]
                        )
                        column[i] += upper + v * (lower - upper)
        for i in range(height):
            result[i, j] = column[i] * share
    return result
