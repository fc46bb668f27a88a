"""One step, and what happens when its numbers are not finite."""

import dataclasses

import numpy as np
import pytest

from ocrlstm.errors import TrainingError
from ocrlstm.losses import LOSSES
from ocrlstm.training import Message, train
from ocrlstm.training.learner import Learner, draw_network

X = np.linspace(0, 1, 2 * 16 * 8, dtype=np.float32).reshape(2, 16, 8, 1)
WIDTHS = np.array([8, 8])
SHORT, LONG = np.array([1, 2]), np.array([1, 2] * 5)


def make_learner(config):
    return Learner(config, draw_network(config, 4))


@pytest.fixture
def learner(tiny):
    return make_learner(dataclasses.replace(tiny, clip=0.0))


def step(learner, targets, rate=0.01):
    return learner.learn(X, WIDTHS, targets, rate, np.random.default_rng(0))


def weights(learner):
    return np.concatenate([w.ravel() for w in learner.network.parameters().values()])


def test_a_step_changes_weights_and_average(learner):
    before = learner.arrays()
    before = {name: array.copy() for name, array in before.items()}
    loss, lines = step(learner, [SHORT, SHORT])
    assert loss > 0 and lines == 2
    after = learner.arrays()
    assert all(
        (after[f"{part}:{name}"] != before[f"{part}:{name}"]).any()
        for part, name in [("weights", "O_2.W2"), ("average", "average/O_2.W2")]
    )


def test_a_line_too_narrow_is_not_counted(learner, tiny):
    """It is as if the batch had only the other line."""
    loss, lines = step(learner, [SHORT, LONG])
    alone = make_learner(dataclasses.replace(tiny, clip=0.0))
    assert lines == 1
    both, _ = step(alone, [SHORT, SHORT])
    assert 0 < loss < both


def test_a_batch_of_narrow_lines_only_teaches_nothing(learner):
    before = weights(learner)
    assert step(learner, [LONG, LONG]) == (0.0, 0)
    np.testing.assert_array_equal(weights(learner), before)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_loss_that_is_not_finite(learner, monkeypatch, bad):
    loss = LOSSES["ctc"]

    def spoilt(*arguments):
        losses, gradient = loss(*arguments)
        losses[0] = bad
        return losses, gradient

    monkeypatch.setitem(LOSSES, "ctc", spoilt)
    before = weights(learner)
    assert step(learner, [SHORT, SHORT]) is None
    np.testing.assert_array_equal(weights(learner), before)


def test_a_gradient_that_is_not_finite(learner, monkeypatch):
    loss = LOSSES["ctc"]

    def spoilt(*arguments):
        losses, gradient = loss(*arguments)
        gradient[0, 0, 0] = np.nan
        return losses, gradient

    monkeypatch.setitem(LOSSES, "ctc", spoilt)
    before = weights(learner)
    assert step(learner, [SHORT, SHORT]) is None
    np.testing.assert_array_equal(weights(learner), before)


def test_weights_that_overflow_stay_out_of_the_average(learner):
    for _ in range(3):
        step(learner, [SHORT, SHORT])
    kept = learner.average.state()
    assert step(learner, [SHORT, SHORT], rate=1e39) is None
    learner.retreat()
    for name, weight in learner.network.parameters().items():
        np.testing.assert_array_equal(weight, kept[f"average/{name}"])
    # The momentum that led there is forgotten too: the next step starts afresh.
    assert "optimizer:step" in learner.arrays() and learner.arrays()["optimizer:step"] == 0


@pytest.fixture
def normalizing(tiny):
    """A learner whose network has running statistics."""
    return make_learner(dataclasses.replace(tiny, spec="[1,16,0,1 Cr3,3,2 Bn Lbx4 O1c]", clip=0.0))


def test_running_statistics_are_averaged_and_kept_but_not_trained(normalizing):
    step(normalizing, [SHORT, SHORT])
    names = {"Bn_1.mean", "Bn_1.variance"}
    arrays = normalizing.arrays()
    for part in ("weights:", "average:average/"):
        assert {f"{part}{name}" for name in names} <= arrays.keys()
    assert not any("Bn_1.mean" in name for name in arrays if name.startswith("optimizer:"))
    mean = arrays["average:average/Bn_1.mean"]
    # The average moves from 0 by 9 / 10 of the first step.
    np.testing.assert_allclose(mean, 0.9 * arrays["weights:Bn_1.mean"], rtol=1e-5)
    assert mean.any()


def test_a_learner_goes_on_from_running_statistics(normalizing, tiny):
    step(normalizing, [SHORT, SHORT])
    arrays = {name: array.copy() for name, array in normalizing.arrays().items()}
    other = make_learner(
        dataclasses.replace(tiny, spec="[1,16,0,1 Cr3,3,2 Bn Lbx4 O1c]", clip=0.0, seed=5)
    )
    other.restore(arrays)
    assert step(normalizing, [SHORT, LONG]) == step(other, [SHORT, LONG])
    for name, array in normalizing.arrays().items():
        np.testing.assert_array_equal(other.arrays()[name], array)


def test_retreat_takes_running_statistics_back(normalizing, monkeypatch):
    step(normalizing, [SHORT, SHORT])
    kept = normalizing.average.state()
    x = X.copy()
    x[0, 0, 0] = np.inf
    monkeypatch.setitem(globals(), "X", x)
    assert step(normalizing, [SHORT, SHORT]) is None
    assert not np.isfinite(normalizing.network.buffers()["Bn_1.mean"]).all()
    normalizing.retreat()
    for name, array in normalizing.network.arrays().items():
        np.testing.assert_array_equal(array, kept[f"average/{name}"])


@pytest.fixture
def spoil_losses(monkeypatch):
    """Let the loss of the given steps (from 1) be nan."""

    def spoil(steps):
        loss, calls = LOSSES["ctc"], []

        def spoilt(*arguments):
            calls.append(1)
            losses, gradient = loss(*arguments)
            return (losses * np.nan if len(calls) in steps else losses), gradient

        monkeypatch.setitem(LOSSES, "ctc", spoilt)

    return spoil


def test_a_run_goes_on_after_mishaps(memory_pairs, tiny, spoil_losses):
    spoil_losses({2, 5})
    events = []
    config = dataclasses.replace(tiny, schedule="constant", warmup=0.0, learning_rate=0.01)
    result = train(memory_pairs(12), config, report=events.append)
    texts = [e.text for e in events if isinstance(e, Message) and "not finite" in e.text]
    assert [text.partition(":")[0] for text in texts] == ["step 2", "step 5"]
    assert texts[0].endswith("the learning rate is halved (now x0.5)")
    assert [record.learning_rate for record in result.history] == [0.005, 0.0025]
    assert all(np.isfinite(record.loss) for record in result.history)


def test_a_run_gives_up_after_too_many(memory_pairs, tiny, spoil_losses):
    spoil_losses(range(1, 1000))
    with pytest.raises(TrainingError, match="not finite 21 times"):
        train(memory_pairs(12), dataclasses.replace(tiny, epochs=100))


def test_narrow_lines_do_not_halve_the_rate(memory_pairs, tiny, monkeypatch):
    """Also if distortion makes all of them too narrow for their texts."""
    from ocrlstm.training import batches

    monkeypatch.setattr(batches, "augment", lambda pixels, *rest: pixels[:, :2].copy())
    events = []
    result = train(memory_pairs(12), tiny, report=events.append)
    assert not any("not finite" in e.text for e in events if isinstance(e, Message))
    assert [record.loss for record in result.history] == [0.0, 0.0]
