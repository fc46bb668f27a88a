"""However a run was stopped, going on leads to the same bytes as never stopping."""

import dataclasses
import itertools
import json
import os
import time

import numpy as np
import pytest

from ocrlstm.errors import ModelFileError, TrainingError
from ocrlstm.kernels.threads import set_thread_count, thread_count
from ocrlstm.training import Message, Step, resume, train, trainer
from ocrlstm.training.state import load_checkpoint, save_checkpoint


class Killed(BaseException):
    """Stands for a kill: nothing in the program may catch it for good."""


def stop_after(steps: int) -> dict:
    """Arguments for `train` and `resume` that stop the run after so many of its steps."""
    done = []
    return {
        "report": lambda event: done.append(event) if isinstance(event, Step) else None,
        "should_stop": lambda: len(done) >= steps,
    }


@pytest.fixture
def undisturbed(train_tiny, tmp_path) -> bytes:
    train_tiny("undisturbed")
    return (tmp_path / "undisturbed.safetensors").read_bytes()


@pytest.mark.parametrize("steps", range(1, 7))
def test_stopped_after_any_step(train_tiny, undisturbed, tmp_path, steps):
    assert train_tiny(**stop_after(steps)).interrupted
    assert not resume(tmp_path / "model.ckpt").interrupted
    assert (tmp_path / "model.safetensors").read_bytes() == undisturbed


@pytest.mark.parametrize("ctc", ["ctc", "ocropus"])
@pytest.mark.parametrize("optimizer", ["adam", "adamw", "sgd", "momentum"])
def test_stopped_after_every_step(train_tiny, tmp_path, tiny, optimizer, ctc):
    config = dataclasses.replace(tiny, optimizer=optimizer, ctc=ctc, seed=3)
    train_tiny("undisturbed", config)
    result = train_tiny(config=config, **stop_after(1))
    pieces = 1
    while result.interrupted:
        result = resume(tmp_path / "model.ckpt", **stop_after(1))
        pieces += 1
    assert pieces == 7
    model = (tmp_path / "model.safetensors").read_bytes()
    assert model == (tmp_path / "undisturbed.safetensors").read_bytes()


def test_running_statistics_go_on(train_tiny, tmp_path, tiny):
    config = dataclasses.replace(tiny, spec="[1,16,0,1 Cr3,3,2 Bn Lbx4 Do0.2 O1c]")
    train_tiny("undisturbed", config)
    assert train_tiny(config=config, **stop_after(2)).interrupted
    result = resume(tmp_path / "model.ckpt")
    model = (tmp_path / "model.safetensors").read_bytes()
    assert model == (tmp_path / "undisturbed.safetensors").read_bytes()
    assert (result.model.network.buffers()["Bn_1.variance"] != 1).any()


def test_killed_before_any_write(train_tiny, undisturbed, tmp_path, monkeypatch):
    """With a checkpoint after every step, a kill just before each file takes its name."""
    monkeypatch.setattr(trainer, "_CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(trainer, "_CHECKPOINT_SECONDS_BEFORE_VALIDATION", float("inf"))
    replace, written = os.replace, []
    deadly = [0]

    def count_or_die(source, target):
        written.append(target)
        if len(written) == deadly[0]:
            raise Killed
        replace(source, target)

    monkeypatch.setattr(os, "replace", count_or_die)
    train_tiny()
    # The first; checkpoint and log at the start, after 6 steps, 2 epochs, and at the end; models.
    assert len(written) == 1 + 2 * (1 + 6 + 2 + 1) + 3
    for deadly[0] in range(2, len(written) + 1):
        written.clear()
        with pytest.raises(Killed):
            train_tiny()
        resume(tmp_path / "model.ckpt")
        assert (tmp_path / "model.safetensors").read_bytes() == undisturbed


def test_a_checkpoint_every_minute(memory_pairs, tiny, tmp_path, monkeypatch):
    """Whoever looks at the clock finds it 15 seconds later; so long takes a step, too."""
    clock, saved = itertools.count(0.0, 15.0), []
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))

    def note(path, state, run, arrays):
        saved.append(state.seconds)
        save_checkpoint(path, state, run, arrays)

    monkeypatch.setattr(trainer, "save_checkpoint", note)
    config = dataclasses.replace(tiny, batch_size=1)
    history = train(memory_pairs(12), config, tmp_path / "model.safetensors").history
    assert np.diff(saved).max() <= 60
    assert {record.seconds for record in history} <= set(saved)


