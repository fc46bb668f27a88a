"""Layers with a memory."""

from cases import Case
from ocrlstm.layers import LSTM, Reversed

ABOUT = {
    "LSTM": (
        "gi = s(WGI [1 x h'] + WIP c'), gf = s(WGF [1 x h'] + WFP c'), ci = tanh(WCI [1 x h']), "
        "c = gi ci + gf c', go = s(WGO [1 x h'] + WOP c), h = go tanh(c)",
        "OCRopus; Gers, Schraudolph and Schmidhuber, JMLR 3 (2002)",
    ),
    "Reversed": ("y(t) = f(x(n - 1 - t)) from each item's own end", "OCRopus"),
}

CASES = [
    Case("LSTM", lambda: LSTM(1), (None, 1), (1,)),
    Case("LSTM", lambda: LSTM(2), (None, 1), (2, 1)),
    Case("LSTM", lambda: LSTM(7), (None, 2), (9, 1, 4)),
    Case("LSTM", lambda: LSTM(9), (None, 7), (1, 7, 2)),
    Case("LSTM", lambda: LSTM(2), (None, 9), (5, 3, 0)),
    Case(
        "LSTM", lambda: LSTM(3), (None, 2), (4, 1, 2, 3, 4, 2, 1, 3, 4, 2, 1)
    ),  # more than a block of eight lines
    Case("LSTM", lambda: LSTM(7, peephole_at_start=False), (None, 2), (9, 1, 4)),
    Case("LSTM", lambda: LSTM(2, peephole_at_start=False), (None, 1), (1, 1)),
    Case("Reversed", lambda: Reversed(LSTM(7)), (None, 2), (9, 1, 4)),
    Case("Reversed", lambda: Reversed(LSTM(2, peephole_at_start=False)), (None, 7), (2, 7, 1)),
]
