"""The moving average of weights."""

import numpy as np
import pytest

from ocrlstm.optimizers import MovingAverage


def test_by_hand():
    parameters = {"w": np.array([0.0])}
    average = MovingAverage(parameters, decay=0.15)
    parameters["w"][:] = 1.0
    average.update(parameters)  # kept: min(0.15, 1 / 10)
    average.update(parameters)  # kept: min(0.15, 2 / 11), from here on the decay itself
    average.update(parameters)
    average.copy_to(parameters)
    assert parameters["w"][0] == pytest.approx(1 - 0.1 * 0.15 * 0.15, rel=1e-14)


def test_start_is_a_copy():
    parameters = {"w": np.ones(2, np.float32)}
    average = MovingAverage(parameters)
    parameters["w"][:] = 5.0
    average.copy_to(parameters)
    np.testing.assert_array_equal(parameters["w"], 1.0)


def test_resumed_equals_undisturbed():
    rng = np.random.default_rng(0)
    parameters = {"w": rng.normal(size=(3, 2)).astype(np.float32), "b": rng.normal(size=3)}
    undisturbed = MovingAverage(parameters, 0.9)
    resumed = MovingAverage(parameters, 0.9)
    kept = {}
    for step in range(6):
        if step == 3:
            kept = undisturbed.state()
        undisturbed.update({name: array + step for name, array in parameters.items()})
    resumed.load_state(kept)
    for step in range(3, 6):
        resumed.update({name: array + step for name, array in parameters.items()})
    expected = undisturbed.state()
    state = resumed.state()
    assert state.keys() == expected.keys()
    for key in expected:
        assert state[key].dtype == expected[key].dtype
        np.testing.assert_array_equal(state[key], expected[key])


def test_bad_use_is_refused():
    average = MovingAverage({"w": np.ones(2)})
    with pytest.raises(ValueError, match="differ in b"):
        average.update({"w": np.ones(2), "b": np.ones(1)})
    with pytest.raises(ValueError, match="of shape"):
        average.copy_to({"w": np.ones(3)})
    with pytest.raises(ValueError, match="differ in w"):
        average.load_state({"updates": np.array(1)})
    with pytest.raises(ValueError, match="updates is missing"):
        average.load_state({"average/w": np.ones(2)})
    with pytest.raises(ValueError, match="decay"):
        MovingAverage({}, 1.0)
