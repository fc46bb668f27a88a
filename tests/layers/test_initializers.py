"""First weights: their spread, their norms, and that a run's draws stay what they were."""

import numpy as np
import pytest

from ocrlstm.layers import LSTM
from ocrlstm.layers.initializers import INITIALIZERS, check_initializer, he, initialize


@pytest.mark.parametrize("name", INITIALIZERS)
@pytest.mark.parametrize("shape", [(1, 1), (7, 9), (9, 7), (2, 2)])
def test_the_shape_is_outputs_and_inputs(name, shape):
    weights = initialize(name, np.random.default_rng(0), shape)
    assert weights.shape == shape and weights.dtype == np.float64 and weights.flags.c_contiguous
    again = initialize(name, np.random.default_rng(0), shape)
    np.testing.assert_array_equal(weights, again)


@pytest.mark.parametrize(
    ("name", "variance", "largest"),
    [
        ("ocropus", 0.2**2 / 12, 0.1),
        ("xavier", 2 / (300 + 500), np.sqrt(6 / 800)),
        ("he", 2 / 500, None),
        ("orthogonal", 1 / 500, None),
    ],
)
def test_variance_and_bounds(name, variance, largest):
    weights = initialize(name, np.random.default_rng(1), (300, 500))
    assert weights.var() == pytest.approx(variance, rel=0.02)
    assert abs(weights.mean()) < 3 * np.sqrt(variance / weights.size)
    if largest is not None:
        assert 0.99 * largest < np.abs(weights).max() <= largest


@pytest.mark.parametrize("shape", [(7, 7), (2, 9), (9, 2), (1, 7)])
def test_orthogonal_keeps_the_shorter_side_s_norms(shape):
    weights = initialize("orthogonal", np.random.default_rng(2), shape)
    product = weights @ weights.T if shape[0] <= shape[1] else weights.T @ weights
    np.testing.assert_allclose(product, np.eye(min(shape)), atol=1e-12)


def test_he_of_kernels_counts_the_inputs_it_is_told():
    weights = he(np.random.default_rng(3), (3, 3, 50, 40), 450)
    assert weights.var() == pytest.approx(2 / 450, rel=0.03)


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"'glorot'.*ocropus, xavier, he, orthogonal"):
        check_initializer("glorot")
    with pytest.raises(ValueError, match="glorot"):
        initialize("glorot", np.random.default_rng(0), (2, 2))


def test_the_first_weights_of_an_lstm_are_those_of_earlier_versions():
    """Trained runs stay reproducible: figures taken before there was a choice of initialisers."""
    layer = LSTM(3)
    layer.build((None, 2), np.random.default_rng(7), np.float64)
    weights = layer.parameters()
    first = [0.0, 0.2740704356040411, 0.8702518357736155]
    first += [0.09512886265099363, 0.8540530555192515, -0.5114136074147405]
    np.testing.assert_allclose(weights["WGI"][0], first, rtol=1e-14)
    last = [0.0, 0.8135638124183955, -0.30395521765860556]
    last += [-0.06942326805812475, 0.7164024088831057, 0.6942247463167913]
    np.testing.assert_allclose(weights["WCI"][2], last, rtol=1e-14)
