"""Folds: each line held back once, the same bytes however often it was stopped, faults told."""

import dataclasses
import json
import os
import signal

import pytest

from ocrlstm.errors import DatasetError, ModelFileError, OutputError, SpecError, TrainingError
from ocrlstm.kernels.threads import thread_count
from ocrlstm.network import load_model_file, save_model
from ocrlstm.training import (
    EpochRecord,
    FoldResult,
    Step,
    TrainingConfig,
    crossfold,
    train,
    tuning_config,
)
from ocrlstm.training.crossfolds import processes
from ocrlstm.training.crossfolds.plan import read_plan


@pytest.fixture
def cross(pairs_folder, tmp_path, tiny):
    """Train three folds of the twelve pairs into a folder; gives the result."""

    def run(name="folds", config=tiny, pairs=pairs_folder, k=3, **more):
        return crossfold(pairs, config, tmp_path / name, k, **{"threads": 1, **more})

    return run


@pytest.fixture
def models(tmp_path):
    """The model files of a folder, byte for byte."""

    def read(name="folds"):
        return [path.read_bytes() for path in sorted((tmp_path / name).glob("*.safetensors"))]

    return read


@pytest.fixture
def undisturbed(cross, models):
    cross("undisturbed")
    return models("undisturbed")


class Watch:
    """Keeps all events, and stops the folds after so many steps."""

    def __init__(self, steps=10**9):
        self.steps, self.events = steps, []

    def arguments(self):
        return {
            "report": lambda number, event: self.events.append((number, event)),
            "should_stop": lambda: len(self.of(Step)) >= self.steps,
        }

    def of(self, kind):
        return [(number, event) for number, event in self.events if isinstance(event, kind)]


