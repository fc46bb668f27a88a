"""VGSL specs: every token, and one clear refusal for each thing that cannot be."""

import tracemalloc

import numpy as np
import pytest

from ocrlstm.errors import SpecError
from ocrlstm.layers import Convolution, MaxPool
from ocrlstm.network import Network, parse_spec
from ocrlstm.network.vgsl.table import KINDS

OCROPUS = "[1,48,0,1 Lbx100 O1c]"
CONVOLUTIONAL = "[1,48,0,1 Cr3,3,16 Mp2,2 Cr3,3,32 Mp2,2 S1(1x0)1,3 Lbx128 Do0.5 O1c]"


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
        ("Clr3,3,2", "Convolution(2, (3, 3), (1, 1), 'relie')"),
        ("C:elu:3,3,2", "Convolution(2, (3, 3), (1, 1), 'elu')"),
        ("C{a}:elu:3,3,2", "Convolution(2, (3, 3), (1, 1), 'elu')"),
        ("Crn3,3,2", "Convolution(2, (3, 3), (1, 1), 'relu', bias=False)"),
        ("Cr3,3,16,2,1", "Convolution(16, (3, 3), (2, 1), 'relu')"),
        ("Cr3,3,16,1,1,2,3", "Convolution(16, (3, 3), (1, 1), 'relu', dilation=(2, 3))"),
        ("Cr3,5,16,1,1,1,1,1,2", "Convolution(16, (3, 5), (1, 1), 'relu')"),
        ("Cr3,5,16,1,1,1,1,0,1", "Convolution(16, (3, 5), (1, 1), 'relu', padding=(0, 1))"),
        ("Cr{edges}3,3,16", "Convolution(16, (3, 3), (1, 1), 'relu')"),
        ("Mp2,3", "MaxPool((2, 3), (2, 3))"),
        ("Mp3,2,1,4", "MaxPool((3, 2), (1, 4))"),
        ("Mp3,3,1,1,1,1", "MaxPool((3, 3), (1, 1), (1, 1))"),
        ("Ap2,3", "AvgPool((2, 3), (2, 3))"),
        ("Ap3,2,1,4,1,0", "AvgPool((3, 2), (1, 4), (1, 0))"),
        ("Up2,3", "Upsample((2, 3))"),
        ("Up2,3,0.5", "Upsample((2, 3), scale=0.5)"),
        ("Dn2,3", "Upsample((2, 3), down=True)"),
        ("Dn2,3,-2", "Upsample((2, 3), down=True, scale=-2.0)"),
        ("Ps2,1", "Shuffler((2, 1))"),
        ("S2,3", "Shuffler((2, 3), inverse=True)"),
        ("S1(2x0)1,3", "Reshape(1, 2, 0, 1, 3)"),
        ("S3(1x2)3,2", "Reshape(3, 1, 2, 3, 2)"),
        ("Suy", "Summary('y')"),
        ("Lfy7", "Vertical(LSTM(7))"),
        ("Lrys7", "Vertical(Reversed(LSTM(7, sequences=False)))"),
        ("Lbys{a}7", "Vertical(Bidirectional(LSTM(7, sequences=False)))"),
        ("Gfy7", "Vertical(GRU(7))"),
        ("Rby7", "Vertical(Bidirectional(RNN(7)))"),
        ("RyCr3,3,2", "Reversed(Convolution(2, (3, 3), (1, 1), 'relu'), 'y')"),
        ("Ry{a}[Mp3,1 Do]", "Reversed(Stacked(MaxPool((3, 1), (3, 1)), Dropout(0.5)), 'y')"),
        ("Rx Cr3,3,2", "Reversed(Convolution(2, (3, 3), (1, 1), 'relu'))"),
        ("R2Mp2,2", "Parallel(MaxPool((2, 2), (2, 2)), MaxPool((2, 2), (2, 2)))"),
        ("Cm3,3,2", "Stacked(Convolution(2, (3, 3), (1, 1), 'linear'), Softmax(log=False))"),
        ("O2s5", "Stacked(Convolution(5, (1, 1), (1, 1), 'linear'), Softmax())"),
        ("O2p5", "Stacked(Convolution(5, (1, 1), (1, 1), 'linear'), Softmax(log=False))"),
        ("O2l5", "Convolution(5, (1, 1), (1, 1), 'logistic')"),
        ("Acr", "Activation('relu')"),
        ("Aclr", "Activation('relie')"),
        ("Ac:leaky", "Activation('leaky')"),
        ("Ac:elu", "Activation('elu')"),
        ("Ac:elu:", "Activation('elu')"),
        ("Os", "Softmax()"),
        ("Os,2", "Softmax(temperature=2.0)"),
        ("Op", "Softmax(log=False)"),
        ("Ol", "Logistic()"),
        ("A3,1", "Addition(1)"),
        ("A1,6", "Addition(6, 'height')"),
        ("I", "Identity()"),
        ("Do0.5", "Dropout(0.5)"),
        ("Do.25", "Dropout(0.25)"),
        ("Do0", "Dropout(0.0)"),
        ("Do", "Dropout(0.5)"),
        ("Do0.1,1", "Dropout(0.1)"),
        ("Do0.1,2", "Dropout(0.1, channels=True)"),
        ("Bn", "BatchNorm()"),
        ("Bn0.2", "BatchNorm(momentum=0.2)"),
        ("Bn.1,1e-3", "BatchNorm(epsilon=0.001)"),
        ("Gn1", "GroupNorm(1)"),
        ("Gn2,0.5", "GroupNorm(2, epsilon=0.5)"),
        ("L1n", "L1Norm('channels')"),
        ("L2{a}ni", "L2Norm('item')"),
        ("L2n,1e-06", "L2Norm('channels', epsilon=1e-06)"),
        ("Sc-1", "Shortcut(-1)"),
        ("Sc-1,0.5,-2", "Shortcut(-1, 0.5, -2)"),
        ("Scr-1", "Shortcut(-1, activation='relu')"),
        ("Sc:elu:-1,1,2", "Shortcut(-1, 1, 2, activation='elu')"),
        ("Rt-1,-1", "Route(-1, -1)"),
        ("Rtb-1,-1", "Route(-1, -1, axis='batch')"),
        ("[]", "Stacked()"),
        ("[ I [I]]", "Stacked(Identity(), Stacked(Identity()))"),
        ("[{all} I I{second} ]", "Stacked(Identity(), Identity(), names=(None, 'second'))"),
        ("({all} I I{second})", "Parallel(Identity(), Stacked(Identity(), names=('second',)))"),
        ("(I)", "Parallel(Identity())"),
    ],
)
def test_tokens_of_images(token, layer):
    assert layers(f"[1,48,0,2 {token} S1(1x0)1,3 O1c7]") == [layer, "Columns()", "Softmax(7)"]


