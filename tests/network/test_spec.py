"""VGSL specs: every token, and one clear refusal for each thing that cannot be."""

import tracemalloc

import numpy as np
import pytest

from ocrlstm.errors import SpecError
from ocrlstm.layers import Convolution, Dropout, MaxPool
from ocrlstm.network import Network, parse_spec

OCROPUS = "[1,48,0,1 Lbx100 O1c]"
CONVOLUTIONAL = (
    "[1,48,0,1 Cr3,3,16 Mp2,2 Cr3,3,32 Mp2,2 S1(1x0)1,3 Lbx128 Do0.5 O1c]"  # of the issue
)


def layers(spec, classes=None):
    return [repr(named.layer) for named in parse_spec(spec, classes).layers]


def names(spec):
    return [named.name for named in parse_spec(spec).layers]


@pytest.mark.parametrize(
    ("token", "layer"),
    [
        ("Cr3,5,16", "Convolution(16, (3, 5), (1, 1), 'relu')"),
        ("Cs3,3,2", "Convolution(2, (3, 3), (1, 1), 'logistic')"),
        ("Ct1,1,7", "Convolution(7, (1, 1), (1, 1), 'tanh')"),
        ("Cl2,9,1", "Convolution(1, (2, 9), (1, 1), 'linear')"),
        ("Cr3,3,16,2,1", "Convolution(16, (3, 3), (2, 1), 'relu')"),
        ("Cr{edges}3,3,16", "Convolution(16, (3, 3), (1, 1), 'relu')"),
        ("Mp2,3", "MaxPool((2, 3), (2, 3))"),
        ("Mp3,2,1,4", "MaxPool((3, 2), (1, 4))"),
        ("Do0.5", "Dropout(0.5)"),
        ("Do.25", "Dropout(0.25)"),
        ("Do0", "Dropout(0.0)"),
        ("Do0.1,2", "Dropout(0.1)"),
    ],
)
def test_tokens_before_the_columns(token, layer):
    assert layers(f"[1,48,0,1 {token} S1(1x0)1,3 O1c7]") == [layer, "Columns()", "Softmax(7)"]


@pytest.mark.parametrize(
    ("token", "layer"),
    [
        ("Lfx7", "LSTM(7)"),
        ("Lrx7", "Reversed(LSTM(7))"),
        ("Lbx7", "Parallel(LSTM(7), Reversed(LSTM(7)))"),
        ("Lbx{reader}7", "Parallel(LSTM(7), Reversed(LSTM(7)))"),
        ("Do0.5", "Dropout(0.5)"),
    ],
)
def test_tokens_behind_the_columns(token, layer):
    assert layers(f"[1,48,0,1 S1(1x0)1,3 {token} O1c7]") == ["Columns()", layer, "Softmax(7)"]


def test_dropout_of_channels():
    flags = [
        named.layer.channels
        for named in parse_spec("[1,8,0,1 Do0.1 Do0.1,1 Do0.1,2 O1c2]").layers
        if isinstance(named.layer, Dropout)
    ]
    assert flags == [False, False, True]


def test_columns_that_are_not_written():
    assert layers(OCROPUS, 5)[0] == "Columns()"
    assert layers("[1,48,0,1 Cr3,3,2 Mp2,2 Do0.5 Lbx2 O1c5]")[3] == "Columns()"
    assert names("[1,48,0,1 O1c5]") == ["columns", "O_0"]


def test_names_of_layers_are_part_of_the_model_file():
    assert names("[1,48,0,1 Cr3,3,2 Mp2,2 S1(1x0)1,3 Lbx{reader}2 Lfx3 Do0.5 O1c5]") == [
        "Cr_0", "Mp_1", "S_2", "reader", "Lfx_4", "Do_5", "O_6",
    ]  # fmt: skip


def test_number_of_classes():
    assert Network(OCROPUS, 7).classes == 7
    assert Network("[1,48,0,1 Lbx100 O1c7]").classes == 7
    assert Network("[1,48,0,1 Lbx100 O1c7]", 7).classes == 7


@pytest.mark.parametrize(
    ("spec", "classes"),
    [
        (OCROPUS, 4),
        (CONVOLUTIONAL, 9),
        ("[1,48,0,1 Lbx100 O1c7]", None),
        ("  [ 1,16,0,1\tCr3,3,2,2,1\n Lbx{a}3 O{out}1c ]  ", 4),
        ("[1,48,0,1 O1c{out}]", 4),
        ("[1,48,0,1 O1{out}c4]", 4),
    ],
)
def test_round_trip(spec, classes):
    network = Network(spec, classes)
    again = Network(network.spec)
    assert again.spec == network.spec
    assert again.classes == network.classes
    shapes = {name: array.shape for name, array in network.parameters().items()}
    assert {name: array.shape for name, array in again.parameters().items()} == shapes


