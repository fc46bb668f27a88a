"""The loss as a layer."""

import numpy as np
import pytest
from gradients import build, check_gradients, sequences

from ocrlstm.layers import LSTM, Cost, Softmax, Stacked
from ocrlstm.losses import LOSSES, cross_entropy_loss, masked_loss, mse_loss, seg_loss

RNG = np.random.default_rng(0)
X, LENGTHS = RNG.random((7, 3, 2)), np.array([7, 1, 2])


def test_outputs_go_through_unchanged():
    cost = Cost("mse")
    assert cost.build((None, 2), None) == (None, 2)
    y, lengths = cost.forward(X, LENGTHS)
    assert y is X and lengths is LENGTHS
    assert cost.parameters() == {}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1.0, 0.25, np.float64(2.0)])
def test_measure_is_the_loss_times_scale(scale, dtype):
    x, targets = X.astype(dtype), RNG.normal(size=X.shape)
    losses, gradient = Cost("mse", scale).measure(x, LENGTHS, targets)
    expected, expected_gradient = mse_loss(x, LENGTHS, targets)
    np.testing.assert_array_equal(losses, scale * expected)
    np.testing.assert_array_equal(gradient, scale * expected_gradient)
    assert gradient.dtype == dtype


@pytest.mark.parametrize("kind", LOSSES)
def test_every_loss_is_there(kind):
    assert Cost(kind).kind == kind


def test_options_reach_their_loss():
    targets = np.round(X)
    for cost, expected in (
        (Cost("masked", mask=1.0), masked_loss(X, LENGTHS, targets, mask=1.0)),
        (Cost("seg", noobject_scale=0.1), seg_loss(X, LENGTHS, targets, noobject_scale=0.1)),
    ):
        np.testing.assert_array_equal(cost.measure(X, LENGTHS, targets)[1], expected[1])
    x, labels = np.log(np.full((1, 2, 4), 0.25)), [3, 0]
    found = Cost("cross_entropy", smoothing=0.2).measure(x, [1, 1], labels)
    np.testing.assert_array_equal(found[1], cross_entropy_loss(x, [1, 1], labels, 0.2)[1])


def test_at_the_end_of_a_network():
    cost = Cost("cross_entropy", 3.0, smoothing=0.1)
    network = build(Stacked(LSTM(2), Softmax(3), cost), (None, 2))
    targets = [[0, 2, 1, 1], [2], [1, 0]]

    def loss(y, lengths):
        losses, gradient = cost.measure(y, lengths, targets)
        return losses.sum(), gradient

    check_gradients(network, sequences(2, (4, 1, 2)), (4, 1, 2), loss)


def test_repr_builds_it_again():
    for text in (
        "Cost('mae')",
        "Cost('ctc', 0.5)",
        "Cost('masked', mask=-1234.0)",
        "Cost('cross_entropy', 2.0, smoothing=0.1)",
    ):
        assert repr(eval(text)) == text


def test_backward_needs_a_training_forward():
    cost = Cost("mse")
    cost.forward(X, LENGTHS)
    with pytest.raises(RuntimeError, match="backward needs"):
        cost.backward(X)
    cost.forward(X, LENGTHS, training=True)
    cost.forward(X, LENGTHS)  # leaves what training keeps
    assert cost.backward(X) is X
    with pytest.raises(RuntimeError, match="backward needs"):
        cost.backward(X)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cost("l2"), "'l2' is no loss; choose one of binary_cross_entropy"),
        (lambda: Cost("mse", 0.0), "scale must be above 0, not 0.0"),
        (lambda: Cost("mse", float("nan")), "scale"),
        (lambda: Cost("mse", mask=0.0), "mask is an option of masked, not of mse"),
        (lambda: Cost("cross_entropy", smoothing=1.0), r"smoothing must lie in \[0, 1\), not 1"),
        (lambda: Cost("seg", noobject_scale=-1.0), "noobject_scale must be 0 or more, not -1"),
    ],
)
def test_bad_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
