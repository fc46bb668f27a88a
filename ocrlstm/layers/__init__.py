"""The differentiable pieces of a network, one file each: forward, backward, weights."""

from ocrlstm.layers.activation import Activation
from ocrlstm.layers.addition import Addition
from ocrlstm.layers.avgpool import AvgPool
from ocrlstm.layers.base import Layer
from ocrlstm.layers.batchnorm import BatchNorm
from ocrlstm.layers.bidirectional import Bidirectional, bidirectional
from ocrlstm.layers.columns import Columns
from ocrlstm.layers.connected import Connected
from ocrlstm.layers.connected_rnn import ConnectedRNN
from ocrlstm.layers.convolution import Convolution
from ocrlstm.layers.cost import Cost
from ocrlstm.layers.dropout import Dropout
from ocrlstm.layers.groupnorm import GroupNorm
from ocrlstm.layers.gru import GRU
from ocrlstm.layers.identity import Identity
from ocrlstm.layers.input import Input
from ocrlstm.layers.join import Join
from ocrlstm.layers.l1norm import L1Norm
from ocrlstm.layers.l2norm import L2Norm
from ocrlstm.layers.logistic import Logistic
from ocrlstm.layers.lstm import LSTM
from ocrlstm.layers.maxpool import MaxPool
from ocrlstm.layers.parallel import Parallel
from ocrlstm.layers.reshape import Reshape
from ocrlstm.layers.reversed import Reversed
from ocrlstm.layers.rnn import RNN
from ocrlstm.layers.route import Route
from ocrlstm.layers.series import SeriesPlan
from ocrlstm.layers.shortcut import Shortcut
from ocrlstm.layers.shuffler import Shuffler
from ocrlstm.layers.softmax import Softmax
from ocrlstm.layers.stacked import Stacked
from ocrlstm.layers.summary import Summary
from ocrlstm.layers.upsample import Upsample
from ocrlstm.layers.vertical import Vertical

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "Activation",
    "Addition",
    "AvgPool",
    "BatchNorm",
    "Bidirectional",
    "Columns",
    "Connected",
    "ConnectedRNN",
    "Convolution",
    "Cost",
    "Dropout",
    "GroupNorm",
    "Identity",
    "Input",
    "Join",
    "L1Norm",
    "L2Norm",
    "Layer",
    "Logistic",
    "MaxPool",
    "Parallel",
    "Reshape",
    "Reversed",
    "Route",
    "SeriesPlan",
    "Shortcut",
    "Shuffler",
    "Softmax",
    "Stacked",
    "Summary",
    "Upsample",
    "Vertical",
    "bidirectional",
]
