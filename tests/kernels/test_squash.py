"""tanh and the logistic function: how near the float32 ones come."""

import numpy as np
import pytest
from numba import njit

from ocrlstm.kernels import squash


@njit
def each(x, y, z):
    for i in range(len(x)):
        y[i] = squash.tanh(x[i])
        z[i] = squash.logistic(x[i])


def run(x):
    y, z = np.empty_like(x), np.empty_like(x)
    each(x, y, z)
    return y, z


def points(dtype):
    small = np.logspace(-30, 0, 20_001)
    wide = np.linspace(-20, 20, 200_001)
    far = np.array([9.0, 9.01, 89.0, 1e3, 1e30, np.inf])
    return np.concatenate([small, -small, wide, far, -far, [0.0, -0.0]]).astype(dtype)


def test_float32_is_right_to_a_millionth():
    x = points(np.float32)
    y, z = run(x)
    assert y.dtype == z.dtype == np.float32
    exact = x.astype(np.float64)
    np.testing.assert_allclose(y, np.tanh(exact), rtol=1e-6, atol=0)
    np.testing.assert_allclose(z, 0.5 + 0.5 * np.tanh(exact / 2), rtol=0, atol=1e-6)


def test_bounds_hold_and_ends_are_reached():
    y, z = run(points(np.float32))
    assert np.abs(y).max() == 1.0
    assert z.min() >= 0.0 and z.max() == 1.0


def test_odd_and_never_falling_but_by_rounding():
    x = np.linspace(0, 12, 50_001).astype(np.float32)
    y, _ = run(x)
    np.testing.assert_array_equal(run(-x)[0], -y)
    assert np.diff(y).min() >= -5e-7


def test_float64_is_that_of_the_library():
    x = points(np.float64)
    y, z = run(x)
    np.testing.assert_allclose(y, np.tanh(x), rtol=1e-14)
    np.testing.assert_allclose(z, 0.5 + 0.5 * np.tanh(x / 2), rtol=0, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nan_stays(dtype):
    for result in run(np.full(37, np.nan, dtype)):
        assert np.isnan(result).all()
