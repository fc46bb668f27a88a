"""Fine-tuning: what comes from the model to begin with, what is protected, what is refused."""

import dataclasses
import hashlib

import numpy as np
import pytest

from ocrlstm.errors import ModelFileError, TrainingError
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network, load_model_file, model_bytes, save_model
from ocrlstm.text import Codec
from ocrlstm.training import (
    Message,
    Step,
    TrainingConfig,
    resume,
    train,
    trainer,
    tuning_config,
)
from ocrlstm.training.state import load_checkpoint, save_checkpoint

SPEC = "[1,16,0,1 Cr3,3,2 Bn Lbx4 Do0.2 O1c]"
OUTPUT = "O_4.W2"


def make_model(characters="'-8", spec=SPEC, **metadata) -> LineModel:
    codec = Codec(("", *characters))
    network = Network(spec, len(codec), np.random.default_rng(5))
    normalizer = LineNormalizer("scale", network.height, 3.0, padding=12)
    return LineModel(network, codec, normalizer, metadata)


@pytest.fixture
def old() -> LineModel:
    return make_model(provenance="old lines", licence="CC0", training_lines=7)


def tune(pairs, model, settings=None, **more):
    given = {"epochs": 2, "batch_size": 4, **(settings or {})}
    return train(pairs, tuning_config(model, **given), start=model, **more)


def rows(model: LineModel) -> dict[str, np.ndarray]:
    weights = model.network.parameters()[[*model.network.parameters()][-1]]
    return dict(zip(model.codec.labels, weights, strict=True))


@pytest.mark.parametrize(
    ("charset", "labels"),
    [("union", ("", "'", "-", "8", "i")), ("new", ("", "'", "-", "i")), ("keep", ("", *"'-8"))],
)
def test_charsets(memory_pairs, old, charset, labels):
    model = tune(memory_pairs(12), old, {"charset": charset}).model
    assert model.codec.labels == labels
    assert model.normalizer == old.normalizer
    assert model.network.layers.keys() == old.network.layers.keys()
    assert model.metadata["config"]["charset"] == charset


def test_a_line_with_other_characters_is_a_problem_where_the_charset_is_kept(memory_pairs, old):
    result = tune(memory_pairs(12), old, {"charset": "keep"})
    assert result.problems and all("'i' (U+0069)" in str(p) for p in result.problems)
    lines = result.model.metadata["training_lines"]
    without = [text for _, text in memory_pairs(12) if "i" not in text]
    assert lines <= len(without)


def test_keep_the_charset_where_no_line_is_left(memory_pairs):
    with pytest.raises(Exception, match="none of 12 pairs can be trained on; the first problem"):
        tune(memory_pairs(12), make_model("xy"), {"charset": "keep"})


@pytest.mark.parametrize(("later", "best"), [((0.6, 0.7), 0), ((0.6, 0.4), 2)])
def test_the_model_before_the_first_step_counts(memory_pairs, old, monkeypatch, later, best):
    """Its CER is told and kept, and it is what is left if nothing better comes."""
    cers, validate = iter([0.5, *later]), trainer.validate
    monkeypatch.setattr(
        trainer, "validate", lambda *given: dataclasses.replace(validate(*given), cer=next(cers))
    )
    events = []
    model = tune(memory_pairs(12), old, {"learning_rate": 0.01}, report=events.append).model
    told = [e.text for e in events if isinstance(e, Message) and "validation CER" in e.text]
    assert told == ["before the first step: validation CER 50.00 %"]
    left = [e.text for e in events if isinstance(e, Message) and "left alone" in e.text]
    assert left == ["in no training line, and so left alone: '8' (U+0038)"]
    last = events[-1].text if isinstance(events[-1], Message) else ""
    assert (last == "no epoch was better than the model before the first step") == (best == 0)
    assert model.metadata["start_cer"] == 0.5
    assert model.metadata["validation_cer"] == min(0.5, *later)
    assert model.metadata["best_epoch"] == best
    same = (model.network.parameters()["Cr_0.W"] == old.network.parameters()["Cr_0.W"]).all()
    assert same == (best == 0)


def test_weights_before_the_first_step_are_those_of_the_model(memory_pairs, old):
    model = tune(memory_pairs(12), old, should_stop=lambda: True).model
    for name, array in model.network.arrays().items():
        if name != OUTPUT:
            np.testing.assert_array_equal(array, old.network.arrays()[name])
    np.testing.assert_array_equal(rows(model)["8"], rows(old)["8"])
    assert model.metadata["best_epoch"] == 0


