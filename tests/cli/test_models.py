"""``ocrlstm models``: list and show."""

import shutil

import pytest

from ocrlstm.recognition import models
from ocrlstm.recognition.models import DEFAULT_MODEL


@pytest.fixture
def shipped(tmp_path, monkeypatch, bar_model_file):
    folder = tmp_path / "package" / "pretrained"
    folder.mkdir(parents=True)
    for name in ("aardvark", DEFAULT_MODEL):
        shutil.copy(bar_model_file, folder / f"{name}.safetensors")
    (folder / f"{DEFAULT_MODEL}.md").write_text("# Bars\n\nMore.\n", "utf-8")
    monkeypatch.setattr(models, "_PACKAGE", folder.parent)
    return folder


@pytest.mark.parametrize("arguments", [["models"], ["models", "list"]])
def test_list(run, shipped, arguments):
    result = run(*arguments)
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        [DEFAULT_MODEL, "Bars", "(default)"],
        ["aardvark", "aardvark"],
    ]


def test_show_prints_the_card(run, shipped):
    assert run("models", "show", DEFAULT_MODEL).stdout == "# Bars\n\nMore.\n"


def test_show_without_card_tells_what_the_file_holds(run, bar_model_file):
    result = run("models", "show", bar_model_file)
    assert result.exit_code == 0
    assert "[1,32,0,1 O1c3]" in result.stdout
    assert "3 labels" in result.stdout
    assert "made by hand" in result.stdout


def test_a_wrong_name(run, shipped):
    result = run("models", "show", "frktur")
    assert result.exit_code == 2
    assert DEFAULT_MODEL in result.stderr


def test_the_default_is_used_without_a_name(run, shipped, write_line, tmp_path):
    assert run("recognize", write_line(tmp_path, "a", 3)).stdout == "iii\n"
