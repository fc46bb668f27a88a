"""Training from packs, alone and among other paths: the same model as from the images."""

import dataclasses
import hashlib

import numpy as np
import pytest

from ocrlstm.datasets import LineForm, find_pairs, open_pack, write_pack
from ocrlstm.errors import DatasetError, ModelFileError
from ocrlstm.lines import LineNormalizer
from ocrlstm.training import Message, Step, crossfold, resume, train
from ocrlstm.training.material import gather_material
from ocrlstm.training.state import load_checkpoint, save_checkpoint

FORM = LineForm(LineNormalizer(kind="scale", height=16, range=3.0))


@pytest.fixture
def pack(pairs_folder, tmp_path):
    """The twelve pairs of `pairs_folder`."""
    return write_pack(tmp_path / "lines.pack", find_pairs([pairs_folder]).pairs, FORM).pack


def stop_after(steps):
    done = []
    return {
        "report": lambda event: done.append(event) if isinstance(event, Step) else None,
        "should_stop": lambda: len(done) >= steps,
    }


@pytest.fixture
def model_of(tiny, tmp_path):
    """Train, and return the bytes of the model."""

    def run(pairs, name="model", **more):
        train(pairs, tiny, tmp_path / f"{name}.safetensors", **more)
        return (tmp_path / f"{name}.safetensors").read_bytes()

    return run


def test_the_same_model_as_from_the_images(model_of, pairs_folder, pack):
    expected = model_of(pairs_folder, "images")
    assert model_of(pack.path) == model_of(pack) == model_of([str(pack.path)]) == expected


def test_the_images_are_not_needed(model_of, pairs_folder, pack):
    expected = model_of(pairs_folder)
    for image in pairs_folder.glob("*.png"):
        image.unlink()
    assert model_of(pack) == expected


def test_pack_and_folder(model_of, write_pairs, pack, tmp_path, pairs_folder):
    more = write_pairs(tmp_path / "more", 5)
    mixed = model_of([pack, more])
    assert mixed == model_of([pairs_folder, more])


def test_resumed_and_known_again_by_the_images_too(model_of, pairs_folder, pack, tmp_path):
    expected = model_of(pairs_folder, "images")
    train_steps = stop_after(2)
    model_of(pack, **train_steps)
    resume(tmp_path / "model.ckpt")
    assert (tmp_path / "model.safetensors").read_bytes() == expected
    # The lines are the same wherever they lie.
    model_of(pack, **stop_after(2))
    resume(tmp_path / "model.ckpt", pairs=pairs_folder)
    assert (tmp_path / "model.safetensors").read_bytes() == expected


def test_a_changed_pack_is_refused(model_of, pack, tmp_path):
    model_of(pack, **stop_after(2))
    write_pack(pack.path, pack.pairs()[1:], FORM)
    with pytest.raises(ModelFileError, match="the image/text pairs are not those the run"):
        resume(tmp_path / "model.ckpt")


def test_the_fingerprint_of_an_older_program(model_of, tiny, pairs_folder, tmp_path):
    expected = model_of(pairs_folder, "undisturbed")
    model_of(pairs_folder, **stop_after(2))
    path = tmp_path / "model.ckpt"
    state, run, arrays = load_checkpoint(path)
    # Of the twelve pairs, as a release before packs computed it.
    save_checkpoint(path, state, {**run, "fingerprint": "0" * 64}, arrays)
    with pytest.raises(ModelFileError, match="not those the run"):
        resume(path)
    old = old_fingerprint(gather_material(find_pairs([pairs_folder]).pairs, [], tiny))
    save_checkpoint(path, state, {**run, "fingerprint": old}, arrays)
    resume(path)
    assert (tmp_path / "model.safetensors").read_bytes() == expected


def old_fingerprint(material):
    digest = hashlib.sha256()
    for sample in (*material.training, *material.validation):
        text = sample.text.encode("utf-8", "surrogatepass")
        digest.update(np.array([len(text), *sample.shape]).tobytes())
        digest.update(text)
        digest.update(sample.pixels.tobytes())
    return digest.hexdigest()


def test_another_form_is_refused_with_the_remedy(tiny, pack):
    with pytest.raises(DatasetError, match=r"lines\.pack: packed with height 16 instead of 20; pa"):
        train(pack, dataclasses.replace(tiny, height=20))
    with pytest.raises(DatasetError, match="packed with text rules none instead of long_s; pack"):
        train(pack, dataclasses.replace(tiny, text_rules=("long_s",)))


@pytest.mark.parametrize("packed", ["training", "validation", "both"])
def test_what_is_validated_on_is_not_trained_on(tiny, pack, pairs_folder, tmp_path, packed):
    some = tmp_path / "some"
    some.mkdir()
    for path in pairs_folder.glob("[012].*"):
        (some / path.name).write_bytes(path.read_bytes())
    training = pairs_folder if packed == "validation" else pack
    validation = some
    if packed != "training":
        validation = write_pack(tmp_path / "some.pack", find_pairs([some]).pairs, FORM).pack
    messages = []
    train(training, tiny, validation=validation, report=messages.append)
    told = [event.text for event in messages if isinstance(event, Message)]
    assert told[-1].startswith("training on 9 lines, validating on 3;")


def test_a_pack_that_was_interrupted_is_told(tiny, pairs_folder, tmp_path):
    def interrupt(done, total):
        if done == 5:
            raise KeyboardInterrupt

    packed = write_pack(
        tmp_path / "a.pack", find_pairs([pairs_folder]).pairs, FORM, progress=interrupt
    )
    messages = []
    result = train(packed.pack, tiny, report=messages.append)
    assert "a.partial.pack: packing was interrupted" in messages[0].text
    assert len(result.problems) == 1


def test_a_damaged_line_is_told_in_the_midst_of_training(tiny, pack):
    place = pack.squeezed(3).place
    with open(pack.path, "r+b") as file:
        file.seek(place + 4)
        file.write(b"\xff\xff\xff")
    with pytest.raises(DatasetError, match=r"lines\.pack: the line at byte \d+ is damaged"):
        train(open_pack(pack.path), tiny)


def test_problems_of_packed_lines_have_their_names(tiny, pack):
    wide = dataclasses.replace(tiny, spec="[1,16,0,1 Mp1,16 Lbx4 O1c]")
    problems = train(pack, wide).problems
    assert problems and all(str(problem.path).endswith(".png") for problem in problems)
    assert all("too short for its text" in problem.reason for problem in problems)


def test_folds_of_a_pack(tiny, pack, tmp_path):
    config = dataclasses.replace(tiny, epochs=1)
    result = crossfold(pack, config, tmp_path / "folds", k=3)
    assert [(fold.training_lines, fold.validation_lines) for fold in result.folds] == [(8, 4)] * 3