@pytest.mark.parametrize(
    ("token", "layer"),
    [
        ("Lfx7", "LSTM(7)"),
        ("Lrx7", "Reversed(LSTM(7))"),
        ("Lbx7", "Bidirectional(LSTM(7))"),
        ("Lbx{reader}7", "Bidirectional(LSTM(7))"),
        ("Lfxs7", "LSTM(7, sequences=False)"),
        ("Lfxn7", "LSTM(7, peepholes=False)"),
        ("Lfxc7", "LSTM(7, peepholes=False)"),
        ("Lfxo7", "LSTM(7)"),
        ("Lbxsh7", "Bidirectional(LSTM(7, peephole_at_start=False, sequences=False))"),
        ("Gfx7", "GRU(7)"),
        ("Grxsb7", "Reversed(GRU(7, reset_after=False, sequences=False))"),
        ("Rfx7", "RNN(7)"),
        ("Rbx:relu:7", "Bidirectional(RNN(7, activation='relu'))"),
        ("Rfxs7,3", "ConnectedRNN(7, 3, sequences=False)"),
        ("RxLfx7", "Reversed(LSTM(7))"),
        ("(Lfx7 Lrx7)", "Parallel(LSTM(7), Reversed(LSTM(7)))"),
        ("R3{three}Gfx7", "Parallel(GRU(7), GRU(7), GRU(7))"),
        ("Ft64", "Connected(64, 'tanh')"),
        ("Fln64", "Connected(64, bias=False)"),
        ("F{a}:selu:64", "Connected(64, 'selu')"),
        ("Fm5", "Stacked(Connected(5), Softmax(log=False))"),
        ("O1c5", "Softmax(5)"),
        ("O1s5", "Softmax(5)"),
        ("O1p5", "Softmax(5, log=False)"),
        ("O1s5,0.5", "Softmax(5, temperature=0.5)"),
        ("O1l5", "Logistic(5)"),
        ("Acs", "Activation('logistic')"),
        ("Sux", "Summary('x')"),
        ("S2(0x2)2,3", "Reshape(2, 0, 2, 2, 3)"),
        ("Do0.5", "Dropout(0.5)"),
        ("Gn2", "GroupNorm(2)"),
    ],
)
def test_tokens_of_sequences(token, layer):
    assert layers(f"[1,48,0,1 S1(1x0)1,3 {token} O1c7]") == ["Columns()", layer, "Softmax(7)"]
    assert layers(f"[1,0,48 {token} O1c7]") == [layer, "Softmax(7)"]


