"""Paths of the columns of a distorted line through the line that it is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ocrlstm.kernels.resample import resample_columns

__all__ = ["LEAST_WIDTH", "Columns"]

# No result is narrower: a normalised line has padding at both ends and a column between.
LEAST_WIDTH = 33


@dataclass(frozen=True)
class Columns:
    """A straight path for each column, written from its middle row, which no slant moves.

    Attributes
    ----------
    height : int
        H, rows of source and result.
    x, y : ndarray of shape (W',), float64
        Where the middle of each column lies in the source, in columns and rows.
    x_step, y_step : ndarray of shape (W',), float64
        Columns and rows of the source that a row down the result goes on.
    """

    height: int
    x: np.ndarray
    y: np.ndarray
    x_step: np.ndarray
    y_step: np.ndarray

    @classmethod
    def straight(cls, height: int, width: int) -> Columns:
        """Return the paths that change nothing."""
        return cls(
            height,
            np.arange(width, dtype=np.float64),
            np.full(width, (height - 1) / 2),
            np.zeros(width),
            np.ones(width),
        )

    @property
    def width(self) -> int:
        """W', columns of the result."""
        return len(self.x)

    @property
    def along(self) -> np.ndarray:
        """Distance of each column from the middle one, in columns."""
        return np.arange(self.width) - (self.width - 1) / 2

    def stretched(self, factor: float) -> Columns:
        """Return `factor` times as many columns, at least `LEAST_WIDTH`."""
        width = max(round(self.width * factor), LEAST_WIDTH)
        old = np.arange(self.width)
        new = (np.arange(width) + 0.5) * (self.width / width) - 0.5
        paths = (np.interp(new, old, path) for path in (self.x, self.y, self.x_step, self.y_step))
        return Columns(self.height, *paths)

    def sample(self, pixels: np.ndarray) -> np.ndarray:
        """Read the line along the paths.

        Parameters
        ----------
        pixels : ndarray of shape (H, W), float32, C-contiguous

        Returns
        -------
        ndarray of shape (H, W'), float32
        """
        middle = (self.height - 1) / 2
        return resample_columns(
            pixels,
            self.x - self.x_step * middle,
            self.x_step,
            self.y - self.y_step * middle,
            self.y_step,
            self.height,
            1,
            1,
        )
