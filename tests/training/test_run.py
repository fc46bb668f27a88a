"""`train` from end to end: what it reads, writes, tells and refuses."""

import csv
import dataclasses
import errno
import os

import numpy as np
import pytest
from PIL import Image

from ocrlstm.errors import DatasetError, OutputError, SpecError
from ocrlstm.network import load_model_file
from ocrlstm.recognition import Recognizer
from ocrlstm.training import EpochRecord, Message, Step, resume, train


@pytest.fixture
def texts_of():
    """Train with a report; gives the messages."""

    def run(function, *arguments, **more):
        events = []
        function(*arguments, report=events.append, **more)
        return [event.text for event in events if isinstance(event, Message)]

    return run


def test_files_and_result(train_tiny, tmp_path):
    result = train_tiny()
    assert result.output == tmp_path / "model.safetensors"
    assert [record.epoch for record in result.history] == [1, 2]
    assert [record.steps for record in result.history] == [3, 6]
    assert [record.lines for record in result.history] == [11, 22]
    assert not result.interrupted and result.problems == []
    written = {path.name for path in tmp_path.iterdir()} - {"pairs"}
    assert written == {"model.safetensors", "model.ckpt", "model.csv"}
    with open(tmp_path / "model.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["epoch"]) for row in rows] == [1, 2]
    assert float(rows[1]["validation_cer"]) == result.history[1].validation_cer
    saved = load_model_file(tmp_path / "model.safetensors").network.parameters()
    for name, weights in result.model.network.parameters().items():
        np.testing.assert_array_equal(weights, saved[name])


def test_it_learns_and_the_model_reads(memory_pairs, tiny):
    pairs = memory_pairs(24)
    config = dataclasses.replace(
        tiny,
        spec="[1,16,0,1 Lbx16 O1c]",
        epochs=60,
        learning_rate=0.02,
        augment=0.0,
        validation_share=0.0,
    )
    result = train(pairs, config)
    assert result.output is None
    assert min(record.validation_cer for record in result.history) < 0.1
    assert result.history[-1].loss < result.history[0].loss / 4
    image, text = pairs[3]
    assert Recognizer(result.model).recognize(image).text == text


def test_the_same_seed_gives_the_same_model(train_tiny, tmp_path, tiny):
    def model(name, seed):
        train_tiny(name, dataclasses.replace(tiny, seed=seed))
        return (tmp_path / f"{name}.safetensors").read_bytes()

    assert model("a", 5) == model("b", 5) != model("c", 6)


def test_events(train_tiny):
    events = []
    train_tiny(report=events.append)
    steps = [event for event in events if isinstance(event, Step)]
    assert [(step.epoch, step.step, step.steps) for step in steps] == [
        (epoch, step, 3) for epoch in (1, 2) for step in (1, 2, 3)
    ]
    progress = [step.progress for step in steps]
    assert progress == sorted(progress) and 0 < progress[0] and progress[-1] == 1
    assert len([event for event in events if isinstance(event, EpochRecord)]) == 2


def test_stopped_before_the_first_validation(train_tiny, tmp_path):
    result = train_tiny(should_stop=lambda: True)
    assert result.interrupted and result.history == []
    assert load_model_file(tmp_path / "model.safetensors").metadata["validation_cer"] is None


def test_stopped_by_patience(train_tiny, tiny, monkeypatch):
    set_cers(monkeypatch, [1.0, 1.0, 1.0, 1.0, 0.5, 0.6, 0.5, 0.5, 0.1])
    result = train_tiny(config=dataclasses.replace(tiny, epochs=50, patience=3))
    # The first four epochs are no reason to stop: nothing is read yet. Equally good is no better.
    assert len(result.history) == 8
    assert result.model.metadata["best_epoch"] == 8


def test_without_patience(train_tiny, tiny, monkeypatch):
    set_cers(monkeypatch, [0.5] * 9)
    result = train_tiny(config=dataclasses.replace(tiny, epochs=9, patience=0))
    assert len(result.history) == 9


def set_cers(monkeypatch, cers):
    from ocrlstm.training import trainer

    validate, rest = trainer.validate, iter(cers)
    monkeypatch.setattr(
        trainer, "validate", lambda *given: dataclasses.replace(validate(*given), cer=next(rest))
    )


def test_time_limit(train_tiny, tiny, slow_clock):
    # Half a minute: reading, steps and validations take a second each, and so does looking at the
    # clock before a validation. One second and 1.2 validations are kept back.
    result = train_tiny(config=dataclasses.replace(tiny, epochs=None, max_minutes=0.5))
    assert not result.interrupted
    assert [record.seconds for record in result.history] == [6, 11, 16, 21, 26, 30]
    assert [record.steps for record in result.history] == [3, 6, 9, 12, 15, 17]


def test_no_time_at_all(train_tiny, tiny, tmp_path):
    result = train_tiny(config=dataclasses.replace(tiny, max_minutes=0.0))
    assert [record.steps for record in result.history] == [0]
    load_model_file(tmp_path / "model.safetensors")


def test_bad_pairs_are_left_out_with_reason(train_tiny, pairs_folder, texts_of):
    (pairs_folder / "1.gt.txt").write_bytes(b"\xff")
    (pairs_folder / "2.gt.txt").write_text(" \n", encoding="utf-8")
    (pairs_folder / "3.png").write_bytes(b"")
    (pairs_folder / "4.gt.txt").write_text("i" * 60, encoding="utf-8")
    (pairs_folder / "5.gt.txt").unlink()
    messages = texts_of(train_tiny)
    assert messages[0].startswith(f"left out: {pairs_folder}/1.gt.txt: not UTF-8")
    assert messages[1] == f"left out: {pairs_folder}/2.gt.txt: the text is empty"
    assert messages[2].startswith(f"left out: {pairs_folder}/3.png: is empty (0 bytes)")
    assert f"{pairs_folder}/4.png: too short for its text: 60 characters need 119 " in messages[3]
    assert messages[4] == f"left out: an image has no text beside, first {pairs_folder}/5.png"
    assert "training on 7 lines" in messages[-1]


def test_bad_pairs_in_memory(memory_pairs, tiny):
    pairs = memory_pairs(12)
    pairs[1] = (pairs[1][0], " ")
    pairs[4] = ("no/such.png", "i")
    problems = train(pairs, tiny).problems
    assert [str(problem).partition(":")[0] for problem in problems] == ["pair 2", "pair 5"]
    assert problems[0].reason == "the text is empty"


@pytest.mark.parametrize("pairs", [[(np.ones((9, 9)), "i"), "folder"], [("a.png", "i", 3)]])
def test_pairs_that_are_none(pairs, tiny):
    with pytest.raises(TypeError, match=r"pair \d: expected a tuple of an image and its text"):
        train(pairs, tiny)


def test_a_text_that_is_none(memory_pairs, tiny):
    with pytest.raises(TypeError, match="pair 1: the text is a PosixPath, not a str"):
        train([(memory_pairs(1)[0][0], __import__("pathlib").Path("a.txt"))], tiny)


def test_images_of_all_kinds_in_memory(memory_pairs, tiny, tmp_path):
    pairs = memory_pairs(12)
    Image.fromarray(pairs[0][0]).save(tmp_path / "0.png")
    mixed = [
        (str(tmp_path / "0.png"), pairs[0][1]),
        (Image.fromarray(pairs[1][0]), pairs[1][1]),
        *pairs[2:],
    ]
    one, other = train(pairs, tiny).model, train(mixed, tiny).model
    assert one.metadata == other.metadata


def test_validation_pairs(write_pairs, tiny, tmp_path, texts_of):
    folder = write_pairs(tmp_path / "train", 8)
    other = write_pairs(tmp_path / "valid", 3)
    (other / "0.gt.txt").write_text("ix", encoding="utf-8")
    messages = texts_of(train, folder, tiny, validation=other)
    assert messages[-2] == (
        f"in validation lines only, so that it cannot be learnt: 'x' (U+0078) in {other}/0.png"
    )
    assert messages[-1] == "training on 8 lines, validating on 3; 3 characters"


def test_validation_pairs_among_the_training_pairs(write_pairs, tiny, tmp_path, texts_of):
    write_pairs(tmp_path / "all", 8)
    write_pairs(tmp_path / "all" / "valid", 3)
    (tmp_path / "link").symlink_to(tmp_path / "all" / "valid")
    messages = texts_of(train, tmp_path / "all", tiny, validation=tmp_path / "link")
    assert messages[-1].startswith("training on 8 lines, validating on 3;")


def test_only_validation_pairs(pairs_folder, tiny):
    with pytest.raises(DatasetError, match="all are validation pairs"):
        train(pairs_folder, tiny, validation=pairs_folder)


def test_no_validation_pair_of_use(pairs_folder, write_pairs, tiny, tmp_path):
    other = write_pairs(tmp_path / "valid", 1)
    (other / "0.png").write_bytes(b"")
    with pytest.raises(DatasetError, match=r"none of 1 validation pairs .*0\.png: is empty"):
        train(pairs_folder, tiny, validation=other)


@pytest.mark.parametrize(
    ("lines", "share", "training", "validating"),
    [(9, 0.05, 9, 9), (10, 0.05, 9, 1), (30, 0.05, 27, 3), (40, 0.2, 32, 8), (12, 0.0, 12, 12)],
)
def test_lines_held_back(memory_pairs, tiny, texts_of, lines, share, training, validating):
    config = dataclasses.replace(tiny, validation_share=share, epochs=1)
    messages = texts_of(train, memory_pairs(lines), config)
    assert messages[-1].startswith(f"training on {training} lines, validating on {validating};")
    assert (training == lines) == ("the CER shown is that of training lines" in messages[0])


def test_one_line_is_enough_to_train(memory_pairs, tiny):
    assert len(train(memory_pairs(1), tiny).history) == 2


def test_nothing_of_use_leaves_nothing(train_tiny, pairs_folder, tmp_path):
    for text in pairs_folder.glob("*.gt.txt"):
        text.write_text("")
    with pytest.raises(DatasetError, match=r"none of 12 .* the first problem: .*0\.gt\.txt"):
        train_tiny()
    assert [path.name for path in tmp_path.iterdir()] == ["pairs"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("no/such/model.safetensors", "there is no folder"),
        ("model.pt", "ends in .safetensors"),
        ("pairs", "is a folder"),
        ("taken", "taken.ckpt: is a folder"),
    ],
)
def test_outputs_are_refused_before_reading(pairs_folder, tiny, tmp_path, output, reason):
    (tmp_path / "taken.ckpt").mkdir()
    reads = []
    with pytest.raises(OutputError, match=reason):
        train(pairs_folder, tiny, tmp_path / output, reading=lambda *done: reads.append(done))
    assert reads == []