def test_every_line_is_held_back_once(cross, tmp_path, pairs_folder):
    watch = Watch()
    result = cross(**watch.arguments())
    assert not result.interrupted
    assert [fold.number for fold in result.folds] == [1, 2, 3]
    assert result.models == [tmp_path / "folds" / f"fold-{n}.safetensors" for n in (1, 2, 3)]
    for fold in result.folds:
        assert fold.finished and fold.error == "" and 0 <= fold.seconds < 600
        assert (fold.training_lines, fold.validation_lines, fold.epochs) == (8, 4, 2)
        metadata = load_model_file(fold.model).metadata
        assert metadata["fold"] == {"number": fold.number, "of": 3, "by": "line", "seed": 0}
        assert metadata["config"]["seed"] == fold.number - 1
        assert metadata["validation_cer"] == fold.validation_cer
        assert metadata["best_epoch"] == fold.best_epoch
    assert result.mean_cer == pytest.approx(sum(result.cers) / 3)
    assert watch.of(FoldResult) == [(fold.number, fold) for fold in result.folds]
    assert [number for number, _ in watch.of(EpochRecord)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("steps", [1, 3, 4, 5, 9])
def test_stopped_and_called_again(cross, models, undisturbed, steps):
    result = cross(**Watch(steps).arguments())
    assert result.interrupted
    # Two epochs of two steps a fold.
    assert [fold.finished for fold in result.folds] == [4 * n < steps for n in (1, 2, 3)]
    assert not cross().interrupted
    assert models() == undisturbed


def test_stopped_while_reading(cross, models, undisturbed):
    read = []
    result = cross(
        should_stop=lambda: (1, 4, 12) in read, reading=lambda *event: read.append(event)
    )
    assert {event for event in read if event[0]} == {(1, done, 12) for done in range(1, 5)}
    assert result.interrupted and result.models == []
    cross()
    assert models() == undisturbed


def test_finished_folds_are_skipped(cross, models, tmp_path):
    before = cross()
    times = [path.stat().st_mtime_ns for path in before.models]
    watch = Watch()
    assert cross(**watch.arguments()) == before
    assert [path.stat().st_mtime_ns for path in before.models] == times
    assert watch.events == [(fold.number, fold) for fold in before.folds]


def test_one_by_one_as_all(cross, models, undisturbed):
    result = cross(only=[2])
    assert [fold.finished for fold in result.folds] == [False, True, False]
    assert not result.interrupted
    cross(only=[3, 1])
    assert models() == undisturbed


def test_the_threads_it_was_begun_with(cross, tmp_path):
    cross(threads=7, jobs=3, only=[1], should_stop=lambda: True)
    assert read_plan(tmp_path / "folds").threads == 2
    cross(threads=None, only=[2])
    assert thread_count() == 2
    cross(threads=1, only=[3])
    assert thread_count() == 1


def test_pairs_in_memory(memory_pairs, cross, models):
    pairs = memory_pairs(12)
    cross("undisturbed", pairs=iter(pairs))
    assert cross(pairs=pairs, **Watch(5).arguments()).interrupted
    cross(pairs=pairs)
    assert models() == models("undisturbed")
    with pytest.raises(ValueError, match="held in memory are for jobs=1"):
        cross(pairs=pairs, jobs=2)


def test_from_a_model(cross, models, train_tiny, tiny, tmp_path):
    train_tiny("first")
    train_tiny("other", dataclasses.replace(tiny, seed=1))
    first, other = tmp_path / "first.safetensors", tmp_path / "other.safetensors"
    settings = {"config": tuning_config(load_model_file(first), epochs=2), "k": 2}
    cross("undisturbed", start=first, **settings)
    assert cross(start=first, **settings, **Watch(2).arguments()).interrupted
    for wrong, found in ((other, "the model"), (None, "random weights")):
        with pytest.raises(TrainingError, match=rf"the model \w{{8}}\.\.\., not with {found}"):
            cross(start=wrong, **settings if wrong else {"k": 2})
    with pytest.raises(ValueError, match="held in memory are for jobs=1"):
        cross(start=load_model_file(first), jobs=2, **settings)
    result = cross(start=first, jobs=2, threads=2, **settings)
    assert models() == models("undisturbed")
    metadata = load_model_file(result.models[1]).metadata
    assert metadata["config"]["charset"] == "union"
    assert metadata["lineage"][0]["name"] == "first"


def change_text(folder):
    (folder / "3.gt.txt").write_text("i", encoding="utf-8")


def remove_line(folder):
    (folder / "7.gt.txt").unlink()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (change_text, r"crossfold\.json: these folds were begun with lines of other names, texts"),
        (remove_line, r"crossfold\.json: these folds were begun with 12 lines, but 11 are given"),
    ],
)
def test_other_pairs_are_refused(cross, models, pairs_folder, change, message):
    cross(only=[1])
    before = models()
    change(pairs_folder)
    with pytest.raises(TrainingError, match=message):
        cross()
    assert models() == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"k": 4}, r"begun with folds 3 \(now 4\)"),
        ({"by": "file"}, r"begun with by 'line' \(now 'file'\)"),
        ({"max_pixels": 1000}, r"begun with max_pixels 200000000 \(now 1000\)"),
        ({"config": TrainingConfig()}, r"begun with spec '\[1,16,.*batch_size 4 \(now 8\)"),
    ],
)
def test_other_settings_are_refused(cross, more, message):
    cross(only=[1])
    with pytest.raises(TrainingError, match=message):
        cross(**more)


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"k": 13}, DatasetError, "12 lines are too few for 13 folds"),
        ({"k": 2, "by": "folder"}, DatasetError, "12 lines are of 1 groups by 'folder'"),
        ({"k": 1}, TrainingError, "1 folds; there must be 2 to 1000"),
        ({"by": "("}, TrainingError, "neither line, folder, file nor a regular expression"),
        ({"only": [0]}, ValueError, r"folds \[0\] of 3: they are numbered from 1 to 3"),
        ({"only": [2, 4]}, ValueError, r"folds \[2, 4\] of 3"),
        ({"jobs": 0}, ValueError, "jobs is 0, expected at least 1"),
        ({"pairs": "missing"}, DatasetError, "missing: no such file or folder"),
        ({"start": "missing"}, ModelFileError, "missing: no such model file"),
        ({"config": TrainingConfig(spec="[1,16,0,1 O1c")}, SpecError, "network spec"),
        ({"config": TrainingConfig(charset="union")}, TrainingError, "no model to begin with"),
    ],
)
def test_what_cannot_begin(cross, tmp_path, more, error, message):
    with pytest.raises(error, match=message):
        cross(**more)
    assert not (tmp_path / "folds").exists()


def test_a_folder_that_is_none(cross, tmp_path):
    (tmp_path / "folds").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match=r"folds: cannot be used as a folder of folds"):
        cross()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fold_that_fails_does_not_stop_the_others(cross, models, undisturbed, tmp_path, jobs):
    """In turn and side by side, to the same bytes."""
    (tmp_path / "folds").mkdir()
    checkpoint = tmp_path / "folds" / "fold-2.ckpt"
    checkpoint.write_bytes(b"no checkpoint")
    watch, read = Watch(), []
    result = cross(
        jobs=jobs, threads=jobs, reading=lambda *event: read.append(event), **watch.arguments()
    )
    assert [fold.finished for fold in result.folds] == [True, False, True]
    told = f"{checkpoint}: is damaged or not a checkpoint; delete it to begin this fold again"
    assert result.folds[1].error == told
    assert not result.interrupted
    assert sorted(watch.of(FoldResult)) == [(fold.number, fold) for fold in result.folds]
    assert {number for number, _ in watch.of(EpochRecord)} == {1, 3}
    assert {(1, 12, 12), (3, 12, 12)} <= set(read)
    assert models() == undisturbed[::2]
    checkpoint.unlink()
    cross()
    assert models() == undisturbed


