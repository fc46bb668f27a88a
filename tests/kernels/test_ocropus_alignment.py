"""The OCRopus alignment: its stated properties, and the compiled kernel against its twin."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.kernels import ocropus_alignment as compiled
from ocrlstm.kernels.reference import ocropus_alignment as reference


def random_log_posteriors(rng, frames, classes, spread=2.0):
    scores = rng.normal(size=(frames, classes)) * spread
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def run(module, log_posteriors, labels):
    gradient = np.full(log_posteriors.shape, np.nan, log_posteriors.dtype)
    loss = module.ocropus_alignment(log_posteriors, np.asarray(labels, np.int64), gradient)
    return loss, gradient


@given(
    labels=st.lists(st.integers(1, 4), max_size=10),
    spare=st.integers(0, 15),
    seed=st.integers(0, 2**32 - 1),
    spread=st.sampled_from([0.1, 3.0, 30.0]),
)
@settings(max_examples=60, deadline=None)
def test_kernel_equals_reference(labels, spare, seed, spread):
    log_posteriors = random_log_posteriors(
        np.random.default_rng(seed), len(labels) + spare, 5, spread
    )
    loss, gradient = run(compiled, log_posteriors, labels)
    expected_loss, expected_gradient = run(reference, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, rel=1e-12, abs=1e-10)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


def ways_forward(posteriors, states, frame, state):
    """Sum by the definition: every way to be in a state at a frame, one by one.

    A way enters state 0 at a frame at the cost of the frames before, or any state s at frame 0 at
    the cost of the states before. At frame 0 it counts twice: it may be there or just arrive.
    """
    skip = np.exp(-5.0)
    total = 0.0
    for moves in itertools.product((0, 1), repeat=frame + 1):
        # moves[t]: whether the path came on by one state in reaching frame t
        places = state - np.cumsum((0, *moves[::-1]))[::-1]  # place before frame 0, then at each
        if places[0] >= 0:
            emitted = [posteriors[t, states[places[t + 1]]] for t in range(frame + 1)]
            total += skip ** places[0] * np.prod(emitted)
    for entered in range(frame + 1):
        for moves in itertools.product((0, 1), repeat=frame - entered):
            places = np.cumsum((0, *moves))
            if places[-1] == state:
                emitted = [posteriors[entered + i, states[p]] for i, p in enumerate(places)]
                total += skip**entered * np.prod(emitted)
    return total


@pytest.mark.parametrize("labels", [[], [1], [2, 1], [1, 1]])
def test_equals_the_sum_over_all_ways(labels):
    log_posteriors = random_log_posteriors(np.random.default_rng(6), 5, 3)
    posteriors = np.exp(log_posteriors)
    states = [0]
    for label in labels:
        states += [label, 0]
    frames, count = len(posteriors), len(states)
    shares = np.zeros((frames, count))
    for t, s in np.ndindex(frames, count):
        shares[t, s] = ways_forward(posteriors, states, t, s) * ways_forward(
            posteriors[::-1], states[::-1], frames - 1 - t, count - 1 - s
        )
    shares /= shares.sum(axis=0)
    alignment = np.full((frames, 3), 0.0)
    for s, label in enumerate(states):
        alignment[:, label] += shares[:, s]
    alignment = np.maximum(alignment, 1e-5)
    alignment /= alignment.sum(axis=1, keepdims=True)

    loss, gradient = run(reference, log_posteriors, labels)
    np.testing.assert_allclose(-gradient, alignment, rtol=1e-10)
    assert loss == pytest.approx(-np.sum(alignment * log_posteriors))


def test_alignment_sums_to_one_and_keeps_its_floor():
    log_posteriors = random_log_posteriors(np.random.default_rng(0), 40, 6)
    _, gradient = run(compiled, log_posteriors, [1, 2, 2, 5, 3, 1])
    np.testing.assert_allclose(gradient.sum(axis=1), -1.0, rtol=1e-12)
    assert -gradient.max() > 1e-5 / 7


def test_sure_posteriors_are_aligned_to_themselves():
    path = [0, 0, 1, 1, 0, 2, 0, 1, 0, 0]
    posteriors = np.full((len(path), 3), 1e-4)
    posteriors[np.arange(len(path)), path] = 1 - 2e-4
    _, gradient = run(compiled, np.log(posteriors), [1, 2, 1])
    np.testing.assert_array_equal(gradient.argmin(axis=1), path)


@pytest.mark.parametrize("module", [compiled, reference])
def test_no_room(module):
    loss, gradient = run(module, random_log_posteriors(np.random.default_rng(0), 2, 3), [1, 1])
    assert loss == np.inf
    assert not gradient.any()


@pytest.mark.parametrize("module", [compiled, reference])
def test_no_frames(module):
    nothing = np.zeros((0, 3))
    assert run(module, nothing, [])[0] == 0.0
    assert run(module, nothing, [1])[0] == np.inf
