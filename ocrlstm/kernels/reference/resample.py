"""Bilinear sampling along slanted columns in plain NumPy: the definition."""

import numpy as np

__all__ = ["resample_columns"]


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
    """Sample one pixel at a time; arguments and result as in `ocrlstm.kernels.resample`."""
    width = len(x_start)
    spacing = np.gradient(x_start) if width > 1 else np.zeros(1)
    result = np.zeros((height, width), image.dtype)
    for i in range(height):
        for j in range(width):
            samples = []
            for p in range(x_samples):
                for q in range(y_samples):
                    x = x_start[j] + i * x_step[j] + ((p + 0.5) / x_samples - 0.5) * spacing[j]
                    y = y_start[j] + (i + (q + 0.5) / y_samples - 0.5) * y_step[j]
                    samples.append(_bilinear(image, x, y))
            result[i, j] = np.mean(samples)
    return result


def _bilinear(image: np.ndarray, x: float, y: float) -> float:
    """Weigh the four pixels around (x, y) by their nearness; outside of the image there is 0."""
    left, top = int(np.floor(x)), int(np.floor(y))
    total = 0.0
    for row in (top, top + 1):
        for column in (left, left + 1):
            if 0 <= row < image.shape[0] and 0 <= column < image.shape[1]:
                weight = (1 - abs(x - column)) * (1 - abs(y - row))
                total += weight * image[row, column]
    return total
