"""A loss of one line, taken over the lines of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ocrlstm.kernels.threads import run_parallel
from ocrlstm.losses.targets import check_targets

__all__ = ["loss_of_batch"]

# (log_posteriors (T, N, C), line, frames, labels, gradient (T, N, C)) -> loss of the line
LineKernel = Callable[[np.ndarray, int, int, np.ndarray, np.ndarray], float]


def loss_of_batch(
    kernel: LineKernel,
    log_posteriors: np.ndarray,
    lengths: np.ndarray,
    targets: Sequence[np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the losses (N,) in float64 and the gradient (T, N, C) in the type of the input.

    Each line is on its own: neither its neighbours nor the frames beyond its length are looked
    at, and the gradient of those frames is 0.
    """
    lengths, targets = check_targets(log_posteriors, lengths, targets)
    log_posteriors = np.ascontiguousarray(log_posteriors)
    gradient = np.zeros_like(log_posteriors)
    jobs = [
        (log_posteriors, line, int(frames), labels, gradient)
        for line, (frames, labels) in enumerate(zip(lengths, targets, strict=True))
    ]
    return np.array(run_parallel(kernel, jobs), np.float64), gradient
