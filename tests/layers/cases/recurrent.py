"""Layers with a memory, and what turns them round."""

from cases import Case
from ocrlstm.layers import (
    GRU,
    LSTM,
    RNN,
    AvgPool,
    ConnectedRNN,
    Convolution,
    Reversed,
    Stacked,
    Summary,
    Vertical,
)

ABOUT = {
    "LSTM": (
        "gi = s(WGI [1 x h'] + WIP c'), gf = s(WGF [1 x h'] + WFP c'), ci = tanh(WCI [1 x h']), "
        "c = gi ci + gf c', go = s(WGO [1 x h'] + WOP c), h = go tanh(c)",
        "OCRopus; Gers, Schraudolph and Schmidhuber, JMLR 3 (2002)",
    ),
    "LSTM without peepholes": (
        "gi = s(WGI [1 x h']), gf = s(WGF [1 x h']), ci = tanh(WCI [1 x h']), "
        "c = gi ci + gf c', go = s(WGO [1 x h']), h = go tanh(c)",
        "EpyNN; Gers, Schmidhuber and Cummins, Neural Computation 12 (2000)",
    ),
    "GRU": (
        "z = s(WZ [1 x h']), r = s(WR [1 x h']), n = tanh(bN + UN x + r (VN h' + bh)), "
        "h = (1 - z) n + z h'",
        "cuDNN, PyTorch; after Cho et al., EMNLP 2014",
    ),
    "GRU, reset before": (
        "z = s(WZ [1 x h']), r = s(WR [1 x h']), n = tanh(WN [1 x (r h')]), h = (1 - z) n + z h'",
        "EpyNN, NumPyNet; Cho et al., EMNLP 2014",
    ),
    "RNN": ("h = f(W [1 x h'])", "EpyNN; Elman, Cognitive Science 14 (1990)"),
    "ConnectedRNN": ("h = f(Wi x + bi) + f(Ws h' + bs), y = f(Wo h + bo)", "NumPyNet"),
    "Reversed": ("y(t) = f(x(n - 1 - t)) from each item's own end", "OCRopus"),
    "Summary": ("y = x(n - 1)", "VGSL s"),
    "Vertical": ("a layer of sequences over each column of an image", "VGSL y"),
}

# More lines than the kernels multiply at once.
MANY = (4, 1, 2, 3, 4, 2, 1, 3, 4, 2, 1)

