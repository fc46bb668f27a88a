"""Settings in TOML files: every key known, every value of its kind, written and read again."""

import dataclasses
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.errors import TrainingError
from ocrlstm.training import TrainingConfig, toml_file
from ocrlstm.training.toml_file import RUN_KINDS, read_toml, setting_kinds
from ocrlstm.training.toml_writing import format_toml

KINDS = {**RUN_KINDS, **setting_kinds()}


@pytest.fixture
def read(tmp_path):
    def call(text: str | bytes):
        path = tmp_path / "run.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_toml(path, KINDS)

    return call


def test_every_setting_has_a_kind():
    assert setting_kinds().keys() == {field.name for field in dataclasses.fields(TrainingConfig)}
    assert setting_kinds()["epochs"] == "whole number"


def test_values(read, tmp_path):
    found = read(
        'learning-rate = 1\nbatch_size = 4\nprotect = false\nspec = "[1,16,0,1 O1c]"\n'
        'freeze = ["Cr_0"]\ntext_rules = "long_s"\ntext_table = [["a", "b"]]\n'
        "[distortions]\nblur = 0\n"
    )
    assert found == {
        "learning_rate": 1,
        "batch_size": 4,
        "protect": False,
        "spec": "[1,16,0,1 O1c]",
        "freeze": ("Cr_0",),
        "text_rules": ("long_s",),
        "text_table": (("a", "b"),),
        "distortions": {"blur": 0},
    }
    TrainingConfig(**found)


def test_paths_begin_at_the_file(read, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    elsewhere = os.path.abspath(os.sep + "x")
    found = read(f'paths = ["a/*.png", "@b.txt", {elsewhere!r}]\nvalidation = "v"\noutput = "o"')
    assert found == {
        "paths": [str(tmp_path / "a/*.png"), f"@{tmp_path / 'b.txt'}", elsewhere],
        "validation": [str(tmp_path / "v")],
        "output": str(tmp_path / "o"),
    }


def test_a_model_beside_the_file_or_by_name(read, tmp_path):
    assert read('from = "old.safetensors"') == {"from": "old.safetensors"}
    (tmp_path / "old.safetensors").touch()
    assert read('from = "old.safetensors"') == {"from": str(tmp_path / "old.safetensors")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat = 1", "no setting is named 'learning_rat'; the nearest is 'learning_rate'"),
        ("lerning-rate = 1", "no setting is named 'lerning-rate'; the nearest is 'learning_rate'"),
        ("[train]\nepochs = 3", "no setting is named 'train'; the nearest is"),
        ("batch-size = 1\nbatch_size = 2", "'batch_size' is there twice, with - and with _"),
        ("epochs = 2.0", "epochs is 2.0; it must be a whole number"),
        ("epochs = true", "epochs is True; it must be a whole number"),
        ('epochs = "3"', "epochs is '3'; it must be a whole number"),
        ("augment = true", "augment is True; it must be a number"),
        ('learning-rate = "1e-3"', "learning-rate is '1e-3'; it must be a number"),
        ("protect = 1", "protect is 1; it must be true or false"),
        ("spec = 3", "spec is 3; it must be a text"),
        ("paths = 3", "paths is 3; it must be a path or a list of paths"),
        ("paths = [3]", "paths is [3]; it must be a path or a list of paths"),
        ("output = []", "output is []; it must be a path"),
        ('output = ""', "output is ''; it must be a path"),
        ('paths = "a\\u0000"', r"paths is 'a\x00'; it must be a path"),
        ('from = "a\\u0000"', r"from is 'a\x00'; it must be a model file"),
        ("from = 1979-05-27", "from is datetime.date(1979, 5, 27); it must be a model file"),
        ("freeze = true", "freeze is True; it must be a number of layers"),
        ("freeze = [1]", "freeze is [1]; it must be a number of layers"),
        ("text_table = [['a']]", "text_table is [['a']]; it must be a list of [from, to]"),
        ("distortions = 1", "distortions is 1; it must be a table"),
        ("spec = ", "is not TOML: "),
        ("a = 1\na = 2", "is not TOML: "),
        (b"spec = '\xff'", "is not UTF-8 (byte 8)"),
        ("#" * 1_000_001, "has more than 1,000,000 bytes; no settings are so long"),
        ("paths = " + "[" * 100_000, "is nested too deep for settings"),
        (f"epochs = {'9' * 5000}", "is not TOML: "),
    ],
)
def test_refused(read, tmp_path, text, message):
    with pytest.raises(TrainingError) as error:
        read(text)
    assert str(error.value).startswith(f"{tmp_path}/run.toml: {message}")
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


def test_no_file(tmp_path):
    with pytest.raises(TrainingError, match="run.toml: cannot be read .No such file"):
        read_toml(tmp_path / "run.toml", KINDS)
    with pytest.raises(TrainingError, match=r": cannot be read \("):
        read_toml(tmp_path, KINDS)


SCALARS = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
)  # fmt: skip
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@given(
    st.dictionaries(
        KEYS, SCALARS | st.lists(SCALARS) | st.dictionaries(KEYS, SCALARS | st.lists(SCALARS))
    ),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_what_is_written_is_read_again(values, comment):
    assert toml_file.tomllib.loads(format_toml(values, comment)) == values


def test_a_whole_configuration(read):
    config = TrainingConfig(
        epochs=3, freeze=("Cr_0",), text_table=(("a", "b"),), distortions={"blur": 0.5}
    )
    assert TrainingConfig(**read(format_toml(config.to_dict()))) == config


def test_what_toml_cannot_say():
    assert format_toml({"a": None}) == "# a is not set\n"
    with pytest.raises(TypeError, match="TOML has no word for"):
        format_toml({"a": {1, 2}})


def test_the_file_of_the_page(read):
    page = Path(__file__).parents[2] / "docs" / "configuration.md"
    (block,) = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    found = read(block)
    settings = {name: value for name, value in found.items() if name not in RUN_KINDS}
    assert TrainingConfig(**settings).learning_rate == 1e-3
    assert found["from"] == "english-sample" and len(found["paths"]) == 2
