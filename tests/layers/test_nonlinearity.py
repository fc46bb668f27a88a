"""Non-linearities by name: what is made, what is refused, from what slopes are made."""

import numpy as np
import pytest

from ocrlstm.kernels.reference import activation as reference
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.layers import Activation
from ocrlstm.layers.nonlinearity import (
    ACTIVATIONS,
    activate,
    activation_gradient,
    check_activation,
    needs_preactivation,
)


def test_all_names_are_there():
    assert sorted(ACTIVATIONS) == sorted(
        "logistic loggy relu elu relie ramp linear tanh plse leaky stair hardtan lhtan selu elliot "
        "symmelliot softplus softsign gelu swish hardswish".split()
    )


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("shape", [(), (0, 7), (9,), (2, 7, 9), (3, 130_001)])
def test_any_shape_and_any_number_of_threads(name, shape):
    rng = np.random.default_rng(1)
    z = np.asarray(np.round(rng.normal(0, 3, shape)) + 0.25)
    dy = np.asarray(rng.normal(size=shape))
    try:
        for count in (1, 3):
            set_thread_count(count)
            y = activate(name, z)
            assert y.shape == shape and y.dtype == z.dtype
            np.testing.assert_allclose(y, reference.forward(name, z), rtol=1e-13, atol=1e-14)
            dz = activation_gradient(name, z, y, dy)
            wanted = reference.backward(name, z, dy)
            np.testing.assert_allclose(dz, wanted, rtol=1e-13, atol=1e-14)
    finally:
        set_thread_count(None)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_views_and_what_is_given_stay_as_they_are(name):
    base = np.random.default_rng(2).normal(0, 3, (7, 9)).astype(np.float32)
    z, before = base.T[::2], base.T[::2].copy()
    y = activate(name, z)
    assert (y is z) == (name == "linear")
    np.testing.assert_array_equal(y, activate(name, before))
    dy = np.ones_like(before)
    dz = activation_gradient(name, z, y, dy.copy(order="F"))
    np.testing.assert_array_equal(dz, activation_gradient(name, before, y, dy))
    np.testing.assert_array_equal(z, before)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_output_is_enough_where_it_is_said_so(name):
    z = np.array([-5.25, -0.25, 0.75, 1.25, 4.5])
    y, dy = activate(name, z), np.ones(5)
    if needs_preactivation(name):
        with pytest.raises(ValueError, match=f"'{name}' needs its input"):
            activation_gradient(name, None, y, dy)
        return
    np.testing.assert_array_equal(
        activation_gradient(name, None, y, dy), activation_gradient(name, z, y, dy)
    )


def test_unknown_names_are_refused_with_those_there_are():
    for call in (
        lambda: check_activation("sine"),
        lambda: activate("sine", np.ones(3)),
        lambda: activation_gradient("sine", None, np.ones(3), np.ones(3)),
        lambda: needs_preactivation("sine"),
        lambda: Activation("sine"),
    ):
        with pytest.raises(ValueError, match=r"'sine'.*logistic, .*hardswish"):
            call()


def test_shapes_that_differ_are_refused():
    with pytest.raises(ValueError, match=r"\(3,\).*\(3,\).*\(4,\)"):
        activation_gradient("tanh", None, np.ones(3), np.ones(4))


@pytest.mark.parametrize("name", ["logistic", "elliot", "softplus", "plse"])
def test_zero_beyond_the_lengths_though_0_gives_more(name):
    x = np.zeros((2, 3, 7, 2), np.float32)
    y, _ = Activation(name).forward(x, np.array([7, 2]))
    assert (y[0] > 0).all() and (y[1, :, :2] > 0).all() and not y[1, :, 2:].any()
