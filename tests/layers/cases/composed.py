"""Layers made of layers."""

from cases import Case
from ocrlstm.layers import (
    GRU,
    LSTM,
    RNN,
    AvgPool,
    Bidirectional,
    Columns,
    Convolution,
    Dropout,
    Parallel,
    Reversed,
    Softmax,
    Stacked,
    Vertical,
    bidirectional,
)

ABOUT = {
    "Parallel": ("y = [f1(x) f2(x) ...]", "OCRopus"),
    "Bidirectional": ("y = [f(x) Reversed(f')(x)]", "Schuster and Paliwal, 1997"),
    "Stacked": ("y = f2(f1(x))", "OCRopus"),
}

CASES = [
    Case("Parallel", lambda: Parallel(LSTM(2), Softmax(3), LSTM(1)), (None, 2), (4, 1, 7)),
    Case(
        "Parallel",
        lambda: Parallel(
            Convolution(2, 3, 2, "tanh"), AvgPool((1, 1), (2, 2)), Convolution(1, 1, 2)
        ),
        (7, None, 2),
        (9, 1, 7),
    ),
    Case(
        "Parallel",
        lambda: Parallel(LSTM(2, sequences=False), Reversed(GRU(1, sequences=False))),
        (None, 2),
        (7, 0, 2),
    ),
    Case("Parallel", lambda: Parallel(Vertical(RNN(2)), Convolution(1, 3)), (2, None, 1), (7, 2)),
    Case("Bidirectional", lambda: Bidirectional(GRU(2)), (None, 2), (7, 1, 4)),
    Case("Bidirectional", lambda: Bidirectional(RNN(3, sequences=False)), (None, 7), (2, 9, 0)),
    Case("Bidirectional", lambda: Vertical(Bidirectional(LSTM(2))), (2, None, 1), (7, 1)),
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