def test_examples_of_tokens_are_of_their_kinds():
    for kind in KINDS:
        for token in kind.examples:
            shape = "1,1,16" if token.startswith("O0") else "1,24,24,16"
            written = parse_spec(f"[{shape} {token if '-' not in token else f'I I {token}'}]")
            assert written.layers[-1].token == token
            assert next(k for k in KINDS if k.match(token)) is kind


def test_white_space_is_not_needed():
    spaced = (
        "[ 1,48,0,1 Cr3,3,8\t[ Mp2,2 ( I I{a} )\n] Rx Lfx{A_B}5 R2 [ Sc-1 Lfx3 ] Sc@x_Y{x} O1c5 ]"
    )
    dense = "[1,48,0,1Cr3,3,8[Mp2,2(II{a})]RxLfx{A_B}5R2[Sc-1Lfx3]O1c5]"
    spaced = spaced.replace("Sc@x_Y{x} ", "")
    assert layers(spaced) == layers(dense)
    assert names(spaced) == names(dense)
    assert layers("[1,0,5Lfx{A_B}5Sc@A_B Lfx5]") == layers("[1,0,5 Lfx{A_B}5 Sc@A_B Lfx5]")


class TestColumnsThatAreNotWritten:
    def test_come_before_the_first_layer_of_frames(self):
        assert layers(OCROPUS, 5)[0] == "Columns()"
        assert layers("[1,48,0,1 Cr3,3,2 Mp2,2 Do0.5 Lbx2 O1c5]")[3] == "Columns()"
        assert names("[1,48,0,1 O1c5]") == ["columns", "O_0"]

    @pytest.mark.parametrize("token", ["Lfx3", "Grx3", "Rbxs3", "O1c3"])
    def test_come_before_every_layer_of_frames(self, token):
        assert layers(f"[1,48,0,1 {token}]")[0] == "Columns()"

    def test_come_before_brackets_that_begin_with_frames(self):
        for token in ("[Lfx3 Do]", "(Lfx3 [Lrx3 I])", "[[(Lfx3)]]", "Rx[Lfx3]", "R2Lfx3"):
            assert layers(f"[1,48,0,1 {token} O1c3]")[0] == "Columns()"
            assert names(f"[1,48,0,1 {token} O1c3]")[0] == "columns"

    def test_come_inside_brackets(self):
        assert layers("[1,4,0,1 [Do0.5 Lfx3] O1c3]") == [
            "Stacked(Dropout(0.5), Columns(), LSTM(3))",
            "Softmax(3)",
        ]
        assert layers("[1,4,0,1 (Lfx3 [Mp1,1 Lfx2] ) O1c3]") == [
            "Parallel(Stacked(Columns(), LSTM(3)), "
            "Stacked(MaxPool((1, 1), (1, 1)), Columns(), LSTM(2)))",
            "Softmax(3)",
        ]
        assert layers("[1,4,0,1 Rx[Do0.5 Lfx3] O1c3]")[0] == (
            "Reversed(Stacked(Dropout(0.5), Columns(), LSTM(3)))"
        )

    def test_come_again_for_images_that_come_again(self):
        spec = "[1,8,0,1 Cr{c}3,3,4 Lfx5 Rt@c Mp2,2 Lfx3 O1c4]"
        assert names(spec) == ["c", "columns", "Lfx_1", "Rt_2", "Mp_3", "columns_2", "Lfx_4", "O_5"]

    def test_do_not_come_before_what_takes_images(self):
        assert layers("[1,4,0,1 Lfys3]") == ["Vertical(LSTM(3, sequences=False))"]
        assert layers("[1,4,0,1 (Lfys3 [Suy])]")[0].startswith("Parallel(")

    def test_are_what_a_source_by_number_leads_to(self):
        # -2 is what Lfx5 took, not the image before.
        assert layers("[1,1,0,5 Mp1,1 Lfx5 Sc-2 O1c4]")[3] == "Shortcut(-2)"
        # Counted in tokens: the input of the second Lfx5, past the columns of the third one.
        spec = "[1,1,0,5 Mp{m}1,1 Lfx5 Lfx5 Rt@m Lfx5 Sc-4 O1c4]"
        assert layers(spec)[6:8] == ["LSTM(5)", "Shortcut(-5)"]


