"""CTC of one line: against all paths written out, and the compiled kernel against its twin."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.kernels import ctc as compiled
from ocrlstm.kernels.reference import ctc as reference


def random_log_posteriors(rng, frames, classes, spread=2.0):
    scores = rng.normal(size=(frames, classes)) * spread
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def run(kernel, log_posteriors, labels):
    gradient = np.full(log_posteriors.shape, np.nan, log_posteriors.dtype)
    loss = kernel(log_posteriors, np.asarray(labels, np.int64), gradient)
    return loss, gradient


def spelt(path):
    return [label for label, _ in itertools.groupby(path) if label != 0]


def sum_over_paths(log_posteriors, labels):
    """Loss and gradient by the definition: every path that spells the labels, one by one."""
    frames, classes = log_posteriors.shape
    posteriors = np.exp(log_posteriors)
    total = 0.0
    emitted = np.zeros((frames, classes))
    for path in itertools.product(range(classes), repeat=frames):
        if spelt(path) == list(labels):
            probability = np.prod(posteriors[np.arange(frames), path])
            total += probability
            emitted[np.arange(frames), path] += probability
    if total == 0.0:
        return np.inf, emitted
    return -np.log(total), -emitted / total


CASES = [
    (4, 3, []),
    (1, 3, [2]),
    (5, 3, [1, 2]),
    (5, 3, [1, 1]),
    (3, 3, [1, 1]),
    (6, 3, [2, 2, 1, 1]),
    (6, 3, [1, 2, 1, 1]),
    (4, 4, [3, 1, 2, 3]),
    (6, 4, [3, 3, 1]),
    (2, 3, [1, 1]),
    (2, 3, [1, 2, 1]),
    (0, 3, []),
    (0, 3, [1]),
]


@pytest.mark.parametrize("module", [compiled, reference])
@pytest.mark.parametrize(("frames", "classes", "labels"), CASES)
def test_equals_the_sum_over_all_paths(module, frames, classes, labels):
    log_posteriors = random_log_posteriors(np.random.default_rng(frames), frames, classes)
    expected_loss, expected_gradient = sum_over_paths(log_posteriors, labels)
    loss, gradient = run(module.ctc, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-11, atol=1e-13)


@given(
    labels=st.lists(st.integers(1, 4), max_size=12),
    spare=st.integers(0, 12),
    seed=st.integers(0, 2**32 - 1),
    spread=st.sampled_from([0.1, 3.0, 30.0, 100.0]),
)
@settings(max_examples=100, deadline=None)
def test_kernel_equals_reference(labels, spare, seed, spread):
    # from too few frames (spare below the repeats) to many
    log_posteriors = random_log_posteriors(
        np.random.default_rng(seed), len(labels) + spare, 5, spread
    )
    loss, gradient = run(compiled.ctc, log_posteriors, labels)
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, rel=1e-12, abs=1e-10)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


def test_long_line_equals_reference():
    rng = np.random.default_rng(5)
    log_posteriors = random_log_posteriors(rng, 225, 40)
    labels = rng.integers(1, 40, 60)
    loss, gradient = run(compiled.ctc, log_posteriors, labels)
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, abs=1e-10)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


@pytest.mark.parametrize(("blank", "frames", "count"), [(7, 300, 110), (30, 90, 40), (0, 500, 30)])
def test_probabilities_beyond_the_range_of_floats(blank, frames, count):
    # A label costs e^-blank, so that states which all paths go through have shares below e^-700.
    scores = np.random.default_rng(6).normal(size=(frames, 20))
    scores[:, 0] += blank
    log_posteriors = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    labels = np.random.default_rng(7).integers(1, 20, count)
    loss, gradient = run(compiled.ctc, log_posteriors, labels)
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, rel=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


def test_one_path_among_others_that_look_better_for_long():
    # The only path to the end has shares of e^-1200 of its frames' sums on its way.
    log_posteriors = np.full((40, 3), -100.0)
    log_posteriors[:, 0] = 0.0
    log_posteriors[20:, 0] = -60.0
    labels = [1, 2] * 6
    loss, gradient = run(compiled.ctc, log_posteriors, labels)
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, rel=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


def test_a_path_kept_through_a_frame_that_nothing_fits():
    # Behind by e^-210 when the frame comes whose posteriors are all e^-600, which multiplied is no
    # float64, and ahead by e^300 in the end.
    log_posteriors = np.full((10, 3), -1000.0)
    log_posteriors[0, 1] = log_posteriors[9, 2] = 0.0
    log_posteriors[1:4] = [-1000.0, -70.0, 0.0]
    log_posteriors[4] = -600.0
    log_posteriors[5:9] = [-200.0, 0.0, -75.0]
    loss, gradient = run(compiled.ctc, log_posteriors, [1, 2])
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, [1, 2])
    assert loss == pytest.approx(expected_loss, rel=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


@given(
    labels=st.lists(st.integers(1, 3), max_size=5),
    spare=st.integers(0, 7),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=200, deadline=None)
def test_posteriors_of_any_size_beside_each_other(labels, spare, seed):
    rng = np.random.default_rng(seed)
    shape = (len(labels) + spare, 4)
    sizes = rng.choice([0.0, -30.0, -75.0, -250.0, -600.0, -745.0, -np.inf], shape)
    log_posteriors = sizes - rng.random(shape)
    loss, gradient = run(compiled.ctc, log_posteriors, labels)
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, labels)
    assert loss == pytest.approx(expected_loss, rel=1e-12, abs=1e-10)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


@pytest.mark.parametrize("size", [-700.0, -720.0, -744.4, -800.0, -1e4])
def test_posteriors_next_to_nothing_at_every_frame(size):
    log_posteriors = size + random_log_posteriors(np.random.default_rng(8), 9, 4)
    loss, gradient = run(compiled.ctc, log_posteriors, [1, 2, 2])
    expected_loss, expected_gradient = run(reference.ctc, log_posteriors, [1, 2, 2])
    assert loss == pytest.approx(expected_loss, rel=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-10)


def test_gradient_is_the_derivative():
    rng = np.random.default_rng(1)
    log_posteriors = random_log_posteriors(rng, 9, 4)
    labels = [1, 1, 3, 2]
    _, gradient = run(compiled.ctc, log_posteriors, labels)
    step = 1e-5
    for place in np.ndindex(*log_posteriors.shape):
        moved = log_posteriors.copy()
        moved[place] += step
        above, _ = run(compiled.ctc, moved, labels)
        moved[place] -= 2 * step
        below, _ = run(compiled.ctc, moved, labels)
        assert gradient[place] == pytest.approx((above - below) / (2 * step), abs=1e-9)


def test_occupancies_sum_to_one_in_every_frame():
    log_posteriors = random_log_posteriors(np.random.default_rng(2), 50, 6)
    _, gradient = run(compiled.ctc, log_posteriors, [1, 2, 2, 5, 3, 1])
    np.testing.assert_allclose(gradient.sum(axis=1), -1.0, rtol=1e-12)


@pytest.mark.parametrize("module", [compiled, reference])
def test_impossible_frames_give_infinite_loss_and_no_gradient(module):
    with np.errstate(divide="ignore"):
        log_posteriors = np.log(np.array([[1.0, 0.0], [1.0, 0.0]]))
    loss, gradient = run(module.ctc, log_posteriors, [1])
    assert loss == np.inf
    assert not gradient.any()


@pytest.mark.parametrize("module", [compiled, reference])
def test_certain_frames_give_no_loss(module):
    # posteriors of exactly 0 beside those of exactly 1
    with np.errstate(divide="ignore"):
        log_posteriors = np.log(np.eye(3)[[0, 1, 0, 1, 2]])
    loss, gradient = run(module.ctc, log_posteriors, [1, 1, 2])
    assert loss == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(gradient, -np.eye(3)[[0, 1, 0, 1, 2]], atol=1e-15)


def test_nan_shows_in_the_loss():
    log_posteriors = random_log_posteriors(np.random.default_rng(3), 12, 4)
    log_posteriors[5, 0] = np.nan
    loss, _ = run(compiled.ctc, log_posteriors, [1, 2])
    assert np.isnan(loss)


def test_any_strides():
    batch = np.random.default_rng(4).normal(size=(20, 3, 5))
    loss, gradient = run(compiled.ctc, batch[:, 1], [1, 2, 2])
    expected_loss, expected_gradient = run(compiled.ctc, batch[:, 1].copy(), [1, 2, 2])
    assert loss == expected_loss
    np.testing.assert_array_equal(gradient, expected_gradient)
