"""Several -m: the models vote, in `recognize` and `evaluate` alike."""

import json
from dataclasses import replace

import pytest

from ocrlstm.network import save_model
from ocrlstm.text import Codec


@pytest.fixture
def other_file(bar_model, tmp_path):
    """The model of bars, but it calls a bar "l"."""
    path = tmp_path / "other.safetensors"
    save_model(replace(bar_model, codec=Codec(("", " ", "l"))), path)
    return path


def test_the_majority_is_read(run, bar_model_file, other_file, write_line, tmp_path):
    image = write_line(tmp_path, "a", 2)
    two_to_one = ["-m", other_file, "-m", bar_model_file, "-m", other_file]
    assert run("recognize", image, *two_to_one).stdout == "ll\n"
    one_to_two = ["-m", other_file, "-m", bar_model_file, "-m", bar_model_file]
    values = json.loads(run("recognize", image, *one_to_two, "-f", "json").stdout)
    assert values["text"] == "ii"
    assert [one["confidence"] for one in values["characters"]] == [0.6667, 0.6667]


def test_evaluate_scores_the_vote(run, bar_model_file, other_file, write_line, tmp_path):
    write_line(tmp_path / "in", "a", 2, "ll")
    models = ["-m", bar_model_file, "-m", other_file, "-m", other_file]
    assert json.loads(run("evaluate", tmp_path / "in", "--json", *models).stdout)["edits"] == 0
    alone = run("evaluate", tmp_path / "in", "--json", "-m", bar_model_file)
    assert json.loads(alone.stdout)["edits"] == 2


def test_models_that_cannot_vote_are_named(run, bar_model, bar_model_file, write_line, tmp_path):
    path = tmp_path / "nfd.safetensors"
    save_model(replace(bar_model, codec=replace(bar_model.codec, normal_form="NFD")), path)
    result = run("recognize", write_line(tmp_path, "a", 1), "-m", bar_model_file, "-m", path)
    assert result.exit_code == 2
    assert "models that vote must have one normal form, not NFC and NFD" in result.stderr
    assert "nfd.safetensors" in result.stderr