def test_names_of_layers_are_part_of_the_model_file():
    assert names("[1,48,0,1 Cr3,3,2 Mp2,2 S1(1x0)1,3 Lbx{reader}2 Lfx3 Do0.5 O1c5]") == [
        "Cr_0", "Mp_1", "S_2", "reader", "Lfx_4", "Do_5", "O_6",
    ]  # fmt: skip
    assert names("[1,9,0,2 [Cr3,3,2] (I I) RxCr3,3,2 R2{a}I Rx[{b}I] Gbx5 RxLfx2 Fr5 Ac:elu]") == [
        "Stacked_0", "Parallel_1", "Reversed_2", "a", "Reversed_4", "columns", "Gbx_5", "Lrx_6",
        "Fr_7", "Ac_8",
    ]  # fmt: skip


def test_sources_by_number_count_tokens_and_end_at_the_input():
    assert layers("[1,0,5 Lfx5 Sc-2]")[1] == "Shortcut(-2)"
    with pytest.raises(SpecError, match="'Sc-3' at character 13: -3 leads beyond the input"):
        parse_spec("[1,0,5 Lfx5 Sc-3]")
    assert layers("[1,4,0,1 (I [Cl3,3,1 Sc-2])]") == [
        "Parallel(Identity(), Stacked(Convolution(1, (3, 3), (1, 1), 'linear'), Shortcut(-2)))"
    ]


def test_names_are_those_of_the_same_series():
    assert layers("[1,0,5 Lfx{a}5 [Lfx{a}5 Sc@a] Sc@a]")[2] == "Shortcut('a')"
    with pytest.raises(SpecError, match="no earlier layer is named 'a'"):
        parse_spec("[1,0,5 Lfx{a}5 [Lfx5 Sc@a]]")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("1,48,0,1", (48, None, 1)),
        ("0,48,0,3", (48, None, 3)),
        ("7,28,28,1", (28, 28, 1)),
        ("1,1,0,48", (1, None, 48)),
        ("1,0,48", (None, 48)),
        ("1,12,3", (12, 3)),
        ("1,1,64", (1, 64)),
    ],
)
def test_inputs(text, shape):
    assert parse_spec(f"[{text} I]").input_shape == shape


@pytest.mark.parametrize(
    ("token", "layer"),
    [
        ("O0s5", "Softmax(5)"),
        ("O0p5,2", "Softmax(5, log=False, temperature=2.0)"),
        ("O0l5", "Logistic(5)"),
    ],
)
@pytest.mark.parametrize(
    "before",
    ["1,0,7 Lfxs3", "1,0,7 Sux", "1,1,7", "1,4,5,2 Fr3", "1,9,0,2 Lfys3 Lfxs3", "1,9,0,1 Sux"],
)
def test_one_output_for_the_whole_item(before, token, layer):
    assert layers(f"[{before} {token}]")[-1] == layer


