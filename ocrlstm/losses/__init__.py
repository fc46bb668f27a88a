"""What training makes small: losses of a batch of items, with their gradients.

Each takes ``(outputs, lengths, targets)``, the outputs being sequences (T, N, F) or images
(N, H, W, C), and gives the loss of every item (N,) in float64 and its gradient, shaped and typed as
the outputs. Gradients are not averaged over the batch, and what lies beyond an item's length counts
for nothing.

`ALIGNMENTS` take sequences of log posteriors and texts as lists of labels, and find out themselves
which frame belongs to which label. The others have a target for every value, or, as
`cross_entropy_loss`, a label for every frame.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ocrlstm.kernels.frames import minimum_frames
from ocrlstm.losses.binary_cross_entropy import binary_cross_entropy_loss
from ocrlstm.losses.cross_entropy import cross_entropy_loss
from ocrlstm.losses.ctc import ctc_loss
from ocrlstm.losses.hellinger import hellinger_loss
from ocrlstm.losses.hinge import hinge_loss
from ocrlstm.losses.logcosh import logcosh_loss
from ocrlstm.losses.mae import mae_loss
from ocrlstm.losses.masked import masked_loss
from ocrlstm.losses.mse import mse_loss
from ocrlstm.losses.ocropus import ocropus_loss
from ocrlstm.losses.seg import seg_loss
from ocrlstm.losses.smooth_l1 import smooth_l1_loss
from ocrlstm.losses.wgan import wgan_loss

__all__ = [
    "ALIGNMENTS",
    "LOSSES",
    "binary_cross_entropy_loss",
    "cross_entropy_loss",
    "ctc_loss",
    "hellinger_loss",
    "hinge_loss",
    "logcosh_loss",
    "mae_loss",
    "masked_loss",
    "minimum_frames",
    "mse_loss",
    "ocropus_loss",
    "seg_loss",
    "smooth_l1_loss",
    "wgan_loss",
]

LOSSES: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "binary_cross_entropy": binary_cross_entropy_loss,
    "cross_entropy": cross_entropy_loss,
    "ctc": ctc_loss,
    "hellinger": hellinger_loss,
    "hinge": hinge_loss,
    "logcosh": logcosh_loss,
    "mae": mae_loss,
    "masked": masked_loss,
    "mse": mse_loss,
    "ocropus": ocropus_loss,
    "seg": seg_loss,
    "smooth_l1": smooth_l1_loss,
    "wgan": wgan_loss,
}

#: Names of the losses that can train a line model.
ALIGNMENTS: tuple[str, ...] = ("ctc", "ocropus")
