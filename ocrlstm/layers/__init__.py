"""The differentiable pieces of a network, one file each: forward, backward, weights."""

from ocrlstm.layers.avgpool import AvgPool
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
from ocrlstm.layers.shuffler import Shuffler
from ocrlstm.layers.softmax import Softmax
from ocrlstm.layers.stacked import Stacked
from ocrlstm.layers.upsample import Upsample

__all__ = [
    "LSTM",
    "AvgPool",
    "Columns",
    "Convolution",
    "Dropout",
    "Join",
    "Layer",
    "MaxPool",
    "Parallel",
    "Reversed",
    "SeriesPlan",
    "Shuffler",
    "Softmax",
    "Stacked",
    "Upsample",
    "bidirectional",
]