def test_number_of_classes():
    assert layers(OCROPUS, 7)[-1] == "Softmax(7)"
    assert layers("[1,48,0,1 Lbx100 O1c7]")[-1] == "Softmax(7)"
    assert layers("[1,48,0,1 Lbx100 O1c7]", 7)[-1] == "Softmax(7)"
    assert layers("[1,48,0,1 Lbx100 O1ca7]", 7)[-1] == "Softmax(7)"
    assert layers("[1,0,4 O1c6 Lbx9 O1c]", 7)[-1] == "Softmax(7)"  # the codec is of the end
    assert parse_spec("[1,48,0,1 Lbx100]", 7)


REFUSED = [
    # spec, classes, what the message tells
    ("1,48,0,1 Lbx100 O1c5", None, "square brackets"),
    ("[1,48,0,1 Lbx100 O1c5", None, "square brackets"),
    ("", None, "square brackets"),
    ("[", None, "square brackets"),
    ("[]", None, "is empty"),
    ("[ ]", None, "is empty"),
    ("[Lbx100 O1c5]", None, "'Lbx100' at character 2: expected the input"),
    ("[1,48,0 O1c5]", None, "'1,48,0' at character 2: channels must be 1 to 65536, not 0"),
    ("[1,48 O1c5]", None, "'1,48' at character 2: expected the input"),
    ("[[1,48,0,1] O1c5]", None, "'[' at character 2: expected the input"),
    ("[1,48,0,1{a} O1c5]", None, "'1,48,0,1{a}' at character 2: expected the input"),
    ("[1,0,0,1 O1c5]", None, "height must be 1 to 4096, not 0"),
    ("[1,4097,0,1 O1c5]", None, "height must be 1 to 4096, not 4097"),
    ("[1,48,70000,1 O1c5]", None, "width must be 0 (any) to 65536, not 70000"),
    ("[1,48,0,70000 O1c5]", None, "channels must be 1 to 65536, not 70000"),
    ("[1,48,0,0 O1c5]", None, "channels must be 1 to 65536, not 0"),
    ("[1," + 5000 * "9" + ",0,1 O1c5]", None, "expected the input"),
    # brackets
    ("[1,48,0,1 Lbx9] O1c5]", None, "']' at character 15: closes a bracket that is not open"),
    ("[1,48,0,1 (Lbx9 O1c5]", None, "'(' at character 11: is not closed by ')'"),
    ("[1,48,0,1 (Lbx9] O1c5]", None, "'(' at character 11: is not closed by ')'"),
    ("[1,48,0,1 [{a}Lbx9) O1c5]", None, "'[{a}' at character 11: is not closed by ']'"),
    ("[1,48,0,1 Lbx9) O1c5]", None, "')' at character 15: closes a bracket that is not open"),
    ("[1,48,0,1 [{a.b}I] O1c5]", None, "'[{a.b}' at character 11: a name has letters"),
    ("[1,48,0,1 () O1c5]", None, "'(' at character 11: Parallel needs at least one layer"),
    ("[1,48,0,1 [Lbx9 Cr3,3,2] O1c5]", None, "'Cr3,3,2' at character 17: a convolution takes"),
    ("[1,48,0,1 (I [Lbx9 Cr3,3]) O1c5]", None, "'Cr3,3' at character 20: unknown token"),
    ("[1,48,0,1 (I Mp2,2) O1c5]", None, "'(' at character 11: parallel layers give different"),
    ("[1,48,0,1 (I Mp1,2) O1c5]", None, "'(' at character 11: parallel layers give different"),
    ("[1,48,0,1 ([" + 300 * "I " + "] Mp1,2) O1c5]", None, "parallel layers give different"),
    ("[1,48,0,1 " + " ".join(f"I{{a{i}}}" for i in range(300)) + " Sc@b]", None, "named 'b'"),
    ("[1,48,0,1 (I Rtb-1,-1) O1c5]", None, "branches make different numbers of items"),
    ("[1,48,0,1 " + 20 * "[" + "I" + 20 * "]" + "]", None, "at character 30: nested deeper than"),
    ("[1,48,0,1 " + 20 * "Rx" + "I]", None, "'Rx' at character 49: nested deeper than 20"),
    ("[1,48,0,1 O1c5 Rx]", None, "'Rx' at character 16: nothing follows that it acts on"),
    ("[1,48,0,1 (O1c5 R2)]", None, "'R2' at character 17: nothing follows that it acts on"),
    ("[1,48,0,1 R0I]", None, "'R0' at character 11: 0 is not in 1 to 65536"),
    ("[1,48,0,1 R65537I]", None, "'R65537' at character 11: 65537 is not in 1 to 65536"),
    ("[1,48,0,1 RyLfx3]", None, "'Ry' at character 11: rows are reversed where images"),
    # tokens
    ("[1,48,0,1 Lbx O1c5]", None, "'Lbx' at character 11: unknown token"),
    ("[1,48,0,1 LS9 O1c5]", None, "'L' at character 11: unknown token"),
    ("[1,48,0,1 L2xy9 O1c5]", None, "'L2xy9' at character 11: unknown token"),
    ("  [1,48,0,1 Lbz9 O1c5]", None, "'Lbz9' at character 11: unknown token"),
    ("[1,48,0,1 Lbx-9 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx\u0669 O1c5]", None, "unknown token"),  # an Arabic nine
    ("[1,48,0,1 Cq3,3,2 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Cr3,3 O1c5]", None, "unknown token; tokens with C are written like Cr3,3,16"),
    ("[1,48,0,1 Lbz9 O1c5]", None, "'Lbz9' at character 11: unknown token; tokens with L are"),
    ("[1,48,0,1 {a} O1c5]", None, "'{a}' at character 11: unknown token"),
    ("[1,48,0,1 X9 O1c5]", None, "'X9' at character 11: unknown token"),
    ("[1,48,0,1 Cr3,3,2,2 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Cr3,3,2,2,2,2 O1c5]", None, "unknown token"),
    ("[1,48,0,1 S1 (1x48)1,3 O1c5]", None, "'S1' at character 11: unknown token"),
    ("[1,48,0,1 Lbx{}9 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx{a.b}9 O1c5]", None, "unknown token"),
    ("[1,48,0,1 Lbx{a}{b}9 O1c5]", None, "'Lbx{a}{b}9' at character 11: unknown token"),
    ("[1,48,0,1 Lbx{a9 O1c5]", None, "'Lbx' at character 11: unknown token"),
    ("[1,48,0,1 3 O1c5]", None, "'3' at character 11: unknown token"),
    ("[1,48,0,1 Sc O1c5]", None, "'Sc' at character 11: unknown token"),
    ("[1,48,0,1 Sc-0 O1c5]", None, "'Sc-0' at character 11: unknown token"),
    ("[1,48,0,1 Rt O1c5]", None, "'Rt' at character 11: unknown token"),
    ("[1,48,0,1 O2c5]", None, "'O2c5' at character 11: CTC needs a sequence: write O1c"),
    ("[1,48,0,1 O0c5]", None, "'O0c5' at character 11: CTC needs a sequence: write O1c, not O0c"),
    ("[1,48,0,1 O1l5,2]", None, "only a softmax has a temperature"),
    ("[1,48,0,1 Ol,2]", None, "only a softmax has a temperature"),
    ("[1,48,0,1 O0s5]", None, "one output for the whole needs one frame, not any number of"),
    ("[1,48,9,1 O0s5]", None, "one output for the whole needs one frame, not 9; put F, Sux or"),
    ("[1,48,0,1 Fr5]", None, "'Fr5' at character 11: a connected layer takes images of a fixed"),
    ("[1,48,0,1 Lfx5 O2s5]", None, "'O2s5' at character 16: a convolution takes images"),
    # sizes
    ("[1,48,0,1 Lbx0 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Cr0,3,2 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Cr3,3,2,0,1 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Mp0,2 O1c5]", None, "0 is not in 1 to 65536"),
    ("[1,48,0,1 Lbx65537 O1c5]", None, "65537 is not in 1 to 65536"),
    ("[1,48,0,1 Lbx" + 5000 * "9" + " O1c5]", None, "is not in 1 to 65536"),
    ("[1,48,0,1 Mp17,17 O1c5]", None, "at most 256 pixels"),
    ("[1,48,0,1 Cr65,65,1 O1c5]", None, "at most 4096 pixels"),
    ("[1,48,0,1 Ap65,65 O1c5]", None, "at most 4096 pixels"),
    ("[1,48,0,1 Mp2,2,2,2,2,2 O1c5]", None, "padding"),
    ("[1,48,0,1 Cr3,3,2,1,1,1,1,0,4 O1c5]", None, "padding (0, 4) is more than the kernel spans"),
    ("[1,48,0,1 Do1 O1c5]", None, "probability must be in [0, 1)"),
    ("[1,48,0,1 Do" + 400 * "9" + " O1c5]", None, "is too large"),
    ("[1,48,0,1 Sc-1,1e999,1 O1c5]", None, "1e999 is too large"),
    ("[1,48,0,1 C:nosuch:3,3,2 O1c5]", None, "unknown activation 'nosuch'"),
    ("[1,48,0,1 Gn2 O1c5]", None, "1 channels do not make 2 equal groups"),
    ("[1,48,0,1 A2,1 O1c5]", None, "only the parts of axis 1 (height) or 3 (channels)"),
    ("[1,48,0,1 A0,1 O1c5]", None, "only the parts of axis 1 (height) or 3 (channels)"),
    ("[1,48,0,1 A3,2 O1c5]", None, "1 channels cannot be cut into chunks of 2"),
    ("[1,48,0,1 S1(5x0)1,3 O1c5]", None, "height 48 does not split into 5 x"),
    ("[1,48,0,1 S0(1x0)1,3 O1c5]", None, "dimensions are 1 (height), 2 (width) and 3 (depth)"),
    ("[1,48,0,1 S5,1 O1c5]", None, "height 48 is no multiple of 5"),
    ("[1,48,0,1 Ps2,1 O1c5]", None, "1 channels do not fill blocks of 2x1 pixels"),
    # classes
    ("[1,48,0,1 Lbx9 O1c]", None, "number of classes is not known"),
    ("[1,48,0,1 O1c Lbx9 O1c5]", 5, "'O1c' at character 11: the number of classes is not known"),
    ("[1,48,0,1 Lbx9 O1c5]", 6, "5 classes, but the codec has 6"),
    ("[1,48,0,1 O1c0]", None, "0 is not in 1 to 65536"),
    # shapes
    ("[1,4,0,1 Mp2,2 Mp2,2 Mp2,2 O1c5]", None, "character 22: windows 2 high do not fit height 1"),
    ("[1,1,0,1 Cr4,1,2 O1c5]", None, "a kernel 4 high does not fit height 1"),
    ("[1,48,0,1 Lbx9 Cr3,3,2 O1c5]", None, "a convolution takes images"),
    ("[1,48,0,1 Lbx9 Mp2,2 O1c5]", None, "pooling takes images"),
    ("[1,48,0,1 Lbx9 Lby9 O1c5]", None, "'Lby9' at character 16: Vertical takes images"),
    ("[1,48,0,1 Lbx9 S1(1x0)1,3 O1c5]", None, "at character 16: only images have columns"),
    ("[1,48,0,1 Lbx9 Sc-3 O1c5]", None, "'Sc-3' at character 16: -3 leads beyond the input"),
    ("[1,48,0,1 Mp1,1 Lbx9 Sc-3 O1c5]", None, "images and sequences cannot be added"),
    ("[1,48,0,1 Mp2,2 Cl1,1,1,1,3 Rt-1,-2 O1c5]", None, "not 10923 and 32768 columns"),
    ("[1,28,28,1 Mp1,14 Mp1,3]", None, "'Mp1,3' at character 19: windows 3 wide do not"),
    # names
    ("[1,48,0,1 Lbx{a}9 Lbx{a}9 O1c5]", None, "'Lbx{a}9' at character 19: the name 'a' occurs"),
    ("[1,48,0,1 Lbx{O_1}9 O1c5]", None, "'O1c5' at character 21: the name 'O_1' occurs twice"),
    ("[1,48,0,1 Mp{columns}1,1 O1c5]", None, "the name 'columns' occurs twice"),
    ("[1,48,0,1 Lbx9 Sc@nobody O1c5]", None, "no earlier layer is named 'nobody'"),
    ("[1,48,0,1" + 6 * " Mp1,256" + " O1c5]", None, "leaves no frame even of a line 65536"),
    ("[1,48,0,1 " + 10_000 * "Do0.5 " + "O1c5]", None, "characters: at most 10000"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "classes", "told"), REFUSED, ids=lambda v: str(v)[:40])