CASES = [
    Case("LSTM", lambda: LSTM(1), (None, 1), (1,)),
    Case("LSTM", lambda: LSTM(2), (None, 1), (2, 1)),
    Case("LSTM", lambda: LSTM(7), (None, 2), (9, 1, 4)),
    Case("LSTM", lambda: LSTM(9), (None, 7), (1, 7, 2)),
    Case("LSTM", lambda: LSTM(2), (None, 9), (5, 3, 0)),
    Case("LSTM", lambda: LSTM(3), (None, 2), MANY),
    Case("LSTM", lambda: LSTM(7, peephole_at_start=False), (None, 2), (9, 1, 4)),
    Case("LSTM", lambda: LSTM(2, peephole_at_start=False), (None, 1), (1, 1)),
    Case("LSTM", lambda: LSTM(7, sequences=False), (None, 2), (9, 1, 0, 4)),
    Case("LSTM", lambda: LSTM(1, sequences=False), (7, 9), (7, 7)),
    Case("LSTM without peepholes", lambda: LSTM(7, peepholes=False), (None, 9), (2, 9, 1)),
    Case("LSTM without peepholes", lambda: LSTM(1, peepholes=False), (None, 1), (1,)),
    Case(
        "LSTM without peepholes",
        lambda: LSTM(2, peepholes=False, sequences=False),
        (None, 7),
        (7, 0, 2),
    ),
    Case("GRU", lambda: GRU(1), (None, 1), (1,)),
    Case("GRU", lambda: GRU(2), (None, 1), (2, 1)),
    Case("GRU", lambda: GRU(7), (None, 2), (9, 1, 4)),
    Case("GRU", lambda: GRU(9), (None, 7), (1, 7, 2)),
    Case("GRU", lambda: GRU(2), (None, 9), (5, 3, 0)),
    Case("GRU", lambda: GRU(3), (None, 2), MANY),
    Case("GRU", lambda: GRU(7, sequences=False), (None, 2), (9, 1, 0, 4)),
    Case("GRU, reset before", lambda: GRU(1, reset_after=False), (None, 1), (1,)),
    Case("GRU, reset before", lambda: GRU(7, reset_after=False), (None, 2), (9, 1, 4)),
    Case("GRU, reset before", lambda: GRU(2, reset_after=False), (None, 9), (5, 3, 0)),
    Case("GRU, reset before", lambda: GRU(3, reset_after=False), (None, 2), MANY),
    Case(
        "GRU, reset before",
        lambda: GRU(9, reset_after=False, sequences=False),
        (None, 7),
        (7, 0, 2, 1),
    ),
    Case("RNN", lambda: RNN(1), (None, 1), (1,)),
    Case("RNN", lambda: RNN(7), (None, 2), (9, 1, 4)),
    Case("RNN", lambda: RNN(2), (None, 9), (5, 3, 0)),
    Case("RNN", lambda: RNN(3), (None, 2), MANY),
    Case("RNN", lambda: RNN(9, "logistic"), (None, 7), (1, 7, 2)),
    Case("RNN", lambda: RNN(2, "linear"), (None, 1), (2, 1)),
    Case("RNN", lambda: RNN(7, "gelu"), (None, 2), (7, 9)),
    # test_rnn.py tells that none of their sums is near the rectifier's kink.
    Case("RNN", lambda: RNN(2, "relu"), (None, 2), (2, 1)),
    Case("RNN", lambda: RNN(7, "relu"), (None, 2), (9, 1, 4)),
    Case("RNN", lambda: RNN(7, sequences=False), (None, 2), (9, 1, 0, 4)),
    Case("ConnectedRNN", lambda: ConnectedRNN(1, 1), (None, 1), (1,)),
    Case("ConnectedRNN", lambda: ConnectedRNN(7, 9), (None, 2), (9, 1, 4)),
    Case("ConnectedRNN", lambda: ConnectedRNN(2, 7, "logistic"), (None, 9), (5, 3, 0)),
    Case("ConnectedRNN", lambda: ConnectedRNN(3, 2, "swish"), (None, 2), MANY),
    Case("ConnectedRNN", lambda: ConnectedRNN(7, 2, sequences=False), (None, 2), (9, 1, 0, 4)),
    Case("Reversed", lambda: Reversed(LSTM(7)), (None, 2), (9, 1, 4)),
    Case("Reversed", lambda: Reversed(LSTM(2, peephole_at_start=False)), (None, 7), (2, 7, 1)),
    Case("Reversed", lambda: Reversed(GRU(7, sequences=False)), (None, 2), (9, 1, 0, 4)),
    Case("Reversed", lambda: Reversed(Convolution(2, (2, 3))), (2, None, 7), (7, 1, 2)),
    # Of odd widths the pools leave a column out, on the side that comes last.
    Case("Reversed", lambda: Reversed(AvgPool(2)), (7, None, 2), (9, 2, 7)),
    Case("Reversed", lambda: Reversed(AvgPool(2), "y"), (7, None, 2), (9, 2, 7)),
    Case("Reversed", lambda: Reversed(Vertical(RNN(2)), "y"), (7, None, 1), (2, 1)),
    Case("Summary", lambda: Summary(), (None, 7), (9, 1, 0, 4)),
    Case("Summary", lambda: Summary(), (2, None, 7), (9, 1, 0, 4)),
    Case("Summary", lambda: Summary("y"), (7, None, 2), (9, 1, 0, 4)),
    Case("Summary", lambda: Stacked(GRU(2), Summary()), (None, 1), (2, 1, 7)),
    Case("Vertical", lambda: Vertical(LSTM(2)), (7, None, 2), (9, 1, 0, 2)),
    Case("Vertical", lambda: Vertical(LSTM(2, sequences=False)), (7, None, 1), (2, 7)),
    Case("Vertical", lambda: Vertical(Reversed(GRU(1))), (9, None, 2), (2, 1)),
    Case("Vertical", lambda: Vertical(RNN(7, sequences=False)), (1, None, 9), (1,)),
]