@pytest.mark.parametrize("optimizer", ["adamw", "momentum"])
def test_characters_without_examples_are_protected(memory_pairs, old, optimizer):
    """Eights are in no line; without protection their row is taught to be wrong everywhere."""
    settings = {"optimizer": optimizer, "weight_decay": 0.5, "learning_rate": 0.02}
    kept = last_rows(memory_pairs, old, settings)
    np.testing.assert_array_equal(kept["8"], rows(old)["8"])
    assert (kept["-"] != rows(old)["-"]).any() and (kept[""] != rows(old)[""]).any()
    lost = last_rows(memory_pairs, old, {**settings, "protect": False})
    assert (lost["8"] != rows(old)["8"]).any()


def last_rows(memory_pairs, old, settings):
    """Rows after the last step, whether the model is the best or not."""
    seen, step = [], trainer.Trainer._step
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            trainer.Trainer, "_step", lambda self, *a: seen.append(self) or step(self, *a)
        )
        tune(memory_pairs(12), old, settings)
    weights = seen[-1].learner.network.parameters()[OUTPUT]
    return dict(zip(seen[-1].material.codec.labels, weights.copy(), strict=True))


@pytest.mark.parametrize("freeze", [3, ("Cr_0", "Bn_1", "Lbx_2"), ["Cr_0", "Bn_1", "Lbx_2"]])
def test_frozen_layers_do_not_change(memory_pairs, old, freeze):
    settings = {"freeze": freeze, "learning_rate": 0.01, "weight_decay": 0.5}
    model = tune(memory_pairs(12), old, settings).model
    before = old.network.arrays()
    for name, array in model.network.arrays().items():
        if name != OUTPUT:
            np.testing.assert_array_equal(array, before[name])
    assert model.metadata["config"]["freeze"] == (3 if freeze == 3 else list(freeze))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"height": 32}, "height is 32, but the model to begin with has 16; leave it out"),
        ({"normalizer": "center"}, "normalizer is 'center', but the model .* has 'scale'"),
        ({"range": 4.0}, "range is 4.0, but the model to begin with has 3.0"),
        ({"unit": "codepoint"}, "unit is 'codepoint', but the model"),
        ({"normal_form": "NFD"}, "normal_form is 'NFD', but the model"),
        ({"direction": "rtl"}, "direction is 'rtl', but the model to begin with has 'ltr'"),
        ({"spec": "[1,16,0,1 Lbx4 O1c]"}, "spec is .*, but the model to begin with has .* leave"),
        ({"spec": "no spec"}, "spec is 'no spec', but the model"),
        ({"text_rules": ("long_s",)}, r"text_rules is \('long_s',\), but the model"),
        ({"charset": "all"}, "charset is 'all'; choose one of keep, union, new"),
        ({"freeze": -1}, "freeze is -1; it must be a number of layers or their names"),
        ({"freeze": 2.5}, "freeze is 2.5; it must"),
    ],
)
def test_settings_that_contradict_the_model(old, settings, message):
    with pytest.raises(TrainingError, match=message):
        tuning_config(old, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"spec": SPEC, "height": 16, "normalizer": "scale", "direction": "ltr"},
        {"spec": "[1,48,0,1  Cr3,3,2 Bn{Bn_1} Lbx4 Do0.2 O1c4]", "height": 16},
        {"spec": None, "height": None} | {"spec": SPEC},
    ],
)
def test_settings_that_agree_with_the_model(old, settings):
    assert tuning_config(old, **settings) == tuning_config(old)


@pytest.mark.parametrize(
    ("freeze", "message"),
    [
        (5, "freeze is 5; the model has 4 layers with weights, Cr_0, Bn_1, Lbx_2, O_4"),
        (4, "freeze leaves no weights to train"),
        (("Cr_0", "Cr_7"), "freeze is 'Cr_7'; the layers are named Cr_0, Bn_1, columns, Lbx_2"),
    ],
)
def test_layers_that_are_not_there(memory_pairs, old, freeze, message):
    with pytest.raises(TrainingError, match=message):
        tune(memory_pairs(12), old, {"freeze": freeze})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"charset": "keep"}, "charset is 'keep', but there is no model to begin with"),
        ({"freeze": 1}, "freeze is 1, but there is no model to begin with"),
        ({"protect": False}, "protect is false, but there is no model to begin with"),
    ],
)
def test_settings_of_fine_tuning_without_a_model(memory_pairs, tiny, settings, message):
    with pytest.raises(TrainingError, match=message):
        train(memory_pairs(12), dataclasses.replace(tiny, **settings))


