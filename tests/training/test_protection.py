"""Characters without examples take no part, and are still read when training is over."""

import dataclasses

import numpy as np
import pytest

from ocrlstm.evaluation import list_confusions
from ocrlstm.network import Network
from ocrlstm.recognition import Recognizer
from ocrlstm.training import train, tuning_config
from ocrlstm.training.learner import Learner, draw_network
from ocrlstm.training.protection import Protection

X = np.linspace(0, 1, 2 * 16 * 12, dtype=np.float32).reshape(2, 16, 12, 1) ** 2
WIDTHS = np.array([12, 9])
TARGETS = [np.array([1, 3]), np.array([3])]


def without(network: Network, label: int) -> Network:
    """The same network, but that it does not know a label."""
    spec = network.spec.replace(f"O1c{network.classes}", f"O1c{network.classes - 1}")
    other = Network(spec)
    for name, array in other.parameters().items():
        given = network.parameters()[name]
        array[...] = given if given.shape == array.shape else np.delete(given, label, axis=0)
    return other


@pytest.mark.parametrize("ctc", ["ctc", "ocropus"])
@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
def test_a_protected_network_learns_as_one_without_the_character(tiny, ctc, optimizer):
    config = dataclasses.replace(tiny, ctc=ctc, optimizer=optimizer, weight_decay=0.5)
    network = draw_network(config, 5)
    network.parameters()["O_2.W2"][2] *= 3  # claims its share of every frame
    first = network.parameters()["O_2.W2"][2].copy()
    other = without(network, 2)
    learner, reference = Learner(config, network, np.array([2])), Learner(config, other)
    fewer = [target - (target > 2) for target in TARGETS]
    for number in range(5):
        rngs = [np.random.default_rng(number) for _ in range(2)]
        loss, _ = learner.learn(X, WIDTHS, TARGETS, 0.01, rngs[0])
        expected, _ = reference.learn(X, WIDTHS, fewer, 0.01, rngs[1])
        assert loss == pytest.approx(expected, rel=1e-5)
    np.testing.assert_array_equal(network.parameters()["O_2.W2"][2], first)
    for name, array in without(network, 2).parameters().items():
        np.testing.assert_allclose(array, other.parameters()[name], rtol=1e-3, atol=1e-5)


def test_sharing_out_and_its_gradient():
    """The gradient of the scores, by central differences, in float64."""
    network = Network("[1,0,3 O1c4]", rng=np.random.default_rng(0), dtype=np.float64)
    protection = Protection(network, np.array([1, 3]))
    rng = np.random.default_rng(1)
    scores, frames = rng.normal(size=(3, 2, 4)), np.array([3, 2])
    factors = rng.normal(size=(3, 2, 2))
    factors[2, 1] = 0

    def posteriors():
        y = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
        return protection.narrow(y, frames, [np.array([2]), np.array([2, 2])])

    y, targets = posteriors()
    assert [target.tolist() for target in targets] == [[1], [1, 1]]
    np.testing.assert_allclose(np.exp(y[:2]).sum(axis=-1), 1)
    assert y.shape == (3, 2, 2) and not y[2, 1].any()
    found = protection.widen(factors, y, frames)
    assert not found[..., [1, 3]].any()
    np.testing.assert_allclose(found.sum(axis=-1), 0, atol=1e-12)
    for place in np.ndindex(3, 2, 4):
        value, step = scores[place], 1e-6
        scores[place] = value + step
        above = (posteriors()[0] * factors).sum()
        scores[place] = value - step
        below = (posteriors()[0] * factors).sum()
        scores[place] = value
        assert found[place] == pytest.approx((above - below) / (2 * step), abs=1e-6)


def test_without_labels_nothing_is_touched():
    network = Network("[1,0,3 O1c4]", rng=np.random.default_rng(0))
    protection = Protection(network, np.zeros(0, np.int64))
    y, frames, targets = np.zeros((3, 2, 4), np.float32), np.array([3, 2]), [np.array([1])] * 2
    again, same = protection.narrow(y, frames, targets)
    assert again is y and same is targets and protection.widen(y, y, frames) is y


def test_what_is_in_no_line_is_read_on(draw_pairs, tiny):
    """Ticks stand for the digits that a few lines of a new print may lack."""
    config = dataclasses.replace(
        tiny,
        spec="[1,16,0,1 Lbx16 O1c]",
        epochs=60,
        learning_rate=0.02,
        augment=0.0,
        validation_share=0.0,
    )
    old = train(draw_pairs("i-'", 24, 7), config).model
    test = draw_pairs("i-'", 40, 11)

    def ticks_read(model) -> float:
        reading = [line.text for line in Recognizer(model).recognize_lines([i for i, _ in test])]
        truths = [text for _, text in test]
        edits = (
            edit for pair in zip(truths, reading, strict=True) for edit in list_confusions(*pair)
        )
        wrong = sum(stands == "'" for stands, _ in edits)
        return 1 - wrong / "".join(truths).count("'")

    assert ticks_read(old) == 1
    read = {}
    for protect in (True, False):
        settings = tuning_config(
            old,
            epochs=40,
            learning_rate=0.03,
            schedule="constant",
            batch_size=4,
            augment=0.0,
            validation_share=0.0,
            clip=1.0,
            protect=protect,
        )
        read[protect] = ticks_read(train(draw_pairs("i-", 24, 5), settings, start=old).model)
    assert read[True] > 0.9 and read[False] < 0.5
