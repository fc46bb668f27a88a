"""Learning rates over the course of training: functions from progress to a factor.

Progress runs from 0 at the first step to 1 at the last; what is outside is taken as the nearer end.
The factor, in [0, 1], is for the caller to multiply with his learning rate. Being functions of
progress alone they carry no state, so that a resumed run has nothing to restore.
"""

from __future__ import annotations

import math

__all__ = ["constant", "cosine", "exponential", "linear", "one_cycle"]


def constant(progress: float, warmup: float = 0.0) -> float:
    """Return 1 after the warm-up, a linear rise from 0 over that share of the run."""
    rise, _ = _split(progress, warmup)
    return rise


def linear(progress: float, warmup: float = 0.0) -> float:
    """Fall in a straight line from 1 to 0 after the warm-up.

    >>> linear(0.75)
    0.25
    """
    rise, rest = _split(progress, warmup)
    return rise * (1.0 - rest)


def cosine(progress: float, warmup: float = 0.0) -> float:
    """Fall from 1 to 0 along half a cosine after the warm-up (Loshchilov and Hutter, 2017).

    >>> round(cosine(0.5), 6)
    0.5
    """
    rise, rest = _split(progress, warmup)
    return rise * _half_cosine(rest)


def exponential(progress: float, warmup: float = 0.0, final: float = 0.01) -> float:
    """Fall from 1 to `final`, in (0, 1], by the same ratio in equal times after the warm-up.

    >>> round(exponential(0.5, final=0.01), 6)
    0.1
    """
    if not 0.0 < final <= 1.0:
        raise ValueError(f"final must lie in (0, 1], not {final}")
    rise, rest = _split(progress, warmup)
    return float(rise * final**rest)


def one_cycle(progress: float, warmup: float = 0.3, initial: float = 0.04) -> float:
    """Rise from `initial`, in [0, 1], to 1 and fall to 0, both along half a cosine.

    After Smith, 2018.

    >>> [round(one_cycle(p), 3) for p in (0.0, 0.3, 1.0)]
    [0.04, 1.0, 0.0]
    """
    if not 0.0 <= initial <= 1.0:
        raise ValueError(f"initial must lie in [0, 1], not {initial}")
    rise, rest = _split(progress, warmup)
    if rise < 1.0:
        return 1.0 - (1.0 - initial) * _half_cosine(rise)
    return _half_cosine(rest)


def _half_cosine(share: float) -> float:
    return 0.5 * (1.0 + math.cos(math.pi * share))


def _split(progress: float, warmup: float) -> tuple[float, float]:
    """Return how much of the warm-up and how much of what follows it is done, each in [0, 1]."""
    if not 0.0 <= warmup < 1.0:
        raise ValueError(f"warmup must lie in [0, 1), not {warmup}")
    progress = min(max(progress, 0.0), 1.0)
    if progress < warmup:
        return progress / warmup, 0.0
    return 1.0, (progress - warmup) / (1.0 - warmup)