def test_other_settings_with_a_model(memory_pairs, old, tiny):
    with pytest.raises(TrainingError, match="make the settings with tuning_config"):
        train(memory_pairs(12), tiny, start=old)
    with pytest.raises(TrainingError, match="spec is .* but the model to begin with has"):
        train(memory_pairs(12), dataclasses.replace(tiny, charset="union"), start=old)


def test_without_settings(memory_pairs, old):
    result = train(memory_pairs(12), start=old, should_stop=lambda: True)
    assert result.model.metadata["config"]["charset"] == "union"
    assert TrainingConfig.from_dict(result.model.metadata["config"]) == tuning_config(old)


def test_lineage(memory_pairs, old, tmp_path):
    path = tmp_path / "old one.safetensors"
    save_model(old, path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    child = train(
        memory_pairs(12), tuning_config(old, epochs=1), tmp_path / "child.safetensors", start=path
    ).model
    parent = {"name": "old one", "sha256": digest, "provenance": "old lines", "licence": "CC0"}
    assert child.metadata["lineage"] == [{**parent, "training_lines": 7}]
    grandchild = tune(memory_pairs(12), child, should_stop=lambda: True).model
    nearest, *rest = grandchild.metadata["lineage"]
    assert rest == child.metadata["lineage"]
    assert nearest["sha256"] == hashlib.sha256(model_bytes(child)).hexdigest()


@pytest.mark.parametrize("lineage", [7, "x", [1, {"name": "a"}], [{"n": i} for i in range(999)]])
def test_odd_lineages_of_strangers(memory_pairs, lineage):
    model = make_model(lineage=lineage, provenance=["no text"])
    found = tune(memory_pairs(12), model, should_stop=lambda: True).model.metadata["lineage"]
    assert "provenance" not in found[0] and len(found) <= 21
    assert all(isinstance(one, dict) for one in found)


def stop_after(steps: int) -> dict:
    done = []
    return {
        "report": lambda event: done.append(event) if isinstance(event, Step) else None,
        "should_stop": lambda: len(done) >= steps,
    }


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_a_resumed_run_reaches_the_same_bytes_without_the_model_file(
    pairs_folder, old, tmp_path, steps
):
    start = tmp_path / "old.safetensors"
    save_model(old, start)
    config = tuning_config(old, epochs=2, batch_size=4, freeze=1, learning_rate=0.01)
    train(pairs_folder, config, tmp_path / "whole.safetensors", start=start)
    halves = tmp_path / "halves.safetensors"
    assert train(pairs_folder, config, halves, start=start, **stop_after(steps)).interrupted
    start.unlink()
    assert not resume(tmp_path / "halves.ckpt").interrupted
    assert halves.read_bytes() == (tmp_path / "whole.safetensors").read_bytes()
    assert load_model_file(halves).metadata["lineage"][0]["name"] == "old"


def test_killed_while_reading(pairs_folder, old, tmp_path):
    """The checkpoint has the model before the first line is read."""

    class Killed(BaseException):
        pass

    def die(done, total):
        raise Killed

    start = tmp_path / "old.safetensors"
    save_model(old, start)
    config = tuning_config(old, epochs=1, batch_size=4)
    train(pairs_folder, config, tmp_path / "whole.safetensors", start=start)
    model = tmp_path / "killed.safetensors"
    with pytest.raises(Killed):
        train(pairs_folder, config, model, start=start, reading=die)
    start.unlink()
    resume(tmp_path / "killed.ckpt")
    assert model.read_bytes() == (tmp_path / "whole.safetensors").read_bytes()


def test_a_checkpoint_without_its_model(pairs_folder, old, tmp_path):
    path = tmp_path / "run.ckpt"
    tune(pairs_folder, old, output=tmp_path / "run.safetensors", **stop_after(1))
    state, run, arrays = load_checkpoint(path)
    del arrays["start:model"]
    save_checkpoint(path, state, run, arrays)
    with pytest.raises(ModelFileError, match="lacks the model it began with"):
        resume(path)
