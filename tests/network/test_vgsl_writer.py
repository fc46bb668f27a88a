"""Layers written as VGSL and read again."""

import numpy as np
import pytest

from ocrlstm.errors import SpecError
from ocrlstm.layers import (
    GRU,
    LSTM,
    Activation,
    BatchNorm,
    Bidirectional,
    Columns,
    Convolution,
    Cost,
    Dropout,
    GroupNorm,
    Identity,
    L2Norm,
    MaxPool,
    Parallel,
    Reshape,
    Reversed,
    Route,
    Shortcut,
    Softmax,
    Stacked,
    Upsample,
    Vertical,
)
from ocrlstm.network import parse_spec, write_spec
from ocrlstm.network.vgsl import default_name, token_of


def written(spec, classes=None):
    parsed = parse_spec(spec, classes)
    return write_spec(parsed.input_shape, [(named.name, named.layer) for named in parsed.layers])


def content(spec):
    parsed = parse_spec(spec)
    return parsed.input_shape, [(named.name, repr(named.layer)) for named in parsed.layers]


@pytest.mark.parametrize(
    "spec",
    [
        "[1,48,0,1 Cr3,3,16 Mp2,2 S1(1x0)1,3 Lbx128 Do0.5 O1c9]",
        "[1,48,0,1 Lbx100 O1c9]",
        "[1,48,0,1 Lbx{reader}100 O{out}1c9]",
        "[1,28,28,3 Cr3,3,8 Mp2,2 Fr64 O0s10]",
        "[1,0,7 Gfxs12 O0l3]",
        "[1,1,7 F:selu:5 O0s3]",
        "[1,8,0,4 Cr3,3,8,1,1,1,1,0,0 Cln3,3,8,2,1 Ct3,3,8,1,1,2,3 Bn0.2 Bn0.1,0.01 Acr]",
        "[1,8,0,4 (I [Cr3,3,8 Cl3,3,4]) A3,4 Gn2 Up2,2,0.5 Dn2,2 Ps2,2 S2,2 Suy O2s5]",
        "[1,8,0,4]",
        "[1,8,0,4 [{a} I Sc-2] Rx{b}[I] ({c} I I)]",
        "[1,8,0,4 Cr{c}3,3,4 Lfx5 Rt@c Mp2,2 Lfx3 O1c4]",
        "[1,1,0,5 Mp1,1 Lfx5 Sc-2 Scr@Lfx_1,1.0,-0.5 Rtb-1,-4 Rt-1,-1 O1c4]",
        "[1,8,0,4 Lfys3 Grx2 Rbx:relu:5 Rfx4,3 Lbxn5 Lfxsh6 Os,2.0]",
    ],
)
def test_what_is_written_as_vgsl_usually_is(spec):
    assert written(spec) == spec


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("[ 32,48,0,1\n Lbx100   O1c9 ]", "[1,48,0,1 Lbx100 O1c9]"),
        ("[1,48,0,1 Mp2,2,2,2 Do.50 O1ca9]", "[1,48,0,1 Mp2,2 Do0.5 O1c9]"),
                ("[1,48,0,1 Lbx{Lbx_0}100]", "[1,48,0,1 Lbx100]"),
        ("[1,48,0,1 R2Lfxo5 RxLfx5 Lfxc5]", "[1,48,0,1 (Lfx5 Lfx5) Lrx5 Lfxn5]"),
        ("[1,48,0,1 (Lfx{a}5 [Mp1,1 Lfx5])]",
         "[1,48,0,1 ([S1(1x0)1,3 Lfx{a}5] [Mp1,1 S1(1x0)1,3 Lfx5])]"),
        ("[1,48,0,1 O1s9]", "[1,48,0,1 O1c9]"),
        ("[1,48,0,1 O2l9]", "[1,48,0,1 Cs1,1,9]"),
        ("[1,48,0,1 O2p9]", "[1,48,0,1 Cm1,1,9]"),
    ],
)  # fmt: skip
def test_what_is_written_in_one_way_only(spec, canonical):
    assert written(spec) == canonical
    assert content(canonical) == content(spec)


def test_the_number_of_classes_is_written_out():
    assert written("[1,48,0,1 Lbx100 O{out}1c]", 7) == "[1,48,0,1 Lbx100 O{out}1c7]"


def named(*layers):
    """Names as a network gives them that is written in Python."""
    return [(default_name(layer, number), layer) for number, layer in enumerate(layers)]


