"""Class labels as targets: one for every frame or pixel that counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.losses.places import Places

__all__ = ["labels_of_places"]


def labels_of_places(
    targets: np.ndarray | Sequence[np.ndarray], places: Places, classes: int
) -> np.ndarray:
    """Return the label of every place, as int64 (M,).

    Parameters
    ----------
    targets : array_like (N,) of int, or sequence of N array_like of int
        One label an item where the outputs have one frame or pixel; otherwise an array an item,
        (length,) for sequences and (H, length) for images.
    places : Places
        Where the labels belong.
    classes : int
        Labels are below this.

    Raises
    ------
    ValueError
        If counts or shapes disagree, or a label is no whole number from 0 to `classes` - 1.
    """
    if len(targets) != places.items:
        raise ValueError(f"{places.items} items have {len(targets)} targets")
    grid = np.zeros(places.inside.shape, np.int64)
    if _one_each(targets):
        if grid.size != places.items:
            raise ValueError(
                f"outputs with {grid.size // places.items} places an item need an array of labels "
                "for each, not one label"
            )
        grid[:] = _check(np.asarray(targets), classes).reshape(grid.shape)
        return grid[places.inside]
    for i, (target, length) in enumerate(zip(targets, places.lengths, strict=True)):
        labels = np.asarray(target)
        part = grid[i, :, :length] if grid.ndim == 3 else grid[:length, i]
        if labels.shape != part.shape:
            raise ValueError(
                f"item {i} needs labels of shape {part.shape}, not of shape {labels.shape}"
            )
        part[:] = _check(labels, classes)
    return grid[places.inside]


def _one_each(targets: np.ndarray | Sequence[np.ndarray]) -> bool:
    if isinstance(targets, np.ndarray) and targets.dtype != object:
        return targets.ndim == 1
    return all(np.ndim(target) == 0 for target in targets)


def _check(labels: np.ndarray, classes: int) -> np.ndarray:
    if labels.size and labels.dtype.kind not in "iu":
        raise ValueError(f"labels must be whole numbers, not {labels.dtype}")
    if labels.size and (labels.min() < 0 or labels.max() >= classes):
        raise ValueError(
            f"labels must lie in [0, {classes}), not in [{labels.min()}, {labels.max()}]"
        )
    return labels
