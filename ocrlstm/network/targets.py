"""What outputs should be, as a user has it, made into what a loss takes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from ocrlstm.layers.base import Shape
from ocrlstm.losses import ALIGNMENTS, minimum_frames
from ocrlstm.network.items import Items, as_list, check_finite, fitted, is_array, valid_parts

__all__ = ["Outputs", "Targets", "items_first", "make_targets"]


@dataclass(frozen=True)
class Outputs:
    """What a network gives for all items.

    Attributes
    ----------
    shape : tuple
        Of one output; None for any size.
    lengths : ndarray of int64, shape (N,)
        Frames or columns of every item's output.
    padded : int or None
        How many the outputs have with padding, where the inputs are an array.
    dtype : dtype
    """

    shape: Shape
    lengths: np.ndarray
    padded: int | None
    dtype: np.dtype

    @property
    def classes(self) -> int:
        """The last axis of an output."""
        return self.shape[-1] or 0

    def check_size(self, size: int) -> None:
        """Raise ValueError if an array of targets has neither all frames nor those with padding.

        A longer one would hide that its frames are not those of the outputs.
        """
        most = int(self.lengths.max(initial=0))
        if size not in (most, self.padded):
            raise ValueError(f"y has {size} frames or columns, the network gives up to {most}")


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

    def __init__(self, y: Items, outputs: Outputs) -> None:
        self._labels = as_list(y, "y")
        for i, (labels, length) in enumerate(zip(self._labels, outputs.lengths, strict=True)):
            if labels.ndim != 1 or (labels.size and labels.dtype.kind not in "iu"):
                raise ValueError(
                    f"y[{i}] must be a list of labels, not {labels.dtype} of shape {labels.shape}"
                )
            _check_labels(labels, 1, outputs.classes, i)
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

    def __init__(self, y: Items, outputs: Outputs, check: bool) -> None:
        self._labels: list[np.ndarray] = []
        padded = False
        if is_array(y) and y.ndim == len(outputs.shape):
            padded = True
            outputs.check_size(y.shape[-1])
        for i, (labels, length) in enumerate(zip(as_list(y, "y"), outputs.lengths, strict=True)):
            places = (*(side or 0 for side in outputs.shape[:-2]), int(length))
            if labels.ndim == 0 and math.prod(places) > 1:
                raise ValueError(
                    f"y[{i}] must be labels of shape {places}, one for each frame or pixel, "
                    "not one label"
                )
            if labels.ndim > 0:
                if labels.shape[:-1] != places[:-1] or not (padded or labels.shape == places):
                    raise ValueError(f"y[{i}] must be labels of shape {places}, not {labels.shape}")
                labels = labels[..., :length]
            if check:
                _check_labels(labels, 0, outputs.classes, i)
            self._labels.append(labels)

    def batch(self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray) -> Any:
        return [self._labels[number] for number in numbers]

    def right(
        self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray
    ) -> tuple[int, int] | None:
        return _count_right(outputs, self.batch(numbers, outputs, lengths), lengths)


class _Values(Targets):
    """A number for every output."""

    def __init__(self, y: Items, outputs: Outputs, kind: str) -> None:
        self._classes = kind == "cross_entropy"
        self._values: np.ndarray | list[np.ndarray]
        if is_array(y):
            self._values = fitted(y, outputs.shape, "y", items=True)
            outputs.check_size(self._values.shape[-2])
        else:
            self._values = [
                fitted(value, outputs.shape, f"y[{i}]") for i, value in enumerate(as_list(y, "y"))
            ]
            for i, (value, length) in enumerate(zip(self._values, outputs.lengths, strict=True)):
                if value.shape[-2] != length:
                    raise ValueError(
                        f"y[{i}] has {value.shape[-2]} frames or columns, "
                        f"the network gives {length}"
                    )
        if kind:  # a loss of the user's own may know what to do with nan
            check_finite(valid_parts(self._values, outputs.lengths), outputs.dtype, "y")

    def batch(self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray) -> Any:
        targets = np.zeros(outputs.shape, outputs.dtype)
        for item, number, length in zip(items_first(targets), numbers, lengths, strict=True):
            item[..., :length, :] = self._values[number][..., :length, :]
        return targets

    def right(
        self, numbers: np.ndarray, outputs: np.ndarray, lengths: np.ndarray
    ) -> tuple[int, int] | None:
        if not self._classes:
            return None
        wanted = items_first(self.batch(numbers, outputs, lengths)).argmax(axis=-1)
        labels = [item[..., :length] for item, length in zip(wanted, lengths, strict=True)]
        return _count_right(outputs, labels, lengths)


def make_targets(y: Items, kind: str, outputs: Outputs) -> Targets:
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
        of a list is as long as its output, and an array has padding.
    kind : str
        Name of the loss; empty for one of the user's own.
    outputs : Outputs
        What the network gives.

    Raises
    ------
    ValueError
        If there are more or fewer targets than items, they do not fit the outputs, are no labels
        of classes that there are, or no finite numbers.
    """
    try:
        count = len(y)
    except TypeError:
        raise ValueError(f"y must be an array or a list, not {type(y).__name__}") from None
    if count != len(outputs.lengths):
        raise ValueError(f"{len(outputs.lengths)} items in x, but {count} in y")
    if kind in ALIGNMENTS:
        return _Texts(y, outputs)
    if kind in ("cross_entropy", "") and _are_labels(y, outputs.shape):
        return _Labels(y, outputs, check=bool(kind))
    try:
        return _Values(y, outputs, kind)
    except ValueError as error:
        hint = "; classes are whole numbers" if kind == "cross_entropy" else ""
        raise ValueError(f"{error}{hint}") from None


def _are_labels(y: Items, shape: Shape) -> bool:
    """Whether whole numbers stand for classes, and not for a number an output."""
    for labels in as_list(y, "y"):
        if labels.size and labels.dtype.kind not in "iu":
            return False
        one_hot = shape[0] == 1 and labels.shape == shape[1:] != (1,)
        if labels.ndim == len(shape) or one_hot:
            return False
    return True


def _count_right(
    outputs: np.ndarray, wanted: list[np.ndarray], lengths: np.ndarray
) -> tuple[int, int]:
    """Return how many places have the class that is wanted there, and how many there are."""
    found = items_first(outputs).argmax(axis=-1)
    same = [
        item[..., :length] == labels
        for item, labels, length in zip(found, wanted, lengths, strict=True)
    ]
    return sum(int(part.sum()) for part in same), sum(part.size for part in same)


def _check_labels(labels: np.ndarray, least: int, classes: int, item: int) -> None:
    if labels.size and not least <= labels.min() <= labels.max() < classes:
        raise ValueError(
            f"y[{item}]: labels must lie in [{least}, {classes}), "
            f"not in [{labels.min()}, {labels.max()}]"
        )


def items_first(outputs: np.ndarray) -> np.ndarray:
    """Return outputs as a user has them: sequences (N, T, F) and images as they are."""
    return outputs if outputs.ndim == 4 else outputs.swapaxes(0, 1)