@pytest.mark.parametrize(
    ("shape", "layers", "spec"),
    [
        (
            (48, None, 1),
            named(Convolution(8, 3, activation="relu"), MaxPool(2), Columns(), LSTM(5), Softmax(3)),
            "[1,48,0,1 Cr3,3,8 Mp2,2 S1(1x0)1,3 Lfx5 O1c3]",
        ),
        ((None, 4), named(Bidirectional(GRU(5)), Shortcut(-2, 0.5)), "[1,0,4 Gbx5 Sc-2,0.5,1.0]"),
        (
            (9, None, 4),
            named(Stacked(Convolution(4, 3), Identity(), Route("a", -1), names=["a", None, None])),
            "[1,9,0,4 [Cl{a}3,3,4 I Rt@a,-1]]",
        ),
        (
            (None, 4),
            named(Parallel(LSTM(5), Reversed(LSTM(5)))),  # the other Bidirectional
            "[1,0,4 (Lfx5 Lrx5)]",
        ),
        # Columns as a spec leaves them out, but before a layer that needs them written.
        ((9, None, 4), [("columns", Columns()), ("Do_1", Dropout(0.5))],
         "[1,9,0,4 S{columns}1(1x0)1,3 Do0.5]"),
        ((9, None, 4), [("columns", Columns())], "[1,9,0,4 S{columns}1(1x0)1,3]"),
        ((9, None, 4), [("columns_2", Columns()), ("Lfx_1", LSTM(2))],
         "[1,9,0,4 S{columns_2}1(1x0)1,3 Lfx2]"),
        # Unwritten, the image before the columns would have no number.
        ((9, None, 4), [("columns", Columns()), ("Lfx_0", LSTM(2)), ("Rt_1", Route(-3))],
         "[1,9,0,4 S{columns}1(1x0)1,3 Lfx{Lfx_0}2 Rt{Rt_1}-3]"),
        ((9, None, 4), [("I_0", Identity()), ("columns", Columns()), ("Lfx_1", LSTM(2)),
                        ("Rt_2", Route("I_0"))],
         "[1,9,0,4 I Lfx2 Rt@I_0]"),
        # Heights of a reshape are told, since S1(1x0)1,3 are the columns.
        ((9, None, 4), named(Reshape(1, 1, 9, 1, 3), Reshape(1, 0, 1, 1, 3)),
         "[1,9,0,4 S1(1x9)1,3 S1(0x1)1,3]"),
    ],
)  # fmt: skip
def test_layers_from_python(shape, layers, spec):
    assert write_spec(shape, layers) == spec
    assert content(spec) == (shape, [(name, repr(layer)) for name, layer in layers])


def test_a_reshape_of_all_rows_is_written_with_their_number():
    layers = named(Reshape(1, 1, 0, 1, 3))
    assert write_spec((9, None, 4), layers) == "[1,9,0,4 S1(1x9)1,3]"


def test_numbers_of_any_type_are_written_as_numbers():
    number, quarter = np.float64, np.float32(0.25)
    layers = named(
        Dropout(number(0.2)), Dropout(0), BatchNorm(number(0.2), number(0.01)),
        GroupNorm(1, number(0.01)), L2Norm("item", number(0.01)), Upsample(2, scale=quarter),
        Shortcut(-1, quarter, 2), Columns(), Softmax(temperature=number(2)),
    )  # fmt: skip
    spec = write_spec((9, None, 4), layers)
    assert spec == (
        "[1,9,0,4 Do0.2 Do0.0 Bn0.2,0.01 Gn1,0.01 L2ni,0.01 Up2,2,0.25 Sc-1,0.25,2.0 "
        "S1(1x0)1,3 Os,2.0]"
    )
    assert written(spec) == spec


def test_first_weights_are_not_in_a_spec():
    layers = named(
        Convolution(8, 3, initializer="xavier"),
        Columns(),
        LSTM(5, forget_bias=0.0, initializer="ocropus"),
        Softmax(3, initializer="ocropus"),
    )
    assert write_spec((9, None, 4), layers) == "[1,9,0,4 Cl3,3,8 S1(1x0)1,3 Lfx5 O1c3]"


@pytest.mark.parametrize(
    ("layers", "told"),
    [
        ([("a", Identity()), ("b", Cost("mse"))], "layer 'b': VGSL cannot write Cost('mse')"),
        ([("a", Stacked(Identity(), Cost("mse")))], "layer 'a': VGSL cannot write Cost('mse')"),
        ([("a-b", Identity())], "layer 'a-b': VGSL cannot write the name 'a-b'"),
        (
            [("a", Stacked(Identity(), names=["b-c"]))],
            "layer 'a': VGSL cannot write the name 'b-c'",
        ),
        ([("a b", Identity()), ("c", Shortcut("a b"))], "layer 'a b': VGSL cannot write the name"),
        ([("a", Vertical(Stacked(LSTM(2))))], "layer 'a': VGSL cannot write Vertical(Stacked("),
        ([("a", Identity()), ("a", Identity())], "layer 'a': the name 'a' occurs twice"),
    ],
)
def test_what_vgsl_cannot_write(layers, told):
    with pytest.raises(SpecError) as error:
        write_spec((9, None, 4), layers)
    assert told in str(error.value)


def test_token_of_a_layer():
    assert token_of(Convolution(16, 3, activation="relu")) == "Cr3,3,16"
    assert token_of(Stacked(LSTM(5), Dropout(0.5))) == "[Lfx5 Do0.5]"
    assert token_of(Softmax(5)) == token_of(Softmax(5), (None, 4)) == "O1c5"
    assert token_of(Softmax(5), (1, 4)) == "O0s5"
    assert token_of(Reshape(1, 1, 0, 1, 3), (9, None, 4)) == "S1(1x9)1,3"
    with pytest.raises(SpecError, match="only where the height is known"):
        token_of(Reshape(1, 1, 0, 1, 3))
    with pytest.raises(SpecError, match="VGSL cannot write Cost"):
        token_of(Cost("mse"))


def test_default_names():
    layers = [
        Convolution(16, 3, activation="relu"), Convolution(16, 3, activation="elu"), Columns(),
        Bidirectional(LSTM(2)), Reversed(GRU(2)), Vertical(LSTM(2, sequences=False)),
        Stacked(LSTM(2)), Parallel(LSTM(2)), Reversed(Stacked()), Cost("mse"), BatchNorm(),
        Activation("elu"), Route(-1), Reshape(1, 1, 0, 1, 3),
    ]  # fmt: skip
    assert [default_name(layer, number) for number, layer in enumerate(layers)] == [
        "Cr_0", "C_1", "S_2", "Lbx_3", "Grx_4", "Lfys_5", "Stacked_6", "Parallel_7", "Reversed_8",
        "Cost_9", "Bn_10", "Ac_11", "Rt_12", "Reshape_13",
    ]  # fmt: skip
