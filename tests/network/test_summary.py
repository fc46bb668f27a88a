"""The table of layers, and the counting of multiply-adds."""

from fractions import Fraction

import pytest

from ocrlstm.layers import (
    LSTM,
    RNN,
    Bidirectional,
    Columns,
    Connected,
    Convolution,
    Identity,
    MaxPool,
    Parallel,
    Route,
    Shortcut,
    Softmax,
    Stacked,
    Upsample,
)
from ocrlstm.network import Network
from ocrlstm.network.summary import summarize


def network(shape, *layers):
    made = Network(input_shape=shape)
    for layer in layers:
        made.add(layer)
    return made


def products(made):
    return [line.products for line in summarize(made)]


def test_the_table():
    made = network(
        (8, None, 1),
        Convolution(4, 3, activation="relu"),
        MaxPool(2),
        Columns(),
        LSTM(5),
        Softmax(6),
    )
    assert made.summary() == TABLE.strip("\n")
    assert made.build().summary() == TABLE.strip("\n")


TABLE = """
layer                                          output shape   parameters  multiply-adds per frame
-------------------------------------------------------------------------------------------------
       input                                   8 x width x 1
Cr_0   Convolution(4, (3, 3), (1, 1), 'relu')  8 x width x 4          40                      576
Mp_1   MaxPool((2, 2), (2, 2))                 4 x width x 4           0                        0
S_2    Columns()                               frames x 16             0                        0
Lfx_3  LSTM(5)                                 frames x 5            455                      440
O_4    Softmax(6)                              frames x 6             36                       36
-------------------------------------------------------------------------------------------------
total                                                                531                    1,052
"""


def test_a_layer_before_a_subsampling_counts_all_columns_of_a_frame():
    # 9 weights a pixel, 4 rows: 36 a column, 12 columns to a frame
    made = network((4, None, 1), Convolution(1, 3), MaxPool((2, 3)), MaxPool((2, 4)), Columns())
    assert products(made)[0] == 36 * 12
    made = network((4, None, 1), MaxPool((2, 3)), Convolution(1, 3), MaxPool((2, 4)), Columns())
    assert products(made)[1] == 18 * 4


def test_a_layer_before_an_upsampling_counts_a_share():
    made = network((2, None, 1), Convolution(1, 3), Upsample(2))
    assert products(made) == [Fraction(18, 2), 0]
    assert "multiply-adds per column" in made.summary()


def test_branches():
    made = network(
        (4, None, 1),
        MaxPool((1, 2)),
        Parallel(Stacked(Convolution(2, 1), Convolution(3, 1)), Identity()),
        Columns(),
    )
    assert products(made)[1] == 4 * (1 * 2 + 2 * 3)


def test_a_series_that_subsamples_counts_for_each_of_its_columns():
    inner = Stacked(Convolution(1, 3), MaxPool(2), Convolution(1, 1))
    assert inner.products((4, None, 1)) == 2 * 36 + 2 * 1
    assert inner.products((4, 8, 1)) == 2 * 36 + 2 * 1
    assert products(network((4, None, 1), inner, Columns())) == [74, 0]
    assert Stacked(LSTM(3), Softmax(2)).products((None, 2)) == 4 * 3 * 6 + 2 * 4


def test_items_of_one_size_are_counted_whole():
    made = network((4, 6, 1), Convolution(2, 3), MaxPool(2), Columns(), Softmax(3))
    assert products(made) == [18 * 4 * 6, 0, 0, 3 * 5 * 3]
    assert "multiply-adds per item" in made.summary()
    assert products(network((1, 9), Connected(4))) == [36]


def test_what_is_done_once_whatever_the_length():
    made = network((None, 2), RNN(3, sequences=False), Connected(4))
    lines = summarize(made)
    assert [(line.products, line.once) for line in lines] == [(18, 0), (0, 12)]
    assert "multiply-adds per frame of the input" in made.summary()
    assert made.summary().endswith("18 + 12 an item")


def test_joins_cost_nothing():
    made = network((4, None, 1), Convolution(1, 3), Shortcut(-2), Route(-1, -2))
    assert [(line.parameters, line.products) for line in summarize(made)] == [
        (10, 36), (0, 0), (0, 0),
    ]  # fmt: skip


def test_items_that_become_several_are_counted_together():
    made = network((None, 2), Route(-1, -1, axis="batch"), Softmax(3))
    assert products(made) == [0, 9]


def test_long_layers_are_cut():
    line = network((None, 2), Stacked(*(Bidirectional(LSTM(3)) for _ in range(9)))).summary()
    assert "..." in line and max(map(len, line.splitlines())) < 140


@pytest.mark.parametrize(
    "spec", ["[1,48,0,1 Lbx100 O1c59]", "[1,48,0,1 Cr3,3,16 Mp2,2 Lbx100 O1c59]"]
)
def test_parameters_are_all_weights(spec):
    made = Network(spec)
    total = sum(weights.size for weights in made.parameters().values())
    assert sum(line.parameters for line in summarize(made)) == total
