"""Layers that connect all with all."""

from cases import Case
from ocrlstm.layers import Connected, Input, Stacked

ABOUT = {
    "Connected": ("y = f(W x + b)", "NumPyNet; EpyNN"),
    "Input": ("y = x", "NumPyNet"),
}


def connected(activation):
    return lambda: Connected(2, activation)


SMOOTH = ("logistic", "loggy", "tanh", "elliot", "symmelliot", "softplus", "softsign")
SMOOTH += ("gelu", "swish")
# Whole sums and half a one as bias: never at a kink.
KINKED = ("relu", "leaky", "relie", "ramp", "plse", "stair", "hardtan", "lhtan", "elu", "selu")
KINKED += ("hardswish",)

CASES = [
    Case("Input", lambda: Input((None, 2)), (None, 2), (7, 1)),
    Case("Input", lambda: Input((2, 9, 1)), (2, 9, 1), (9, 2)),
    Case("Connected", lambda: Connected(1), (None, 1), (1,)),
    Case("Connected", lambda: Connected(7), (None, 2), (9, 1, 2)),
    Case("Connected", lambda: Connected(2, bias=False), (None, 7), (2, 0, 9)),
    Case("Connected", lambda: Connected(9, "tanh", initializer="he"), (1, 7), (1, 1)),
    # Images as wide as the weights want, and narrower ones.
    Case("Connected", lambda: Connected(2), (1, 1, 1), (1,)),
    Case("Connected", lambda: Connected(7, "logistic"), (2, 7, 1), (7, 2, 7)),
    Case("Connected", lambda: Connected(2, "swish", bias=False), (7, 2, 2), (2, 0, 1)),
    Case("Connected", lambda: Connected(2, initializer="ocropus"), (1, 9, 2), (9, 9)),
    Case("Connected", lambda: Stacked(Connected(7, "gelu"), Connected(2)), (2, 2, 9), (2, 1, 2)),
    *(Case("Connected", connected(name), (None, 7), (2, 1)) for name in SMOOTH),
    *(Case("Connected", connected(name), (None, 7), (2, 1), "whole") for name in KINKED),
]
