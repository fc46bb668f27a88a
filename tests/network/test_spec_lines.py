"""What a spec must be to read lines, and how a network that does not is refused."""

import numpy as np
import pytest

from ocrlstm import train
from ocrlstm.errors import SpecError
from ocrlstm.network import check_line_spec, parse_spec, tells_classes
from ocrlstm.training import TrainingConfig
from ocrlstm.training.material import check_spec


@pytest.mark.parametrize(
    "spec",
    [
        "[1,48,0,1 Lbx100 O1c5]",
        "[1,48,0,1 O1c5]",
        "[1,48,0,1 O1s5]",  # the same layer
        "[0,40,0,1 (I [Cr3,3,8 Cl3,3,1]) A3,1 Lfys16 Gbx20 Do O{out}1c5]",
        "[1,48,0,1 [Cm3,3,8 Mp2,2] O1c5]",
    ],
)
def test_good(spec):
    check_line_spec(parse_spec(spec))


REFUSED = [
    ("[1,48,0,1]", "must end with an output layer, e.g. O1c"),
    ("[1,48,0,1 Lbx100]", "must end with an output layer"),
    ("[1,48,0,1 O1c5 Lbx100]", "must end with an output layer"),
    ("[1,48,0,1 [Lbx9 O1c5]]", "must end with an output layer"),
    ("[1,48,0,1 Lbx9 O1p5]", "must end with an output layer"),
    ("[1,48,0,1 Lbx9 O1l5]", "must end with an output layer"),
    ("[1,48,0,1 Lbx9 Os]", "must end with an output layer"),
    ("[1,48,0,1 O2s5]", "must end with an output layer"),
    ("[1,48,0,1 O1c5 O1c5]", "'O1c5' at character 11: output layer before the end"),
    ("[1,48,0,1 Mp2,2 [Lfx9 (O1c5 I)] O1c5]", "'[' at character 17: output layer before the end"),
    ("[1,48,0,3 O1c5]", "'1,48,0,3' at character 2: lines are grey: 1 channel, not 3"),
    ("[1,48,300,1 O1c5]", "'1,48,300,1' at character 2: lines are of any width: write 0, not 300"),
    ("[1,0,48 O1c5]", "'1,0,48' at character 2: lines are images: write batch,height"),
    ("[1,48,0,1 Lfxs9 O1c5]", "'O1c5' at character 17: lines need frames all along, not 1"),
    ("[1,48,0,1 Rtb-1,-1 O1c5]", "'Rtb-1,-1' at character 11: makes several lines of one"),
    ("[1,48,0,1 (I [Rtb-1,-1 [Rt-1]]) O1c5]", "branches make different numbers of items"),
    ("[1,48,0,1 ([Rtb-1,-1]) O1c5]", "'(' at character 11: makes several lines of one"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "told"), REFUSED)
def test_refused(spec, told):
    with pytest.raises(SpecError) as error:
        check_line_spec(parse_spec(spec))
    assert told in str(error.value)


@pytest.mark.parametrize(("spec", "told"), [REFUSED[i] for i in (1, 8, 10, 11, 12, 13)])
def test_refused_before_a_line_is_read(tmp_path, spec, told):
    image = np.zeros((9, 30))
    with pytest.raises(SpecError) as error:
        train([(image, "a")], TrainingConfig(spec=spec), tmp_path / "m.safetensors")
    assert told in str(error.value)


@pytest.mark.parametrize(
    "output", ["O1c", "O1c{out}", "O{out}1c", "O1ca", "O1c2", "O1c2{out}", "O1s"]
)
def test_number_of_classes_is_asked_of_the_codec_where_it_is_not_told(output):
    spec = f"[1,8,0,1 Lfx2 {output} ]"
    assert tells_classes(spec) == ("2" in output)
    parsed, _ = check_spec(TrainingConfig(spec=spec))
    assert repr(parsed.layers[-1].layer) == "Softmax(2)"
