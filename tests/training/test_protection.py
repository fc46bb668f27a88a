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


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
def test_a_protected_network_learns_as_one_without_the_character(tiny, optimizer):
    """As long as it takes no frame for the character."""
    config = dataclasses.replace(tiny, optimizer=optimizer, weight_decay=0.5)
    network = draw_network(config, 5)
    row = network.parameters()["O_2.W2"][2]
    row[0], row[1:] = -2, row[1:] * 3
    first = row.copy()
    other = without(network, 2)
    learner, reference = Learner(config, network, np.array([2])), Learner(config, other)
    fewer = [target - (target > 2) for target in TARGETS]
    for number in range(5):
        rngs = [np.random.default_rng(number) for _ in range(2)]
        loss, _ = learner.learn(X, WIDTHS, TARGETS, 0.01, rngs[0])
        expected, _ = reference.learn(X, WIDTHS, fewer, 0.01, rngs[1])
        assert loss == pytest.approx(expected, rel=1e-5)
    np.testing.assert_array_equal(row, first)
    for name, array in without(network, 2).parameters().items():
        np.testing.assert_allclose(array, other.parameters()[name], rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("ctc", ["ctc", "ocropus"])
def test_frames_taken_for_the_character_learn_that_it_is_wrong(tiny, ctc):
    """Its row stays, so the layers below must bring its score down."""
    network = draw_network(tiny, 5)
    row = network.parameters()["O_2.W2"][2]
    row[0], row[1:] = 0, row[1:] * 9
    learner = Learner(dataclasses.replace(tiny, ctc=ctc), network, np.array([2]))

    def frames_taken():
        return int((network.forward(X, WIDTHS)[0][:9].argmax(axis=-1) == 2).sum())

    first, taken = row.copy(), frames_taken()
    assert taken > 5
    for number in range(40):
        learner.learn(X, WIDTHS, TARGETS, 0.03, np.random.default_rng(number))
    np.testing.assert_array_equal(row, first)
    assert frames_taken() == 0


def test_sharing_out_and_its_gradient():
    """The gradient of the scores, by central differences, in float64."""
    network = Network("[1,0,3 O1c4]", rng=np.random.default_rng(0), dtype=np.float64)
    protection = Protection(network, np.array([1, 3]))
    rng = np.random.default_rng(1)
    scores, frames = rng.normal(size=(3, 2, 4)), np.array([3, 2])
    scores[:, :, 0] += 4
    scores[1, 0, 3] += 9  # this frame is taken for a protected character
    factors = np.where(np.isin(range(4), [1, 3]), 0.0, rng.normal(size=(3, 2, 4)))
    factors[2, 1] = 0

    def posteriors():
        y = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
        return y, protection.share_out(y, frames)

    y, shared = posteriors()
    np.testing.assert_allclose(np.exp(shared[:2]).sum(axis=-1), 1)
    np.testing.assert_allclose(shared[1, 0], y[1, 0])
    assert (shared[0, :, [1, 3]] < -15).all() and not shared[2, 1].any()
    found = protection.pass_back(factors, shared, frames)
    assert np.abs(found[0, :, [1, 3]]).max() < 1e-7 < np.abs(found[1, 0, 3])
    np.testing.assert_allclose(found.sum(axis=-1), 0, atol=1e-12)
    for place in np.ndindex(3, 2, 4):
        value, step = scores[place], 1e-6
        scores[place] = value + step
        above = (posteriors()[1] * factors).sum()
        scores[place] = value - step
        below = (posteriors()[1] * factors).sum()
        scores[place] = value
        assert found[place] == pytest.approx((above - below) / (2 * step), abs=1e-6)


def test_without_labels_nothing_is_touched():
    network = Network("[1,0,3 O1c4]", rng=np.random.default_rng(0))
    protection = Protection(network, np.zeros(0, np.int64))
    y, frames = np.zeros((3, 2, 4), np.float32), np.array([3, 2])
    assert protection.share_out(y, frames) is y and protection.pass_back(y, y, frames) is y


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
