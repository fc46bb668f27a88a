"""Logistic outputs: values, the historical form of the weights, what is refused."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.layers import Logistic


def test_weights_have_the_bias_first():
    layer = build(Logistic(3), (None, 2))
    x = sequences(2, (4, 2))
    y, _ = layer.forward(x, np.array([4, 2]))
    z = layer.parameters()["W2"] @ np.concatenate([[1], x[1, 1]])
    np.testing.assert_allclose(y[1, 1], 1 / (1 + np.exp(-z)), rtol=1e-12)
    assert not y[2:, 1].any()


def test_without_classes_images_too():
    x = images(2, 3, (5, 1))
    y, lengths = Logistic().forward(x, np.array([5, 1]))
    np.testing.assert_allclose(y[0], 1 / (1 + np.exp(-x[0])), rtol=1e-12)
    assert lengths.tolist() == [5, 1] and not y[1, :, 1:].any()


def test_under_a_binary_cross_entropy_the_error_is_output_minus_target():
    x, lengths = sequences(3, (7, 2)), np.array([7, 2])
    targets = np.random.default_rng(0).integers(0, 2, x.shape)
    layer = Logistic()
    y, _ = layer.forward(x, lengths, training=True)
    inside = np.arange(7)[:, None, None] < lengths[:, None]
    dy = np.divide(y - targets, y * (1 - y), where=inside, out=np.zeros_like(y))
    np.testing.assert_allclose(layer.backward(dy), (y - targets) * inside, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_scores_raise_no_warning(dtype):
    x = np.array([-1e30, -800, -80, 0, 80, 800, 1e30], dtype).reshape(1, 1, 7)
    with np.errstate(all="raise"):
        y, _ = Logistic().forward(x, np.array([1]))
    np.testing.assert_allclose(y[0, 0], [0, 0, 0, 0.5, 1, 1, 1], atol=1e-33)
    assert y[0, 0, 2] > 0


def test_first_weights():
    layer = Logistic(30)
    layer.build((None, 20), np.random.default_rng(0))
    weights = layer.parameters()["W2"]
    assert not weights[:, 0].any() and weights[:, 1:].all()
    layer = Logistic(30, initializer="ocropus")
    layer.build((None, 20), np.random.default_rng(0))
    assert layer.parameters()["W2"].all() and np.abs(layer.parameters()["W2"]).max() <= 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Logistic(0), "at least 1 class, not 0"),
        (lambda: Logistic(2, initializer="ones"), "unknown initializer 'ones'"),
        (lambda: Logistic(2).plan((7, None, 1)), r"2 classes takes sequences .* \(7, None, 1\)"),
        (lambda: Logistic(2).plan((7, None)), r"takes sequences .* \(7, None\)"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
