"""The differentiable pieces of a network, one file each: forward, backward, weights."""

from ocrlstm.layers.base import Layer
from ocrlstm.layers.columns import Columns
from ocrlstm.layers.convolution import Convolution
from ocrlstm.layers.dropout import Dropout
from ocrlstm.layers.join import Join
from ocrlstm.layers.lstm import LSTM
from ocrlstm.layers.maxpool import MaxPool
from ocrlstm.layers.parallel import Parallel, bidirectional
from ocrlstm.layers.reversed import Reversed
from ocrlstm.layers.series import SeriesPlan
from ocrlstm.layers.softmax import Softmax
from ocrlstm.layers.stacked import Stacked

__all__ = [
    "LSTM",
    "Columns",
    "Convolution",
    "Dropout",
    "Join",
    "Layer",
    "MaxPool",
    "Parallel",
    "Reversed",
    "SeriesPlan",
    "Softmax",
    "Stacked",
    "bidirectional",
]
