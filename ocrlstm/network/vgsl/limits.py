"""Bounds on what a spec may ask for.

Specs come from strangers' files. The bounds are far above any sensible network and far below what
would exhaust the memory.
"""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.layers.base import Shape, Shapes
from ocrlstm.layers.series import WIDEST

__all__ = ["HIGHEST", "LARGEST", "Budget", "check_copies"]

#: Filters, states, classes, strides and the like.
LARGEST = 65_536
#: Rows of the input.
HIGHEST = 4_096
_MOST_LAYERS = 1_000
_MOST_WEIGHTS = 2**28  # 1 GB in float32
_MOST_VALUES = 2**18  # behind any layer, for each column or frame of the input
_MOST_COPIES = 64  # of an item, where items are joined to new ones
# Columns of the inputs that are looked at: a layer may widen narrow ones many times over.
_WIDTHS = (WIDEST, 1_024, 32, 1)
_NARROW = 64  # narrower inputs than this may be widened as if they were so wide


def check_copies(count: int) -> None:
    """Raise ValueError if too many items are made of one."""
    if count > _MOST_COPIES:
        raise ValueError(f"too large: {count} items of one, at most {_MOST_COPIES} are allowed")


class Budget:
    """Counts what the layers of a spec come to.

    Parameters
    ----------
    columns : int or None
        Columns or frames of the input; None where they differ from item to item.

    Attributes
    ----------
    columns : ndarray of int64
        Columns or frames of the inputs that are looked at.
    """

    def __init__(self, columns: int | None) -> None:
        self.columns = np.array(_WIDTHS if columns is None else [columns], np.int64)
        self._fixed = columns is not None
        self._layers = 0
        self._weights = 0

    def count_layer(self) -> None:
        """Count a layer or group of layers.

        Raises
        ------
        ValueError
            If they are too many.
        """
        self._layers += 1
        if self._layers > _MOST_LAYERS:
            raise ValueError(f"too large: at most {_MOST_LAYERS} layers are allowed")

    def add_weights(self, weights: Shapes) -> None:
        """Count the weights of a layer.

        Raises
        ------
        ValueError
            If they are too many with those before.
        """
        self._weights += sum(math.prod(size) for size in weights.values())
        if self._weights > _MOST_WEIGHTS:
            raise ValueError(
                f"too large: {self._weights} weights up to here, "
                f"at most {_MOST_WEIGHTS} are allowed"
            )

    def check_output(self, shape: Shape, columns: np.ndarray) -> None:
        """Look at the output of a layer.

        Parameters
        ----------
        shape : tuple
            (height, columns, channels) or (frames, features).
        columns : ndarray of int64
            How many columns or frames it has for each of `self.columns`, one after another for
            every copy of an item.

        Raises
        ------
        ValueError
            If it is empty or too large.
        """
        copies = columns.reshape(-1, len(self.columns))
        if copies[:, 0].min() < 1:
            what = "an input" if self._fixed else "a line"
            raise ValueError(f"leaves no frame even of {what} {self.columns[0]} pixels wide")
        check_copies(len(copies))
        values = math.prod(size or 1 for size in (*shape[:-2], shape[-1]))
        allowed = _MOST_VALUES * np.maximum(self.columns, _NARROW)
        if values > _MOST_VALUES:
            raise ValueError(
                f"too large: {values} values a column, at most {_MOST_VALUES} are allowed"
            )
        if (values * copies.sum(axis=0) > allowed).any():
            raise ValueError(
                f"too large: {values} values a column, and more columns than came in; at most "
                f"{_MOST_VALUES} for each that came are allowed"
            )
