"""How weights follow their gradients: optimisers, clipping, schedules and averaging.

An optimiser has a learning rate of its own, which `Optimizer.update` takes unless it is told
another. `SCHEDULES` are functions from the progress of a run to a factor on that rate;
`ReduceOnPlateau` is told what is measured instead, and so is none of them.
"""

from __future__ import annotations

from collections.abc import Callable

from ocrlstm.optimizers.adadelta import Adadelta
from ocrlstm.optimizers.adagrad import Adagrad
from ocrlstm.optimizers.adam import Adam
from ocrlstm.optimizers.adamax import Adamax
from ocrlstm.optimizers.adamw import AdamW
from ocrlstm.optimizers.average import MovingAverage
from ocrlstm.optimizers.clip import clip_by_norm, clip_by_value
from ocrlstm.optimizers.momentum import Momentum
from ocrlstm.optimizers.nesterov import NesterovMomentum
from ocrlstm.optimizers.optimizer import Optimizer
from ocrlstm.optimizers.plateau import ReduceOnPlateau
from ocrlstm.optimizers.rmsprop import RMSprop
from ocrlstm.optimizers.schedules import constant, cosine, exponential, linear, one_cycle
from ocrlstm.optimizers.sgd import SGD

__all__ = [
    "OPTIMIZERS",
    "SCHEDULES",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Momentum",
    "MovingAverage",
    "NesterovMomentum",
    "Optimizer",
    "RMSprop",
    "ReduceOnPlateau",
    "clip_by_norm",
    "clip_by_value",
    "constant",
    "cosine",
    "exponential",
    "linear",
    "one_cycle",
]

#: In the order of `ocrlstm train --help`: those to begin with first.
OPTIMIZERS: dict[str, Callable[..., Optimizer]] = {
    "adam": Adam,
    "adamw": AdamW,
    "adamax": Adamax,
    "momentum": Momentum,
    "nesterov": NesterovMomentum,
    "sgd": SGD,
    "rmsprop": RMSprop,
    "adagrad": Adagrad,
    "adadelta": Adadelta,
}

SCHEDULES: dict[str, Callable[..., float]] = {
    "constant": constant,
    "cosine": cosine,
    "exponential": exponential,
    "linear": linear,
    "one_cycle": one_cycle,
}
