"""The likeliest path of a text, among all paths there are: the oracle, for lines of few frames."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np

__all__ = ["ctc_path"]


def ctc_path(
    log_posteriors: np.ndarray, labels: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> float:
    """Find in which frames each label of a text stands; see `ocrlstm.kernels.ctc_path`."""
    best, best_path = -np.inf, None
    for path in product({0, *labels.tolist()}, repeat=len(log_posteriors)):
        if [label for label, _ in groupby(path) if label] != labels.tolist():
            continue
        score = sum(float(frame[label]) for frame, label in zip(log_posteriors, path, strict=True))
        if score > best:
            best, best_path = score, path
    if best_path is None:
        return -np.inf
    number = frame = 0
    for label, run in groupby(best_path):
        end = frame + len(list(run))
        if label:
            starts[number], ends[number] = frame, end
            number += 1
        frame = end
    return best
