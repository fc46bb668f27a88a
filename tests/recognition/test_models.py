"""Shipped models by name, any model by path."""

import shutil

import pytest

import ocrlstm
from ocrlstm.errors import ModelFileError
from ocrlstm.recognition import models
from ocrlstm.recognition.models import DEFAULT_MODEL, find_model, list_models, load_model


@pytest.fixture
def shipped(tmp_path, monkeypatch, bar_model_file):
    """An installed package with two models, one of them the default."""
    folder = tmp_path / "package" / "pretrained"
    folder.mkdir(parents=True)
    for name in ("aardvark", DEFAULT_MODEL):
        shutil.copy(bar_model_file, folder / f"{name}.safetensors")
    (folder / f"{DEFAULT_MODEL}.md").write_text("\n# Bars, *all* of them\n\nMore.\n", "utf-8")
    monkeypatch.setattr(models, "_PACKAGE", folder.parent)
    return folder


def test_the_default_comes_first(shipped):
    first, second = list_models()
    assert (first.name, first.title) == (DEFAULT_MODEL, "Bars, *all* of them")
    assert (second.name, second.title) == ("aardvark", "aardvark")
    assert "More." in first.card and second.card == ""


def test_names_and_paths(shipped, bar_model_file, bars):
    assert find_model() == shipped / f"{DEFAULT_MODEL}.safetensors"
    assert find_model("aardvark") == shipped / "aardvark.safetensors"
    assert find_model(bar_model_file) == bar_model_file
    assert load_model().recognize(bars(3)).text == "iii"
    assert load_model(str(bar_model_file), batch_size=2).batch_size == 2


def test_a_folder_of_the_name_does_not_hide_the_model(shipped, tmp_path, monkeypatch):
    (tmp_path / "aardvark").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_model("aardvark") == shipped / "aardvark.safetensors"


def test_a_wrong_name_tells_the_right_ones(shipped):
    with pytest.raises(ModelFileError, match=rf"^frktur: .*shipped: {DEFAULT_MODEL}, aardvark"):
        find_model("frktur")


def test_a_checkout_is_known_by_its_setup(tmp_path, monkeypatch, bar_model_file):
    (tmp_path / "models").mkdir()
    (tmp_path / "ocrlstm").mkdir()
    shutil.copy(bar_model_file, tmp_path / "models" / "one.safetensors")
    monkeypatch.setattr(models, "_PACKAGE", tmp_path / "ocrlstm")
    assert list_models() == []
    (tmp_path / "pyproject.toml").touch()
    assert [model.name for model in list_models()] == ["one"]


def test_no_shipped_model_at_all(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "_PACKAGE", tmp_path / "ocrlstm")
    with pytest.raises(ModelFileError, match="shipped: none"):
        load_model()


def test_one_shot_keeps_the_model(shipped, bars, monkeypatch):
    loaded = []
    monkeypatch.setattr(
        "ocrlstm.recognition.once.load_model",
        lambda path: loaded.append(path) or load_model(path),
    )
    assert ocrlstm.recognize(bars(2)).text == "ii"
    assert ocrlstm.recognize(bars(4), model=DEFAULT_MODEL).text == "iiii"
    assert len(loaded) == 1
    assert ocrlstm.recognize(bars(1), model="aardvark").text == "i"
    assert len(loaded) == 2
    assert ocrlstm.recognize(bars(1), model=load_model("aardvark")).text == "i"
    assert len(loaded) == 2


def test_one_shot_sees_a_new_model(shipped, bars, bar_model_file):
    path = shipped / "aardvark.safetensors"
    ocrlstm.recognize(bars(1), model=path)
    path.write_bytes(b"broken")
    with pytest.raises(ModelFileError):
        ocrlstm.recognize(bars(1), model=path)
