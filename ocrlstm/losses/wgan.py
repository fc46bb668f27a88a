"""The loss of a Wasserstein critic."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["wgan_loss"]


def wgan_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``-x`` where the target is not 0 and of ``x`` where it is.

    A critic learns by it to score true samples (target 1) high and made ones (target 0) low; the
    derivative of a value is -1 or 1 (Arjovsky, Chintala and Bottou, "Wasserstein GAN", ICML 2017).
    NumPyNet's derivative has the wrong sign.

    Parameters
    ----------
    outputs, lengths, targets
        As in `ocrlstm.losses.values.mean_over_values`.

    Returns
    -------
    losses : ndarray (N,) of float64
    gradient : ndarray, shaped and typed as `outputs`

    Raises
    ------
    ValueError
        If shapes or lengths disagree.
    """
    return mean_over_values(_rule, outputs, lengths, targets)


def _rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    sign = np.where(t != 0.0, -1.0, 1.0)
    return sign * x, sign
