"""Inputs of many items, as a user has them, made into the batches that a network takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

import numpy as np

from ocrlstm.layers.base import Shape
from ocrlstm.layers.masking import zero_beyond

__all__ = ["Inputs", "Items", "as_list", "check_finite", "fitted", "is_array", "valid_parts"]

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
    dtype : dtype
        In which the network computes.

    Attributes
    ----------
    lengths : ndarray of int64, shape (N,)
    size : int or None
        Columns or frames of an array, valid or not; None of a list.

    Raises
    ------
    ValueError
        If items are not of that shape, lengths do not fit them, or what lies within the lengths
        is no finite number of that type.
    """

    def __init__(self, x: Items, lengths: np.ndarray | None, shape: Shape, dtype: np.dtype) -> None:
        self.shape = shape
        self._items: np.ndarray | list[np.ndarray]
        if is_array(x):
            self._items = fitted(x, shape, "x", items=True)
            self.size: int | None = self._items.shape[-2]
            self.lengths = _checked_lengths(lengths, len(x), self._items.shape[-2])
            if shape[-2] is not None and (self.lengths != shape[-2]).any():
                raise ValueError(
                    f"all items of this network have {shape[-2]} columns or frames, "
                    f"not {self.lengths.min()} to {self.lengths.max()}"
                )
        else:
            if lengths is not None:
                raise ValueError("lengths go with an array; the items of a list have their own")
            self._items = [fitted(item, shape, f"x[{i}]") for i, item in enumerate(as_list(x, "x"))]
            self.size = None
            self.lengths = np.array([item.shape[-2] for item in self._items], np.int64)
        check_finite(valid_parts(self._items, self.lengths), dtype, "x")

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


def is_array(items: Items) -> TypeGuard[np.ndarray]:
    """Tell whether all items are one array, and not a list of arrays."""
    return isinstance(items, np.ndarray) and items.dtype != object


def as_list(items: Items, what: str) -> list[np.ndarray]:
    """Return the items of a list, or of an array, as arrays.

    Raises
    ------
    ValueError
        If there are no items in it, or one of them is no array.
    """
    try:
        found = list(items)
    except TypeError:
        raise ValueError(f"{what} must be an array or a list, not {type(items).__name__}") from None
    try:
        return [np.asarray(item) for item in found]
    except ValueError:
        raise ValueError(f"{what} holds lists of unequal lengths within an item") from None


def valid_parts(
    items: np.ndarray | Sequence[np.ndarray], lengths: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield what lies within the lengths: of every item, or of all at once where it is all."""
    if is_array(items) and (lengths == items.shape[-2]).all():
        yield items
        return
    for item, length in zip(items, lengths, strict=True):
        yield item[..., :length, :]


def check_finite(arrays: Iterable[np.ndarray], dtype: np.dtype, what: str) -> None:
    """Raise ValueError if a number is not finite, or would not be in another type."""
    most = np.finfo(dtype).max
    for array in arrays:
        if array.dtype.kind != "f" or array.size == 0:
            continue
        if not (-most <= array.min() and array.max() <= most):  # nan is no better than infinite
            raise ValueError(f"{what} holds numbers that are not finite in {dtype}")


def _checked_lengths(lengths: np.ndarray | None, items: int, size: int) -> np.ndarray:
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
            f"lengths must lie in 0 to {size}, the size of x, "
            f"not in {checked.min()} to {checked.max()}"
        )
    return checked.astype(np.int64)