def test_killed_while_reading(train_tiny, undisturbed, tmp_path, tiny):
    """The checkpoint of an older run in the same place is not taken for this one's."""
    train_tiny(config=dataclasses.replace(tiny, seed=9))

    def die(done, total):
        raise Killed

    with pytest.raises(Killed):
        train_tiny(reading=die)
    resume(tmp_path / "model.ckpt")
    assert (tmp_path / "model.safetensors").read_bytes() == undisturbed


def test_a_finished_run_stays_as_it_is(train_tiny, tmp_path):
    history = train_tiny().history
    before = (tmp_path / "model.safetensors").read_bytes()
    result = resume(tmp_path / "model.ckpt")
    assert (tmp_path / "model.safetensors").read_bytes() == before
    assert result.history == history and not result.interrupted


def test_a_run_finished_by_time_stays_as_it_is(train_tiny, tmp_path, tiny, slow_clock):
    # 36 seconds, of which the last validation keeps 2.2.
    config = dataclasses.replace(tiny, epochs=None, max_minutes=0.6)
    history = train_tiny(config=config).history
    before = (tmp_path / "model.safetensors").read_bytes()
    assert resume(tmp_path / "model.ckpt").history == history
    assert (tmp_path / "model.safetensors").read_bytes() == before


def test_time_before_the_resume_counts(train_tiny, tmp_path, tiny):
    config = dataclasses.replace(tiny, epochs=None, max_minutes=10.0)
    train_tiny(config=config, **stop_after(4))
    path = tmp_path / "model.ckpt"
    state, run, arrays = load_checkpoint(path)
    assert (state.epoch, state.batch) == (1, 1)
    state.seconds = 600.0
    save_checkpoint(path, state, run, arrays)
    # The time is up, but what was learnt since the last validation is still looked at.
    assert [record.steps for record in resume(path).history] == [3, 4]


def test_the_rate_stays_halved(train_tiny, tmp_path):
    train_tiny(**stop_after(2))
    path = tmp_path / "model.ckpt"
    state, run, arrays = load_checkpoint(path)
    state.rate_factor, state.mishaps = 0.5, 20
    save_checkpoint(path, state, run, arrays)
    resume(path)
    state, _, _ = load_checkpoint(path)
    assert (state.rate_factor, state.mishaps) == (0.5, 20)


def test_the_best_weights_are_kept(train_tiny, tmp_path, monkeypatch):
    """The first epoch was better than any later one, so its weights are the result."""
    cers = iter([0.1, 0.2])
    validate = trainer.validate
    monkeypatch.setattr(
        trainer,
        "validate",
        lambda *arguments: dataclasses.replace(validate(*arguments), cer=next(cers)),
    )
    train_tiny(**stop_after(4))
    first = load_checkpoint(tmp_path / "model.ckpt")[2]
    result = resume(tmp_path / "model.ckpt")
    assert result.model.metadata["best_epoch"] == 1
    weights = result.model.network.parameters()
    last = load_checkpoint(tmp_path / "model.ckpt")[2]
    for name, array in weights.items():
        np.testing.assert_array_equal(array, first[f"best:{name}"])
        np.testing.assert_array_equal(array, last[f"best:{name}"])
    assert [record.best for record in result.history] == [True, False]


def test_its_own_thread_count(train_tiny, tmp_path):
    set_thread_count(1)
    train_tiny(**stop_after(1))
    set_thread_count(2)
    messages = []
    resume(tmp_path / "model.ckpt", report=messages.append, should_stop=lambda: True)
    assert thread_count() == 1
    assert not any("--threads" in m.text for m in messages if isinstance(m, Message))
    resume(tmp_path / "model.ckpt", threads=2, report=messages.append)
    assert thread_count() == 2
    assert any("begun with --threads 1" in m.text for m in messages if isinstance(m, Message))