def test_a_fold_without_a_usable_line(cross, models, tmp_path, pairs_folder):
    for number in range(1, 12):
        (pairs_folder / f"{number}.png").write_bytes(b"")
    result = cross(k=12)
    # One fold has the good line for validation and nothing to train on, the others the reverse.
    assert all("pairs" in fold.error for fold in result.folds)
    assert not list((tmp_path / "folds").glob("*.ckpt"))


def test_the_checkpoint_of_another_run(cross, tmp_path, pairs_folder, tiny):
    (tmp_path / "folds").mkdir()
    train(pairs_folder, tiny, tmp_path / "folds" / "fold-1.safetensors")
    result = cross()
    assert "fold-1.ckpt: is of another run than fold 1" in result.folds[0].error
    assert [fold.finished for fold in result.folds] == [False, True, True]


@pytest.mark.parametrize(
    "left", ["no result", "half a result", "no model", "another version", "an earlier model"]
)
def test_a_fold_whose_end_is_not_noted_is_looked_at_again(
    cross, models, undisturbed, tmp_path, left
):
    cross(only=[1])
    noted = tmp_path / "folds" / "fold-1.json"
    if left == "no result":
        noted.unlink()
    elif left == "half a result":
        noted.write_text('{"version": 1, "validation_cer": 0.1')
    elif left == "no model":
        noted.with_suffix(".safetensors").unlink()
    elif left == "an earlier model":
        model = load_model_file(noted.with_suffix(".safetensors"))
        model.metadata["history"].pop()
        save_model(model, noted.with_suffix(".safetensors"))
    else:
        noted.write_text(noted.read_text().replace('"version": 1', '"version": 9'))
    cross()
    assert models() == undisturbed


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda values: "{", r"crossfold\.json: is damaged \("),
        (lambda values: "[]", r"crossfold\.json: is damaged; begin in another folder"),
        (lambda values: json.dumps({**values, "version": 2}), "from a newer ocrlstm"),
        (lambda values: json.dumps({**values, "folds": "3"}), r"is damaged \(folds is '3'\)"),
        (lambda values: json.dumps({**values, "config": {"spec": 3}}), "json: spec is 3"),
    ],
)
def test_a_damaged_plan(cross, tmp_path, spoil, message):
    cross(only=[1])
    path = tmp_path / "folds" / "crossfold.json"
    path.write_text(spoil(json.loads(path.read_text())))
    with pytest.raises((ModelFileError, TrainingError), match=message):
        cross()


@pytest.fixture
def workers(monkeypatch):
    """All processes that are started, by the number of their fold."""
    started = {}

    class Noted(processes._Worker):
        def __init__(self, number, *arguments):
            super().__init__(number, *arguments)
            started[number] = self._process

    monkeypatch.setattr(processes, "_Worker", Noted)
    return started


def test_a_process_that_dies(cross, models, workers, tiny):
    def report(number, event):
        if number == 2 and isinstance(event, EpochRecord):
            workers[2].kill()

    config = dataclasses.replace(tiny, epochs=30, patience=0)
    result = cross(config=config, k=2, jobs=2, threads=2, report=report)
    assert [fold.finished for fold in result.folds] == [True, False]
    assert result.folds[1].error == "its process died (Killed; out of memory?)"
    cross(config=config, k=2)
    cross("undisturbed", config, k=2)
    assert models() == models("undisturbed")


def test_a_process_that_cannot_begin(cross, monkeypatch):
    monkeypatch.setattr(processes, "_WORKER", "nowhere")
    result = cross(jobs=3, k=2)
    for fold in result.folds:
        assert fold.error.startswith("its process ended with exit code 1: ")
        assert "No module named nowhere" in fold.error


def test_an_error_of_the_caller_leaves_no_process(cross, workers):
    class Unforeseen(Exception):
        pass

    def report(number, event):
        raise Unforeseen

    with pytest.raises(Unforeseen):
        cross(jobs=2, report=report)
    assert [process.returncode for process in workers.values()] == [-signal.SIGKILL] * 2
    for process in workers.values():
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)
