"""A checkpoint gives back to the last bit what it was given."""

import dataclasses

import numpy as np

from ocrlstm.training import EpochRecord
from ocrlstm.training.state import RunState, load_checkpoint, save_checkpoint

RUN = {
    "config": {"seed": 2},
    "paths": ["/a/ö"],
    "validation": [],
    "max_pixels": 9,
    "threads": 2,
    "fingerprint": None,
}


def test_there_and_back(tmp_path):
    record = EpochRecord(1, 3, 11, 0.1 + 0.2, 1 / 3, True, 1e-3 / 7, 2.5, 99.9)
    state = RunState(
        epoch=1,
        batch=2,
        step=5,
        loss_sum=1e-300 + 1 / 7,
        loss_lines=8,
        rate_factor=0.25,
        mishaps=2,
        seconds=1e5 / 3,
        epoch_seconds=0.7,
        validation_seconds=0.3,
        start_cer=0.9,
        best_cer=2 / 3,
        best_epoch=1,
        improved_epoch=1,
        lines=11,
        history=[record],
    )
    # Each field has a value of its own, so that none can be forgotten.
    default = dataclasses.asdict(RunState())
    assert all(value != default[name] for name, value in dataclasses.asdict(state).items())
    arrays = {
        "weights:a": np.array([[np.pi, np.nextafter(1, 2)]], np.float32),
        "optimizer:step": np.array(7, np.int64),
        "best:a": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    }
    path = tmp_path / "run.ckpt"
    save_checkpoint(path, state, RUN, arrays)
    again, run, loaded = load_checkpoint(path)
    assert again == state and run == RUN
    assert loaded.keys() == arrays.keys()
    for name, array in arrays.items():
        assert loaded[name].dtype == array.dtype
        np.testing.assert_array_equal(loaded[name], array, strict=True)


def test_the_same_state_gives_the_same_bytes(tmp_path):
    arrays = {"weights:a": np.ones(3, np.float32)}
    save_checkpoint(tmp_path / "a.ckpt", RunState(), RUN, arrays)
    save_checkpoint(tmp_path / "b.ckpt", RunState(), RUN, arrays)
    assert (tmp_path / "a.ckpt").read_bytes() == (tmp_path / "b.ckpt").read_bytes()
