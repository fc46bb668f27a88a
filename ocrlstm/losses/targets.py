"""Lengths and targets of a batch, checked before a kernel trusts them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.losses.lengths import check_lengths

__all__ = ["check_targets"]


def check_targets(
    log_posteriors: np.ndarray, lengths: np.ndarray, targets: Sequence[np.ndarray]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the lengths and targets as int64 arrays that a kernel can trust.

    Parameters
    ----------
    log_posteriors : ndarray (T, N, C)
        The batch they belong to.
    lengths : array_like (N,) of int
        Valid frames of each line.
    targets : sequence of array_like (L,) of int
        Labels of each line's text.

    Raises
    ------
    ValueError
        If the counts disagree, or a length or a label is out of range.
    """
    if log_posteriors.ndim != 3:
        raise ValueError(f"log_posteriors must be (T, N, C), not of shape {log_posteriors.shape}")
    frames, lines, classes = log_posteriors.shape
    checked_lengths = check_lengths(lengths, lines, frames)
    if len(targets) != lines:
        raise ValueError(f"{lines} lines have {len(targets)} targets")
    checked_targets = [_labels(target, classes) for target in targets]
    return checked_lengths, checked_targets


def _labels(target: np.ndarray, classes: int) -> np.ndarray:
    labels = np.asarray(target)
    if labels.ndim != 1 or (labels.size and labels.dtype.kind not in "iu"):
        raise ValueError(f"a target is a 1-D array of integers, not {labels.dtype} {labels.shape}")
    if labels.size and (labels.min() < 1 or labels.max() >= classes):
        raise ValueError(
            f"labels must lie in [1, {classes}), not in [{labels.min()}, {labels.max()}]"
        )
    return np.ascontiguousarray(labels, np.int64)
