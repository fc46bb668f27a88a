"""What training makes small: losses of a batch of lines, with their gradients.

Each takes ``(log_posteriors (T, N, C), lengths (N,), targets)`` and gives the losses (N,) and the
gradient (T, N, C) with respect to `log_posteriors`, not averaged.
"""

from __future__ import annotations

from ocrlstm.kernels.frames import minimum_frames
from ocrlstm.losses.ctc import ctc_loss
from ocrlstm.losses.ocropus import ocropus_loss

__all__ = ["LOSSES", "ctc_loss", "minimum_frames", "ocropus_loss"]

LOSSES = {"ctc": ctc_loss, "ocropus": ocropus_loss}