REFUSED = [
    # spec, classes, what the message tells
    ("1,48,0,1 Lbx100 O1c5", None, "square brackets"),
    ("[1,48,0,1 Lbx100 O1c5", None, "square brackets"),
    ("", None, "square brackets"),
    ("[]", None, "is empty"),
    ("[ ]", None, "is empty"),
    ("[Lbx100 O1c5]", None, "'Lbx100' at character 2: expected the input"),
    ("[1,48,0 O1c5]", None, "'1,48,0' at character 2: expected the input"),
    ("[1,48,0,1]", None, "must end with an output layer"),
    ("[1,48,0,1 Lbx100]", None, "must end with an output layer"),
    ("[1,48,0,1 O1c5 Lbx100]", None, "must end with an output layer"),
    ("[1,48,0,1 O1c5 O1c5]", None, "'O1c5' at character 11: output layer before the end"),
    ("[1,0,0,1 O1c5]", None, "height must be 1 to 4096, not 0"),
    ("[1,4097,0,1 O1c5]", None, "height must be 1 to 4096, not 4097"),
    ("[1,48,0,3 O1c5]", None, "1 channel, not 3"),
    ("[1,48,300,1 O1c5]", None, "write 0, not 300"),
    ("[1,48,0,1 Lbx O1c5]", None, "'Lbx' at character 11: unknown token"),
    ("[1,48,0,1 Gbx9 O1c5]", None, "'Gbx9' at character 11: unknown token"),
    ("[1,48,0,1 Lbx9 [Lbx9] O1c5]", None, "'[Lbx9]' at character 16: unknown token"),
    ("  [1,48,0,1 Lby9 O1c5]", None, "'Lby9' at character 11: unknown token"),
    ("[1,48,0,1 Lbx-9 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx\u0669 O1c5]", None, "unknown token"),  # an Arabic nine
    ("[1,48,0,1 Cq3,3,2 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Cr3,3 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Cr3,3,2,2 O1c5]", None, "unknown token"),
    ("[1,48,0,1 S1(1x48)1,3 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx{}9 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx{a.b}9 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx0 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Cr0,3,2 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Cr3,3,2,0,1 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Mp0,2 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Lbx65537 O1c5]", None, "65537 is not in 1 to 65536"),
    ("[1,48,0,1 Lbx" + 5000 * "9" + " O1c5]", None, "is not in 1 to 65536"),
    ("[1," + 5000 * "9" + ",0,1 O1c5]", None, "expected the input"),
    ("[1,48,0,1 Mp17,17 O1c5]", None, "at most 256 pixels"),
    ("[1,48,0,1 Cr65,65,1 O1c5]", None, "at most 4096 pixels"),
    ("[1,48,0,1 Do1 O1c5]", None, "probability must be in [0, 1)"),
    ("[1,48,0,1 Do" + 400 * "9" + " O1c5]", None, "probability must be in [0, 1)"),
    ("[1,48,0,1 Lbx9 O1c]", None, "number of classes is not known"),
    ("[1,48,0,1 Lbx9 O1c5]", 6, "5 classes, but the codec has 6"),
    ("[1,48,0,1 O1c0]", None, "0 is not in 1 to 65536"),
    ("[1,4,0,1 Mp2,2 Mp2,2 Mp2,2 O1c5]", None, "character 22: windows 2 high do not fit height 1"),
    ("[1,1,0,1 Cr4,1,2 O1c5]", None, "a kernel 4 high does not fit height 1"),
    ("[1,48,0,1 Lbx9 Cr3,3,2 O1c5]", None, "a convolution takes images"),
    ("[1,48,0,1 Lbx9 Mp2,2 O1c5]", None, "pooling takes images"),
    ("[1,48,0,1 Lbx9 S1(1x0)1,3 O1c5]", None, "at character 16: only images have columns"),
    ("[1,48,0,1 Lbx{a}9 Lbx{a}9 O1c5]", None, "'Lbx{a}9' at character 19: this name occurs twice"),
    ("[1,48,0,1 Lbx{O_1}9 O1c5]", None, "this name occurs twice"),
    ("[1,48,0,1 Mp{columns}1,1 O1c5]", None, "this name occurs twice"),
    ("[1,48,0,1" + 6 * " Mp1,256" + " O1c5]", None, "leaves no frame"),
    ("[1,48,0,1 " + 10_000 * "Do0.5 " + "O1c5]", None, "characters: at most 10000"),
]


@pytest.mark.parametrize(("spec", "classes", "told"), REFUSED, ids=lambda v: str(v)[:40])
def test_refused(spec, classes, told):
    with pytest.raises(SpecError) as error:
        parse_spec(spec, classes)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "spec",
    [
        "[1,48,0,1 Lbx65536 O1c5]",
        "[1,48,0,1 Lbx65536 Lbx65536 Lbx65536 O1c5]",
        "[1,48,0,1 Cr64,64,65536 O1c5]",
        "[1,4096,0,1 Cr1,1,65536 O1c5]",  # few weights, but a column of 268 million values
        "[1,48,0,1 Cr3,3,4096 Cr3,3,65536 O1c5]",
        "[1,48,0,1 Lbx8000" + 9 * " Lbx8000" + " O1c5]",  # too large only together
    ],
)
def test_networks_too_large_for_any_memory_are_refused_before_anything_is_allocated(spec):
    tracemalloc.start()
    try:
        with pytest.raises(SpecError, match="too large"):
            Network(spec, rng=np.random.default_rng(0))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_the_largest_that_is_sensible_is_planned():
    spec = parse_spec("[1,120,0,1 Cr3,13,512 Mp2,2 Cr3,9,512 Lbx512 Lbx512 O1c20000]")
    assert isinstance(spec.layers[0].layer, Convolution)
    assert isinstance(spec.layers[1].layer, MaxPool)
