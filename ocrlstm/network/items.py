"""Inputs of many items, as a user has them, made into the batches that a network takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.layers.base import Shape
from ocrlstm.layers.masking import zero_beyond

__all__ = ["Inputs", "Items", "fitted"]

#: An array with the items first, or a list of arrays, one an item.
Items = np.ndarray | Sequence[np.ndarray]


class Inputs:
    """Images or sequences, items first.

    Parameters
    ----------
    x : ndarray or sequence of ndarray
        Images (N, H, W, C), sequences (N, T, F), vectors (N, F) where the shape has one frame; a
        last axis of size 1 may be left out. Or N items in a list, each without that first axis;
        widths and frames may then differ where the shape leaves them free.
    lengths : array_like of int, shape (N,), optional
        Valid columns or frames of the items of an array; all of them by default.
    shape : tuple
        (height, width, channels) or (frames, features); None where items may differ.
    what : str
        How messages call them.

    Attributes
    ----------
    lengths : ndarray of int64, shape (N,)
    size : int or None
        Columns or frames of an array, valid or not; None of a list.

    Raises
    ------
    ValueError
        If items are not of that shape or no finite numbers, or lengths do not fit them.
    """

    def __init__(self, x: Items, lengths: np.ndarray | None, shape: Shape, what: str = "x") -> None:
        self.shape = shape
        self._items: np.ndarray | list[np.ndarray]
        if isinstance(x, np.ndarray) and x.dtype != object:
            self._items = fitted(x, shape, what, items=True)
            _check_finite([self._items], what)
            self.size: int | None = self._items.shape[-2]
            self.lengths = _checked_lengths(lengths, len(x), self._items.shape[-2], what)
        else:
            if lengths is not None:
                raise ValueError("lengths go with an array; the items of a list have their own")
            self._items = [
                fitted(np.asarray(item), shape, f"{what}[{i}]") for i, item in enumerate(x)
            ]
            _check_finite(self._items, what)
            self.size = None
            self.lengths = np.array([item.shape[-2] for item in self._items], np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, numbers: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
        """Return the items of some numbers as a network takes them.

        Returns
        -------
        x : ndarray, shape (n, H, W, C) or (T, n, F)
            As wide as the longest of them; zero beyond each item's length.
        lengths : ndarray of int64, shape (n,)
        """
        lengths = self.lengths[numbers]
        size = self.shape[-2] or int(lengths.max(initial=0))
        if isinstance(self._items, np.ndarray):
            x = self._items[numbers][..., :size, :].astype(dtype)
        else:
            inner = (*self.shape[:-2], size, self.shape[-1])
            x = np.zeros((len(numbers), *(side or 0 for side in inner)), dtype)
            for place, number in enumerate(numbers):
                item = self._items[number]
                x[place, ..., : item.shape[-2], :] = item
        if len(self.shape) == 2:
            x = np.ascontiguousarray(x.swapaxes(0, 1))
        zero_beyond(x, lengths)
        return x, lengths


def fitted(array: np.ndarray, shape: Shape, what: str, *, items: bool = False) -> np.ndarray:
    """Return an array with the axes of a shape, those of size 1 put in where they were left out.

    Parameters
    ----------
    array : ndarray
    shape : tuple
        Of one item; None for any size.
    what : str
        How a message calls the array.
    items : bool, default=False
        Whether the array has an axis of items before those of the shape.

    Raises
    ------
    ValueError
        If it is not of that shape, or not of numbers.
    """
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what} must be numbers, not {array.dtype}")
    found = array
    missing = len(shape) + items - array.ndim
    if missing == 2 and shape == (1, 1):
        array, missing = array[..., None], 1
    if missing == 1 and len(shape) == 2 and shape[0] == 1:
        array = np.expand_dims(array, -2)
    elif missing == 1 and shape[-1] == 1:
        array = array[..., None]
    sizes = (None, *shape) if items else shape
    if array.ndim != len(sizes) or any(
        size not in (None, side) for size, side in zip(sizes, array.shape, strict=True)
    ):
        named = ["any" if size is None else str(size) for size in shape]
        expected = ", ".join(["items", *named] if items else named)
        raise ValueError(f"{what} must be of shape ({expected}), not {found.shape}")
    return array


def _check_finite(arrays: Sequence[np.ndarray], what: str) -> None:
    if not all(np.isfinite(array).all() for array in arrays if array.dtype.kind == "f"):
        raise ValueError(f"{what} holds numbers that are not finite")


def _checked_lengths(lengths: np.ndarray | None, items: int, size: int, what: str) -> np.ndarray:
    if lengths is None:
        return np.full(items, size, np.int64)
    checked = np.asarray(lengths)
    if checked.shape != (items,) or checked.dtype.kind not in "iu":
        raise ValueError(
            f"{items} items need {items} whole numbers as lengths, "
            f"not {checked.dtype} of shape {checked.shape}"
        )
    if checked.size and (checked.min() < 0 or checked.max() > size):
        raise ValueError(
            f"lengths must lie in 0 to {size}, the size of {what}, "
            f"not in {checked.min()} to {checked.max()}"
        )
    return checked.astype(np.int64)