def test_an_output_folder_that_cannot_be_written(pairs_folder, tiny):
    if not os.path.isdir("/proc/self"):
        pytest.skip("no /proc here")
    with pytest.raises(OutputError, match="cannot be written"):
        train(pairs_folder, tiny, "/proc/model.safetensors")


def test_an_output_without_ending(pairs_folder, tiny, tmp_path):
    assert train(pairs_folder, tiny, tmp_path / "m").output == tmp_path / "m.safetensors"
    assert (tmp_path / "m.ckpt").exists()


@pytest.mark.parametrize("spec", ["[1,2,0,1 Lbx4 O1c]", "[1,16,0,1 Lbx4", "[1,16,0,1 Zz O1c]"])
def test_a_bad_spec_is_refused_before_reading(pairs_folder, tiny, spec):
    reads = []
    with pytest.raises(SpecError, match="network spec"):
        train(
            pairs_folder,
            dataclasses.replace(tiny, spec=spec),
            reading=lambda *done: reads.append(done),
        )
    assert reads == []


def test_height(pairs_folder, tiny):
    model = train(pairs_folder, dataclasses.replace(tiny, height=20)).model
    assert (model.network.height, model.normalizer.height) == (20, 20)
    assert model.network.spec.startswith("[1,20,0,1 ")


def test_disk_full_while_saving(train_tiny, pairs_folder, tiny, tmp_path, monkeypatch):
    train_tiny()
    fsync, calls = os.fsync, []

    def run_full(handle):
        calls.append(handle)
        if len(calls) > 7:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    config = dataclasses.replace(tiny, epochs=9)
    train_tiny("undisturbed", config)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", run_full)
        with pytest.raises(OutputError, match=r"cannot be written \(No space left on device\)"):
            train_tiny(config=config)
    assert not list(tmp_path.glob(".*"))
    assert load_model_file(tmp_path / "model.safetensors").metadata["best_epoch"] > 0
    resume(tmp_path / "model.ckpt")
    model = (tmp_path / "model.safetensors").read_bytes()
    assert model == (tmp_path / "undisturbed.safetensors").read_bytes()
