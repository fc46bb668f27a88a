"""What outputs should be, as a user has it, made into what a loss takes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ocrlstm.layers.base import Shape
from ocrlstm.losses import ALIGNMENTS, minimum_frames
from ocrlstm.network.items import Items, fitted

__all__ = ["Targets", "make_targets"]


class Targets(ABC):
    """The targets of all items, items first."""

    @abstractmethod
    def batch(self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray) -> Any:
        """Return the targets of the items of some numbers, as a loss takes them.

        Parameters
        ----------
        numbers : ndarray of int, shape (n,)
        outputs : ndarray (T, n, F) or (n, H, W, C)
            What the network gave for these items.
        lengths : ndarray of int64, shape (n,)
            Valid frames or columns of each output.
        """

    def right(
        self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray
    ) -> tuple[int, int] | None:
        """Return how many frames or pixels have the right class, and how many there are.

        None where targets are no classes.
        """
        return None


class _Texts(Targets):
    """A list of labels an item; which frame belongs to which label is not known."""

    def __init__(self, y: Items, frames: np.ndarray) -> None:
        self._labels = [np.asarray(labels) for labels in y]
        for i, (labels, length) in enumerate(zip(self._labels, frames, strict=True)):
            if labels.ndim != 1 or (labels.size and labels.dtype.kind not in "iu"):
                raise ValueError(
                    f"y[{i}] must be a list of labels, not {labels.dtype} of shape {labels.shape}"
                )
            needed = minimum_frames(labels.astype(np.int64))
            if needed > length:
                raise ValueError(
                    f"y[{i}] has {len(labels)} labels, which need {needed} frames; "
                    f"the network gives {length}"
                )

    def batch(self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray) -> Any:
        return [self._labels[number] for number in numbers]


class _Labels(Targets):
    """The number of a class for every item, or for every frame or pixel of it."""

    def __init__(self, y: Items) -> None:
        self._labels = [np.asarray(labels) for labels in y]

    def batch(self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray) -> Any:
        return [
            self._labels[number][..., :length]
            if self._labels[number].ndim
            else self._labels[number]
            for number, length in zip(numbers, lengths, strict=True)
        ]

    def right(
        self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray
    ) -> tuple[int, int] | None:
        right = count = 0
        found = _items_first(outputs).argmax(axis=-1)
        labels = self.batch(numbers, outputs, lengths)
        for item, wanted, length in zip(found, labels, lengths, strict=True):
            same = item[..., :length] == wanted
            right += int(same.sum())
            count += same.size
        return right, count


class _Values(Targets):
    """A number for every output."""

    def __init__(self, y: Items, shape: Shape, lengths: np.ndarray, classes: bool) -> None:
        self._classes = classes
        self._values: np.ndarray | list[np.ndarray]
        if isinstance(y, np.ndarray) and y.dtype != object:
            self._values = fitted(y, shape, "y", items=True)
            size, most = self._values.shape[-2], int(lengths.max(initial=0))
            if size < most:
                raise ValueError(f"y has {size} frames or columns, the network gives up to {most}")
        else:
            self._values = [fitted(np.asarray(v), shape, f"y[{i}]") for i, v in enumerate(y)]
            for i, (value, length) in enumerate(zip(self._values, lengths, strict=True)):
                if value.shape[-2] != length:
                    raise ValueError(
                        f"y[{i}] has {value.shape[-2]} frames or columns, "
                        f"the network gives {length}"
                    )

    def batch(self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray) -> Any:
        targets = np.zeros(outputs.shape, outputs.dtype)
        for item, number, length in zip(_items_first(targets), numbers, lengths, strict=True):
            item[..., :length, :] = self._values[number][..., :length, :]
        return targets

    def right(
        self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray
    ) -> tuple[int, int] | None:
        if not self._classes:
            return None
        right = count = 0
        targets = self.batch(numbers, outputs, lengths)
        both = (_items_first(array).argmax(axis=-1) for array in (outputs, targets))
        for found, wanted, length in zip(*both, lengths, strict=True):
            same = (found == wanted)[..., :length]
            right += int(same.sum())
            count += same.size
        return right, count


def make_targets(y: Items, kind: str, shape: Shape, lengths: np.ndarray) -> Targets:
    """Return the targets of all items for a loss.

    Parameters
    ----------
    y : ndarray or sequence
        - for losses of `ALIGNMENTS`: a list of labels an item;
        - for "cross_entropy", or a loss of the user's own: whole numbers as the class of each item,
          (N,), where the network gives one frame or pixel, or of each of its frames, (N, T), or
          pixels, (N, H, W);
        - otherwise a number for every output: (N, T, F) or (N, H, W, C); (N, F) where there is one
          frame; a last axis of size 1 may be left out.

        Always an array, or a list with an entry an item. Where outputs differ in length, an entry
        of a list of numbers is as long as its output, and an array has padding.
    kind : str
        Name of the loss; empty for one of the user's own.
    shape : tuple
        Of an output.
    lengths : ndarray of int64, shape (N,)
        Frames or columns of every item's output.

    Raises
    ------
    ValueError
        If there are more or fewer targets than items, or they do not fit the outputs.
    """
    try:
        count = len(y)
    except TypeError:
        raise ValueError(f"y must be an array or a list, not {type(y).__name__}") from None
    if count != len(lengths):
        raise ValueError(f"{len(lengths)} items in x, but {count} in y")
    if kind in ALIGNMENTS:
        return _Texts(y, lengths)
    if kind in ("cross_entropy", "") and _are_labels(y, shape):
        return _Labels(y)
    try:
        return _Values(y, shape, lengths, kind == "cross_entropy")
    except ValueError as error:
        hint = "; classes are whole numbers" if kind == "cross_entropy" else ""
        raise ValueError(f"{error}{hint}") from None


def _are_labels(y: Items, shape: Shape) -> bool:
    """Whether whole numbers stand for classes, and not for a number an output."""
    for value in y:
        labels = np.asarray(value)
        if labels.size and labels.dtype.kind not in "iu":
            return False
        one_hot = shape[0] == 1 and labels.shape == shape[1:] != (1,)
        if labels.ndim == len(shape) or one_hot:
            return False
    return True


def _items_first(outputs: np.ndarray) -> np.ndarray:
    return outputs if outputs.ndim == 4 else outputs.swapaxes(0, 1)
