"""Layers made of layers."""

from cases import Case
from ocrlstm.layers import (
    LSTM,
    Columns,
    Convolution,
    Dropout,
    Parallel,
    Softmax,
    Stacked,
    bidirectional,
)

ABOUT = {
    "Parallel": ("y = [f1(x) f2(x) ...]", "OCRopus"),
    "Bidirectional": ("Parallel(LSTM, Reversed(LSTM))", "Schuster and Paliwal, 1997"),
    "Stacked": ("y = f2(f1(x))", "OCRopus"),
}

CASES = [
    Case("Parallel", lambda: Parallel(LSTM(2), Softmax(3), LSTM(1)), (None, 2), (4, 1, 7)),
    Case("Bidirectional", lambda: bidirectional(1), (None, 1), (1, 2)),
    Case("Bidirectional", lambda: bidirectional(4), (None, 3), (7, 1, 5)),
    Case("Bidirectional", lambda: bidirectional(3, peephole_at_start=False), (None, 2), (2, 7)),
    Case("Stacked", lambda: Stacked(bidirectional(3), bidirectional(2)), (None, 2), (7, 1, 4)),
    Case(
        "Stacked",
        lambda: Stacked(bidirectional(2), Dropout(0.4), bidirectional(2), Softmax(3)),
        (None, 3),
        (5, 1, 7),
    ),
    Case(
        "Stacked",
        lambda: Stacked(
            Convolution(2, 3, 2, "tanh"),
            Convolution(2, 3, activation="logistic"),
            Columns(),
            bidirectional(2),
        ),
        (7, None, 1),
        (9, 1, 4),
    ),
]
