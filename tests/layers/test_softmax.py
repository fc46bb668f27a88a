"""Softmax: temperature, without weights, and what is refused."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import Softmax


def test_without_classes_channels_and_features_are_scores():
    for x in (images(2, 3, (5, 1)), sequences(3, (5, 1))):
        y, lengths = Softmax(log=False).forward(x, np.array([5, 1]))
        assert lengths.tolist() == [5, 1] and y.shape == x.shape
        inside = np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)
        first = (y[0], inside[0]) if x.ndim == 4 else (y[:, 0], inside[:, 0])
        np.testing.assert_allclose(*first, rtol=1e-12)
        beyond = y[1, :, 1:] if x.ndim == 4 else y[1:, 1]
        assert not beyond.any()


def test_temperature_divides_the_scores_bias_and_all():
    hot, cold = build(Softmax(4, temperature=2.5), (None, 3)), build(Softmax(4), (None, 3))
    cold.parameters()["W2"][:] = hot.parameters()["W2"] / 2.5
    x, lengths = sequences(3, (7, 2)), np.array([7, 2])
    np.testing.assert_allclose(
        hot.forward(x, lengths)[0], cold.forward(x, lengths)[0], rtol=1e-12, atol=1e-14
    )
    y, _ = Softmax(temperature=1e6, log=False).forward(x, lengths)
    np.testing.assert_allclose(y[:, 0], 1 / 3, rtol=1e-4)


def test_under_a_cross_entropy_the_error_is_posterior_minus_target_over_the_temperature():
    x, lengths = sequences(3, (7, 2)), np.array([7, 2])
    targets = np.eye(3)[np.random.default_rng(0).integers(0, 3, (7, 2))]
    layer = Softmax(temperature=2.0)
    y, _ = layer.forward(x, lengths, training=True)
    wanted = (np.exp(y) - targets) / 2
    wanted[2:, 1] = 0
    np.testing.assert_allclose(layer.backward(-targets), wanted, rtol=1e-12)


@pytest.mark.parametrize("log", [False, True])
def test_large_scores_raise_no_warning(log):
    x = np.array([-1e30, 0, 1e30, 1e30], np.float32).reshape(1, 1, 4)
    with np.errstate(all="raise", under="ignore"):
        layer = Softmax(log=log)
        y, _ = layer.forward(x, np.array([1]), training=True)
        dx = layer.backward(np.ones_like(y))
    wanted = np.array([-2e30, -1e30, -np.log(2), -np.log(2)]) if log else np.array([0, 0, 0.5, 0.5])
    np.testing.assert_allclose(y[0, 0], wanted, rtol=1e-6)
    assert np.isfinite(dx).all()


def test_first_weights():
    layer = Softmax(30)
    layer.build((None, 20), np.random.default_rng(0))
    weights = layer.parameters()["W2"]
    assert not weights[:, 0].any() and weights[:, 1:].all()
    layer = Softmax(30, initializer="ocropus")
    layer.build((None, 20), np.random.default_rng(0))
    assert layer.parameters()["W2"].all() and np.abs(layer.parameters()["W2"]).max() <= 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Softmax(0), "at least 1 class, not 0"),
        (lambda: Softmax(2, temperature=0), "above 0, not 0"),
        (lambda: Softmax(temperature=-1.0), "above 0, not -1.0"),
        (lambda: Softmax(temperature=float("nan")), "above 0, not nan"),
        (lambda: Softmax(temperature=float("inf")), "above 0, not inf"),
        (lambda: Softmax(2, initializer="ones"), "unknown initializer 'ones'"),
        (lambda: Softmax(2).plan((7, None, 1)), r"takes sequences .* \(7, None, 1\)"),
        (lambda: Softmax().plan((7, None)), r"fixed number of scores, not \(7, None\)"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
