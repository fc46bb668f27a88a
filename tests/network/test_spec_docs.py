"""The pages that tell of VGSL: every spec can be read, every token is there, errors are told so."""

import re
from pathlib import Path

import pytest

import ocrlstm.layers
from ocrlstm.errors import SpecError
from ocrlstm.network import check_line_spec, parse_spec
from ocrlstm.network.vgsl import token_of
from ocrlstm.network.vgsl.syntax import read_tree
from ocrlstm.network.vgsl.table import KINDS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "networks.md").read_text(encoding="utf-8")
ERROR = re.search(r'--spec "(.+)"\n    ocrlstm: error: (.+)\n', PAGE)
SPECS = sorted(
    set(re.findall(r"`(\[\d[^`\n]*\])`", PAGE))
    | set(re.findall(r"^    (\[\d.*\])$", PAGE, re.MULTILINE))
)


@pytest.mark.parametrize("spec", SPECS)
def test_every_spec_can_be_read(spec):
    parsed = parse_spec(spec, 59 if spec.endswith("O1c]") else None)
    if spec.endswith("O1c]"):
        check_line_spec(parsed)


def test_there_is_an_example_of_every_kind_of_token():
    used = set()

    def walk(node):
        used.update(kind.pattern for kind in KINDS if kind.match(node.bare))
        for child in node.children:
            walk(child)

    for spec in SPECS:
        for node in read_tree(spec).nodes:
            walk(node)
    assert used == {kind.pattern for kind in KINDS}


def test_the_error_is_told_so():
    with pytest.raises(SpecError) as error:
        parse_spec(ERROR[1], 5)
    assert str(error.value) == ERROR[2]


@pytest.mark.parametrize(
    ("python", "token"),
    re.findall(
        r"^\| [^|]* \| [^|]* \| `([^|`]+)` \| `([^|`]+)` \|$",
        (DOCS / "layers.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    ),
)
def test_layers_are_written_as_the_page_of_layers_says(python, token):
    layer = eval(python, vars(ocrlstm.layers))
    if python.startswith("Input("):
        assert parse_spec(f"[{token} I]").input_shape == layer.shape
    else:
        assert token_of(layer) == token
