"""Layers of several inputs, and whole networks with them."""

from copy import deepcopy

from cases import Case
from ocrlstm.layers import (
    LSTM,
    Addition,
    Columns,
    Convolution,
    Dropout,
    Identity,
    MaxPool,
    Parallel,
    Route,
    Shortcut,
    Softmax,
    Stacked,
    bidirectional,
)

ABOUT = {
    "Shortcut": ("y = f(alpha x + beta earlier)", "He et al., 2016; darknet and NumPyNet"),
    "Route": ("y = [earlier1 earlier2 ...]", "darknet and NumPyNet"),
    "Addition": ("y[c] = x[c] + x[chunk + c] + ...", "kraken A"),
    "Identity": ("y = x", "kraken I"),
}


def shortcut(front, *arguments, **more):
    """A layer, and past it a shortcut from its input."""
    return lambda: Stacked(deepcopy(front), Shortcut(-2, *arguments, **more))


CASES = [
    Case("Shortcut", shortcut(LSTM(2)), (None, 2), (4, 1, 7)),
    Case("Shortcut", shortcut(LSTM(4), -0.5, 1.5), (None, 2), (3, 9)),
    Case("Shortcut", shortcut(LSTM(1), 0.5, activation="tanh"), (None, 7), (2, 1)),
    Case("Shortcut", shortcut(Convolution(3, 3)), (7, None, 3), (9, 1, 2)),
    Case("Shortcut", shortcut(Convolution(2, 3), 2, -1, "logistic"), (2, None, 7), (7, 1)),
    Case("Shortcut", shortcut(Convolution(3, 1), 0.5, 2, "gelu"), (1, None, 1), (2, 9)),
    # the earlier output larger, read with a stride: rounded up, rounded down, by three
    Case("Shortcut", shortcut(Convolution(3, 3, 2), 0.5, 2), (7, None, 2), (9, 4, 1)),
    Case("Shortcut", shortcut(Convolution(1, 3, 3)), (7, None, 2), (9, 7, 2)),
    Case("Shortcut", shortcut(MaxPool(2), 1, 0.5), (7, None, 2), (9, 2, 7), "distinct"),
    Case("Shortcut", shortcut(MaxPool(3)), (9, None, 1), (9, 7), "distinct"),
    # the earlier output smaller, spread with a stride
    *(
        Case(
            "Shortcut",
            lambda step=step, channels=channels: Stacked(
                Convolution(channels, 3, step), Route(-2), Shortcut(-2, 0.5, 2, "logistic")
            ),
            (7, None, 2),
            (9, 1, 4),
        )
        for step, channels in ((2, 3), (3, 1))
    ),
    Case(
        "Shortcut",
        lambda: Stacked(MaxPool(2), Route(-2), Shortcut(-2)),
        (9, None, 1),
        (7, 2),
        "distinct",
    ),
    # an output that feeds two layers, and the input three
    Case(
        "Shortcut",
        lambda: Stacked(
            LSTM(2),
            LSTM(2),
            Shortcut(-2),
            LSTM(2),
            Shortcut("x", 0.5),
            names=["x", None, None, None, None],
        ),
        (None, 2),
        (7, 2),
    ),
    Case(
        "Shortcut",
        lambda: Stacked(Shortcut(-1), Shortcut(-2, 0.5), Shortcut(-3, activation="tanh")),
        (None, 3),
        (2, 1, 7),
    ),
    Case("Route", lambda: Stacked(LSTM(2), Route(-1, -2)), (None, 1), (2, 7)),
    Case("Route", lambda: Stacked(Convolution(2, 3), Route(-2, -1, -2)), (7, None, 1), (9, 1, 2)),
    Case("Route", lambda: Stacked(LSTM(2), Route(-2, -1, axis="batch")), (None, 2), (1, 7)),
    Case(
        "Route",
        lambda: Stacked(
            MaxPool((1, 2)), Route(-1, -2, axis="batch"), Convolution(2, 3, activation="tanh")
        ),
        (2, None, 1),
        (7, 2, 1),
        "distinct",
    ),
    # what nothing leads on from gets no gradient
    Case("Route", lambda: Stacked(LSTM(2), LSTM(3), Route(-2), LSTM(1)), (None, 2), (7, 1)),
    Case("Route", lambda: Stacked(LSTM(2), Route(-2)), (None, 2), (1, 2)),
    Case("Addition", lambda: Addition(1), (None, 1), (2, 1)),
    Case("Addition", lambda: Addition(2), (None, 6), (7, 1, 2)),
    Case("Addition", lambda: Addition(3), (2, None, 9), (2, 9)),
    Case("Addition", lambda: Addition(3, "height"), (9, None, 2), (7, 1)),
    Case("Addition", lambda: Addition(1, "height"), (7, None, 1), (1, 2)),
    Case("Identity", lambda: Identity(), (None, 2), (7, 1)),
    Case("Identity", lambda: Identity(), (2, None, 1), (9, 2)),
    Case(
        "Addition",
        lambda: Stacked(
            Parallel(Stacked(Convolution(2, 3), Convolution(2, 3)), Identity()), Addition(2)
        ),
        (7, None, 2),
        (9, 1),
    ),
    # whole networks
    Case(
        "Stacked",
        lambda: Stacked(
            Convolution(3, 3, activation="tanh"),
            Convolution(3, 3),
            Shortcut(-2, activation="tanh"),
            Convolution(4, 3, 2, "tanh"),
            Shortcut(-2, 0.5, 0.25),
            Columns(),
            bidirectional(2),
            Dropout(0.3),
            Route(-1, -3),
            Softmax(3),
        ),
        (7, None, 1),
        (9, 1, 4),
    ),
    Case(
        "Stacked",
        lambda: Stacked(
            LSTM(3),
            Stacked(LSTM(3), Shortcut(-2)),
            Parallel(Identity(), Stacked(LSTM(2), Route(-2, -1))),
            Shortcut("first", 1, -1),
            Softmax(2, log=False),
            names=["first", None, None, None, None],
        ),
        (None, 2),
        (7, 2, 1),
    ),
]
