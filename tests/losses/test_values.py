"""The losses that have a target for every value or frame: by hand, at their ends, misused."""

import numpy as np
import pytest
from loss_cases import all_cases

from ocrlstm.losses import (
    ALIGNMENTS,
    LOSSES,
    binary_cross_entropy_loss,
    cross_entropy_loss,
    hellinger_loss,
    hinge_loss,
    logcosh_loss,
    mae_loss,
    masked_loss,
    mse_loss,
    seg_loss,
    smooth_l1_loss,
    wgan_loss,
)

CASES = [case for case in all_cases() if case.name not in ALIGNMENTS]
DENSE = sorted(set(LOSSES) - set(ALIGNMENTS) - {"cross_entropy"})


def item_of(array, i, length):
    return array[i : i + 1, :, :length] if array.ndim == 4 else array[:length, i : i + 1]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_padding_and_neighbours_do_not_matter(case):
    outputs, targets = case.batch()
    dense = isinstance(targets, np.ndarray) and targets.ndim == outputs.ndim
    losses, gradient = case.measure(outputs, targets)
    for i, length in enumerate(case.lengths):
        own = item_of(targets, i, length) if dense else targets[i : i + 1]
        alone, alone_gradient = LOSSES[case.name](
            item_of(outputs, i, length), [length], own, **case.options
        )
        assert losses[i] == alone[0]
        np.testing.assert_array_equal(item_of(gradient, i, length), alone_gradient)
        for array in (outputs, targets) if dense else (outputs,):
            if array.ndim == 4:
                array[i, :, length:] = np.nan
            else:
                array[length:, i] = np.nan
    again, gradient_again = case.measure(outputs, targets)
    np.testing.assert_array_equal(again, losses)
    np.testing.assert_array_equal(gradient_again, gradient)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_float32_is_close_to_float64(case):
    outputs, targets = case.batch()
    exact, exact_gradient = case.measure(outputs, targets)
    losses, gradient = case.measure(outputs.astype(np.float32), targets)
    assert losses.dtype == np.float64
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(losses, exact, rtol=1e-5)
    np.testing.assert_allclose(gradient, exact_gradient, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", sorted(set(LOSSES) - set(ALIGNMENTS)))
@pytest.mark.parametrize("shape", [(4, 0, 3), (0, 2, 4, 3)])
def test_no_items(name, shape):
    losses, gradient = LOSSES[name](np.zeros(shape), np.zeros(0, np.int64), np.zeros(shape))
    assert losses.shape == (0,)
    assert gradient.shape == shape


def vector(*values):
    return np.array(values, float)[None, None]


@pytest.mark.parametrize(
    ("loss", "x", "t", "expected", "gradient"),
    [
        (mse_loss, [1, 5], [0, 3], 2.5, [1, 2]),
        (mae_loss, [1, -5, 2], [3, -6, 2], 1, [-1 / 3, 1 / 3, 0]),
        (smooth_l1_loss, [0.5, -3], [0, 0], (0.25 + 5) / 2, [0.5, -1]),
        (logcosh_loss, [2, 0], [0, 0], np.log(np.cosh(2)) / 2, [np.tanh(2) / 2, 0]),
        (hinge_loss, [0.5, 2, 3], [1, 1, -1], (0.5 + 0 + 4) / 3, [-1 / 3, 0, 1 / 3]),
        (wgan_loss, [3, 5], [1, 0], 1, [-0.5, 0.5]),
        (hellinger_loss, [4, 1], [1, 0], 1, [0.25, 0.5]),
        (masked_loss, [3, 5], [1, np.nan], 4, [4, 0]),
        (seg_loss, [3, 5], [1, 0], (4 + 0.5 * 25) / 2, [2, 2.5]),
        (binary_cross_entropy_loss, [0.25, 0.5], [1, 0], np.log(4 * 2) / 2, [-2, 1]),
        (cross_entropy_loss, np.log([0.25, 0.75]), [0.5, 0.5], np.log(16 / 3) / 2, [-0.5, -0.5]),
    ],
)
def test_by_hand(loss, x, t, expected, gradient):
    losses, found = loss(vector(*x), [1], vector(*t))
    np.testing.assert_allclose(losses, expected, rtol=1e-14)
    np.testing.assert_allclose(found, vector(*gradient), rtol=1e-14)


def test_whole_numbers_and_truth_values_are_targets_too():
    x, truth = vector(0.25, 0.75), np.array([[[True, False]]])
    np.testing.assert_array_equal(mse_loss(x, [1], truth)[0], mse_loss(x, [1], truth * 1.0)[0])
    np.testing.assert_array_equal(mse_loss(x, [1], truth + 1)[0], mse_loss(x, [1], truth + 1.0)[0])


def test_labels_and_posteriors_are_the_same_targets():
    rng = np.random.default_rng(0)
    x = np.log(rng.dirichlet(np.ones(4), (2, 3, 5)))
    labels, lengths = rng.integers(0, 4, (2, 3, 5)), [5, 2]
    expected = cross_entropy_loss(x, lengths, np.eye(4)[labels])
    found = cross_entropy_loss(x, lengths, [labels[0], labels[1, :, :2]])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_binary_cross_entropy_at_its_ends(dtype):
    x = vector(0, 1, 0, 1).astype(dtype)
    losses, gradient = binary_cross_entropy_loss(x, [1], vector(0, 1, 1, 0))
    least = np.finfo(dtype).eps
    assert losses[0] == pytest.approx(-np.log(least) / 2, rel=1e-6)
    # right answers pull no further than by 1, wrong ones with all there is
    np.testing.assert_allclose(gradient[0, 0], np.array([1, -1, -1 / least, 1 / least]) / 4, 1e-6)


def test_hellinger_of_outputs_below_0():
    losses, gradient = hellinger_loss(vector(0, -1), [1], vector(0, 1))
    assert losses[0] == pytest.approx(0.5)
    assert np.isfinite(gradient).all() and gradient[0, 0, 1] < 0


def test_logcosh_of_huge_errors():
    losses, gradient = logcosh_loss(vector(1e6, -1e300), [1], vector(0, 0))
    assert losses[0] == pytest.approx(5e299)
    np.testing.assert_array_equal(gradient, vector(0.5, -0.5))


def test_cross_entropy_with_posteriors_of_0():
    with np.errstate(all="raise"):
        losses, gradient = cross_entropy_loss(vector(0, -np.inf), [1], [0])
    assert losses[0] == 0.0
    np.testing.assert_array_equal(gradient, vector(-1, 0))
    losses, gradient = cross_entropy_loss(vector(0, -np.inf), [1], [1])
    assert losses[0] == np.inf
    np.testing.assert_array_equal(gradient, vector(0, -1))


def test_mask_of_float32_targets():
    targets = np.array([[[0, -0.1]]], np.float32)
    losses, _ = masked_loss(vector(3, 5), [1], targets, mask=-0.1)
    assert losses[0] == 9.0


@pytest.mark.parametrize("name", DENSE)
@pytest.mark.parametrize(
    ("outputs", "lengths", "targets", "message"),
    [
        (np.ones((2, 1, 3)), [2], np.ones((2, 3, 1)), r"\(2, 1, 3\) need.*not float64 of shape"),
        (np.ones((2, 1, 3)), [2], np.full((2, 1, 3), "1"), "need numbers"),
        (np.ones((1, 2, 3)), [1, 1], [[1], [1, 2]], "need.*unequal"),
        (np.ones((2, 1, 3)), [2], [1], "need numbers"),
        (np.ones((2, 1, 3)), [3], np.ones((2, 1, 3)), r"lengths must lie in \[0, 2\], not \[3\]"),
        (np.ones((2, 1, 3)), [2, 2], np.ones((2, 1, 3)), "1 items"),
        (np.ones((1, 2, 4, 3)), [5], np.ones((1, 2, 4, 3)), r"in \[0, 4\]"),
        (np.ones((2, 3)), [2], np.ones((2, 3)), r"not float64 of shape \(2, 3\)"),
        (np.ones((2, 1, 3), int), [2], np.ones((2, 1, 3)), "must be floats"),
    ],
)
def test_bad_use_is_refused(name, outputs, lengths, targets, message):
    with pytest.raises(ValueError, match=message):
        LOSSES[name](outputs, lengths, targets)


@pytest.mark.parametrize(
    ("outputs", "targets", "message"),
    [
        (np.zeros((1, 2, 3)), [0, 3], r"labels must lie in \[0, 3\), not in \[0, 3\]"),
        (np.zeros((1, 2, 3)), [-1, 0], r"not in \[-1, 0\]"),
        (np.zeros((1, 2, 3)), [0.0, 1.0], "whole numbers, not float64"),
        (np.zeros((1, 2, 3)), [0], "2 items have 1 targets"),
        (np.zeros((2, 2, 3)), [0, 1], "2 places an item need an array of labels"),
        (np.zeros((2, 2, 3)), [[0, 1], [0]], r"item 1 needs labels of shape \(2,\), not of .*1"),
        (np.zeros((2, 1, 2, 3)), [[[0, 1]], [0, 1]], r"item 1 needs labels of shape \(1, 2\)"),
        (np.zeros((2, 2, 3)), np.zeros((2, 2, 4)), "need numbers of the same shape"),
        (np.full((1, 1, 3), 0.5), [1], "log posteriors, which are 0 or less, not 0.5"),
    ],
)
def test_bad_targets_of_cross_entropy_are_refused(outputs, targets, message):
    lengths = np.full(outputs.shape[0] if outputs.ndim == 4 else outputs.shape[1], 1)
    lengths *= outputs.shape[2] if outputs.ndim == 4 else outputs.shape[0]
    with pytest.raises(ValueError, match=message):
        cross_entropy_loss(outputs, lengths, targets)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda x: hinge_loss(x, [1], vector(1, 0)), "1 or -1, not 0"),
        (lambda x: hellinger_loss(x, [1], vector(1, -2)), "0 or more, not -2"),
        (lambda x: binary_cross_entropy_loss(x, [1], vector(2, 0)), r"targets.*\[0, 1\], not 2"),
        (lambda x: binary_cross_entropy_loss(-x, [1], vector(1, 0)), r"outputs.*not -0.5"),
        (lambda x: seg_loss(x, [1], x, noobject_scale=-1), "0 or more, not -1"),
        (lambda x: cross_entropy_loss(-x, [1], [0], smoothing=1), r"\[0, 1\), not 1"),
    ],
)
def test_bad_values_are_refused(use, message):
    with pytest.raises(ValueError, match=message):
        use(vector(0.5, 0.5))
