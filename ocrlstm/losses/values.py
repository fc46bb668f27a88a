"""What the losses of single values share: each value has a target, and an item's loss is a mean."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ocrlstm.losses.places import Places

__all__ = ["check_dense", "mean_over_values"]

# (outputs (M, F), targets (M, F)) -> losses (M, F) and their derivatives by the outputs (M, F)
Rule = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def mean_over_values(
    rule: Rule, outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of a loss of single values, and its gradient.

    Parameters
    ----------
    rule : callable
        Takes outputs and targets, both (M, F) in float64, and gives the loss of each value and its
        derivative.
    outputs : ndarray (T, N, F) or (N, H, W, C)
        What a network gave, float32 or float64.
    lengths : array_like (N,) of int
        Valid frames or columns of each item; what lies beyond them is not looked at.
    targets : array_like, shaped as `outputs`
        What it should have given; whole numbers and truth values are taken as floats.

    Returns
    -------
    losses : ndarray (N,) of float64
        The mean over the values within each item's length; 0 for an item of length 0.
    gradient : ndarray
        Derivative of each item's loss, shaped and typed as `outputs`, 0 beyond the lengths.

    Raises
    ------
    ValueError
        If shapes or lengths disagree, or the rule cannot take such values.
    """
    places = Places(outputs, lengths)
    values = check_dense(targets, outputs)
    losses, slopes = rule(places.rows(outputs), places.rows(values))
    return places.mean(losses.sum(axis=1), slopes, outputs.shape[-1])


def check_dense(targets: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Return targets as an array, or raise ValueError if they are not one number an output."""
    need = f"outputs of shape {outputs.shape} need numbers of the same shape as targets"
    try:
        array = np.asarray(targets)
    except ValueError as error:
        raise ValueError(f"{need}, not lists of unequal lengths") from error
    if array.shape != outputs.shape or array.dtype.kind not in "biuf":
        raise ValueError(f"{need}, not {array.dtype} of shape {array.shape}")
    return array
