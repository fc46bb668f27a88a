"""Non-linearities: the compiled loops against their plain twins, and at the ends of the range."""

import numpy as np
import pytest

from ocrlstm.kernels import activation as fast
from ocrlstm.kernels.reference import activation as reference


def points(dtype):
    """Values near 0 and far from it, a quarter of a unit away from every whole number."""
    rng = np.random.default_rng(0)
    steps = np.arange(-12, 12) + 0.25
    near = np.array([1e-30, 1e-7, 1e-3, 0.1, 0.7])
    wide = rng.normal(0, 3, 500)
    wide = wide[np.abs(wide - np.round(wide)) > 0.01]
    return np.concatenate([steps, near, -near, wide]).astype(dtype)


def run(name, z, dy):
    y, dz = np.empty_like(z), np.empty_like(z)
    fast.forward(name, z, y)
    # The array that the slope is not made of must not matter.
    nothing = np.full_like(z, np.nan)
    of_input = name in fast.OF_INPUT
    fast.backward(name, *((z, nothing) if of_input else (nothing, y)), dy, dz)
    return y, dz


@pytest.mark.parametrize("name", fast.NAMES)
@pytest.mark.parametrize(("dtype", "close"), [(np.float64, 1e-13), (np.float32, 2e-6)])
def test_equals_the_reference(name, dtype, close):
    z = points(dtype)
    dy = np.random.default_rng(1).normal(size=z.shape).astype(dtype)
    y, dz = run(name, z, dy)
    assert y.dtype == dz.dtype == dtype
    exact = z.astype(np.float64)
    np.testing.assert_allclose(y, reference.forward(name, exact), rtol=close, atol=close)
    np.testing.assert_allclose(dz, reference.backward(name, exact, dy), rtol=close, atol=close)


@pytest.mark.parametrize("name", fast.NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_far_values_give_finite_ones(name, dtype):
    largest = np.finfo(dtype).max / 2
    z = np.array([-largest, -1e30, -1e4, -800, -100, 100, 800, 1e4, 1e30, largest], dtype)
    dy = np.ones_like(z)
    with np.errstate(all="raise", under="ignore"):
        y, dz = run(name, z, dy)
        exact = z.astype(np.float64)
        wanted, slopes = reference.forward(name, exact), reference.backward(name, exact, dy)
    np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(dz, slopes, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", fast.NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_nan_stays(name, dtype):
    z = np.full(37, np.nan, dtype)
    y, dz = run(name, z, np.ones_like(z))
    assert np.isnan(y).all()
    _, dz = run(name, np.ones_like(z), z)
    assert np.isnan(dz).all()


@pytest.mark.parametrize(
    ("name", "points", "values"),
    [
        ("stair", [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.25], [-1.5, -1, -0.5, 0, 0.5, 1, 1.25]),
        ("plse", [-5, -4, 0, 4, 6], [-0.01, 0, 0.5, 1, 1.02]),
        ("lhtan", [-1, 0, 0.5, 1, 2], [-0.001, 0, 0.5, 1, 1.001]),
        ("ramp", [-2, 0, 2], [-0.2, 0, 2.2]),
        ("elliot", [-1, 0, 1, 3], [0.25, 0.5, 0.75, 0.875]),
        ("loggy", [-np.log(3), 0, np.log(3)], [-0.5, 0, 0.5]),
        ("softplus", [0, np.log(np.e - 1)], [np.log(2), 1]),
        ("hardswish", [-4, -3, 0, 3, 4], [0, 0, 0, 3, 4]),
    ],
)
def test_known_values(name, points, values):
    z = np.array(points, np.float64)
    np.testing.assert_allclose(run(name, z, z)[0], values, rtol=1e-14, atol=1e-15)


def test_the_small_keep_their_digits_in_float32():
    z = np.array([-1e-6, -1e-20, 1e-20, 1e-6], np.float32)
    for name in ("elu", "selu", "tanh", "loggy", "softsign", "gelu", "swish"):
        y, _ = run(name, z, z)
        wanted = reference.forward(name, z.astype(np.float64))
        np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=0)


def test_values_and_gradients_may_take_the_place_of_what_they_come_from():
    z, dy = points(np.float64), np.ones_like(points(np.float64))
    y, dz = run("swish", z, dy)
    again = z.copy()
    fast.backward("swish", z, y, dy, dy)
    fast.forward("swish", again, again)
    np.testing.assert_array_equal(again, y)
    np.testing.assert_array_equal(dy, dz)


def test_arrays_that_the_loops_would_misread_are_refused():
    z = np.ones((3, 4))
    with pytest.raises(ValueError, match=r"one shape.*\(3, 4\).*\(3, 3\)"):
        fast.forward("tanh", z, np.ones((3, 3)))
    with pytest.raises(ValueError, match="C-contiguous"):
        fast.backward("tanh", z, z, z, np.ones((4, 3)).T)
