"""How weights follow their gradients: optimisers, clipping, schedules and averaging."""

from __future__ import annotations

from collections.abc import Callable

from ocrlstm.optimizers.adam import Adam
from ocrlstm.optimizers.adamw import AdamW
from ocrlstm.optimizers.average import MovingAverage
from ocrlstm.optimizers.clip import clip_by_norm
from ocrlstm.optimizers.momentum import Momentum
from ocrlstm.optimizers.optimizer import Optimizer
from ocrlstm.optimizers.schedules import constant, cosine, exponential, linear, one_cycle
from ocrlstm.optimizers.sgd import SGD

__all__ = [
    "OPTIMIZERS",
    "SCHEDULES",
    "SGD",
    "Adam",
    "AdamW",
    "Momentum",
    "MovingAverage",
    "Optimizer",
    "clip_by_norm",
]

OPTIMIZERS: dict[str, Callable[..., Optimizer]] = {
    "adam": Adam,
    "adamw": AdamW,
    "momentum": Momentum,
    "sgd": SGD,
}

SCHEDULES: dict[str, Callable[..., float]] = {
    "constant": constant,
    "cosine": cosine,
    "exponential": exponential,
    "linear": linear,
    "one_cycle": one_cycle,
}