def test_from_another_folder(pairs_folder, tiny, undisturbed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    train("pairs", tiny, "model.safetensors", **stop_after(2))
    monkeypatch.chdir(pairs_folder)
    resume(tmp_path / "model.ckpt")
    assert (tmp_path / "model.safetensors").read_bytes() == undisturbed


@pytest.mark.parametrize("change", ["text", "image", "more", "fewer"])
def test_changed_pairs_are_refused(train_tiny, pairs_folder, write_pairs, tmp_path, change):
    train_tiny(**stop_after(2))
    checkpoint = (tmp_path / "model.ckpt").read_bytes()
    if change == "text":
        (pairs_folder / "3.gt.txt").write_text("i", encoding="utf-8")
    elif change == "image":
        (pairs_folder / "4.png").write_bytes((pairs_folder / "5.png").read_bytes())
    elif change == "more":
        write_pairs(pairs_folder, 13)
    else:
        (pairs_folder / "7.gt.txt").unlink()
    with pytest.raises(ModelFileError, match=r"model\.ckpt: the image/text pairs are not those"):
        resume(tmp_path / "model.ckpt")
    assert (tmp_path / "model.ckpt").read_bytes() == checkpoint


def spoil_half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def spoil_header(path, **values):
    state, run, arrays = load_checkpoint(path)
    save_checkpoint(path, state, {**run, **values}, arrays)


def spoil_weights(path):
    state, run, arrays = load_checkpoint(path)
    name = next(name for name in arrays if name.startswith("weights:"))
    arrays[name] = arrays[name][:1]
    save_checkpoint(path, state, run, arrays)


def make_newer(path):
    content = path.read_bytes()
    assert content.count(b'\\"version\\": 1,') == 1
    path.write_bytes(content.replace(b'\\"version\\": 1,', b'\\"version\\": 9,'))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.unlink(), "no such checkpoint"),
        (spoil_half, "damaged or not a checkpoint"),
        (lambda path: path.write_bytes(b""), "damaged or not a checkpoint"),
        (make_newer, "from a newer ocrlstm"),
        (spoil_weights, "does not fit its settings"),
    ],
)
def test_a_bad_checkpoint(train_tiny, tmp_path, spoil, message):
    train_tiny(**stop_after(2))
    path = tmp_path / "model.ckpt"
    spoil(path)
    with pytest.raises(ModelFileError, match=message):
        resume(path)


def test_settings_of_another_kind(train_tiny, tmp_path):
    train_tiny(**stop_after(2))
    spoil_header(tmp_path / "model.ckpt", config={"epoch": 3})
    with pytest.raises(TrainingError, match="unknown training settings: epoch"):
        resume(tmp_path / "model.ckpt")


def test_the_model_is_no_checkpoint(train_tiny, tmp_path):
    train_tiny()
    with pytest.raises(ModelFileError, match=r"name the checkpoint of the run, .*model\.ckpt"):
        resume(tmp_path / "model.safetensors")


def test_the_model_holds_nothing_of_the_clock(train_tiny):
    metadata = json.dumps(train_tiny().model.metadata)
    assert "seconds" not in metadata and "lines_per" not in metadata


def test_pairs_in_memory(memory_pairs, tiny, tmp_path):
    pairs, path = memory_pairs(12), tmp_path / "model.safetensors"
    train(pairs, tiny, tmp_path / "undisturbed.safetensors")
    train(pairs, tiny, path, **stop_after(2))
    with pytest.raises(ModelFileError, match="held in memory"):
        resume(tmp_path / "model.ckpt")
    resume(tmp_path / "model.ckpt", pairs=pairs)
    assert path.read_bytes() == (tmp_path / "undisturbed.safetensors").read_bytes()


def test_leftovers_of_a_kill_are_removed(train_tiny, tmp_path):
    left = tmp_path / ".model.ckpt.0123456789ab.tmp"
    left.touch()
    other = tmp_path / ".other.ckpt.0123456789ab.tmp"
    other.touch()
    train_tiny()
    assert not left.exists() and other.exists()
