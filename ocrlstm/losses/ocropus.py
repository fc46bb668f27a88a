"""The historical OCRopus loss: cross entropy to an alignment found by the network itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.kernels.ocropus_alignment import ocropus_line
from ocrlstm.losses.batch import loss_of_batch

__all__ = ["ocropus_loss"]


def ocropus_loss(
    log_posteriors: np.ndarray, lengths: np.ndarray, targets: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the OCRopus loss of each line and its gradient.

    A soft alignment A of the text to the frames is found from the posteriors (a blank between all
    labels, each state's posterior normalised over time; see
    `ocrlstm.kernels.reference.ocropus_alignment`), and is then taken as a fixed target: the loss
    is the cross entropy ``-sum(A * log_posteriors)`` and the gradient ``-A``. So the gradient is
    not the derivative of the loss where A moves with the posteriors, and the loss has no
    probability of the text in it; compare values of it with each other only.

    Use it to train as OCRopus does; `ctc_loss` is exact.

    Parameters
    ----------
    log_posteriors : ndarray (T, N, C)
        Natural logarithms of the posteriors, float32 or float64; label 0 is the blank.
    lengths : ndarray (N,) of int
        Valid frames of each line.
    targets : sequence of ndarray (L,) of int
        Labels of each line's text, without blanks.

    Returns
    -------
    losses : ndarray (N,) of float64
        Cross entropy of each line; inf where CTC too would find no room for the target.
    gradient : ndarray (T, N, C)
        Minus the alignment, summing to -1 in every valid frame, in the type of `log_posteriors`;
        0 beyond the length and for lines whose target has no room.
    """
    return loss_of_batch(ocropus_line, log_posteriors, lengths, targets)