def test_refused(spec, classes, told):
    with pytest.raises(SpecError) as error:
        parse_spec(spec, classes)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    "spec",
    [
        "[1,48,0,1 Lbx65536 O1c5]",
        "[1,48,0,1 Lbx65536 Lbx65536 Lbx65536 O1c5]",
        "[1,48,0,1 Cr64,64,65536 O1c5]",
        "[1,4096,0,1 Cr1,1,65536 O1c5]",  # few weights, but a column of 268 million values
        "[1,48,0,1 Cr3,3,4096 Cr3,3,65536 O1c5]",
        "[1,48,0,1 Lbx8000" + 9 * " Lbx8000" + " O1c5]",  # too large only together
        "[1,48,0,1 (" + 10 * "Lbx8000" + ") O1c5]",
        "[1,48,0,1 R10Lbx8000 O1c5]",
        "[1,48,0,1 [[(" + 2 * "R5[Lbx8000]" + ")]] O1c5]",
        "[1,4096,0,65536 O1c5]",  # the input itself
        "[1,48,0,1 R65536I O1c5]",
        "[1,48,0,1 R65536R65536R65536[] O1c5]",
        "[1,48,0,1" + 1000 * " I" + " O1c5]",
        "[1,0,1 Rt-1,-1" + 18 * " Rt-1,-1" + " O1c5]",  # doubled again and again
        "[1,0,1 Rtb-1,-1" + 300 * " Rtb-1,-1" + " O1c5]",
        "[1,0,1" + 6 * " Rtb-1,-1" + " Rtb" + ",".join(3000 * ["-1"]) + " O1c5]",
        "[1,0,1 [Rtb-1,-1 Rtb-1,-1 Rtb-1,-1][Rtb-1,-1 Rtb-1,-1 Rtb-1,-1] Rtb-1,-1 O1c5]",
        "[1,4,0,1 Up1,65536 Up1,65536 Up1,65536 Up1,65536 Up1,65536 O1c5]",
        "[1,4,0,64 Up1,65536 O1c5]",
        "[1,4,0,1 [Up1,256] [[Up1,256] Up1,256] O1c5]",
        "[1,8,8,4 Up8,65536 O1c5]",
        "[1,48,0,1 Cr1,3,1,1,1,1,65536 O1c5]",
        "[1,48,0,1 Cr64,64,1,1,1,65536,1 O1c5]",  # what a kernel spans is copied
        "[1,4,0,4096 Cr1,1,1,65536,1 O1c5]",
    ],
    ids=lambda spec: spec[:40],
)
def test_networks_too_large_for_any_memory_are_refused_before_anything_is_allocated(spec):
    tracemalloc.start()
    try:
        with pytest.raises(SpecError, match="too large"):
            parse_spec(spec)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_brackets_in_brackets_take_no_time():
    # Each level doubled the work once, so that these would take days.
    for left, right in ("[]", "()", ("Rx", "")):
        assert parse_spec(f"[1,0,4 {18 * left}[{400 * 'I '}]{18 * right}]")


@pytest.mark.parametrize("token", ["Bn{0},{0}", "Sc-1,{0},{0}"])
def test_long_numbers_take_no_time(token):
    # A pattern that could match them in many ways would be tried in all of them, for hours.
    with pytest.raises(SpecError, match="unknown token"):
        parse_spec(f"[1,0,4 {token.format(4500 * '1')}x]")


def test_a_network_too_large_is_not_built():
    with pytest.raises(SpecError, match="too large"):
        Network("[1,48,0,1 Lbx65536 O1c5]", rng=np.random.default_rng(0))


def test_the_largest_that_is_sensible_is_planned():
    spec = parse_spec("[1,120,0,1 Cr3,13,512 Mp2,2 Cr3,9,512 Lbx512 Lbx512 O1c20000]")
    assert isinstance(spec.layers[0].layer, Convolution)
    assert isinstance(spec.layers[1].layer, MaxPool)
