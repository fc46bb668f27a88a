"""exp, log1p and erfc: how near the float32 ones come, and where they end."""

import numpy as np
import pytest
import scipy.special
from numba import njit

from ocrlstm.kernels import exponential


@njit
def each_exp(x, y):
    for i in range(len(x)):
        y[i] = exponential.exp(x[i])


@njit
def each_log1p(x, y):
    for i in range(len(x)):
        y[i] = exponential.log1p(x[i])


@njit
def each_erfc(x, y):
    for i in range(len(x)):
        y[i] = exponential.erfc(x[i])


def run(loop, x):
    y = np.empty_like(x)
    loop(x, y)
    assert y.dtype == x.dtype
    return y


CASES = {
    "exp": (each_exp, np.exp, np.linspace(-87, 88.7, 100_001), 5e-7),
    "log1p": (each_log1p, np.log1p, np.r_[0, np.logspace(-30, 0, 50_001)], 3e-7),
    # Rounding of x^2 grows with it, as far as the tail's exponent shows it.
    "erfc": (each_erfc, scipy.special.erfc, np.linspace(-9, 3, 100_001), 2e-6),
    "erfc, tail": (each_erfc, scipy.special.erfc, np.linspace(3, 9, 100_001), 2e-5),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_relative_error_is_small(case, dtype):
    loop, wanted, x, close = CASES[case]
    x = x.astype(dtype)
    close = close if dtype == np.float32 else 1e-14
    np.testing.assert_allclose(run(loop, x), wanted(x.astype(np.float64)), rtol=close, atol=0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ends_of_the_range(dtype):
    far = np.array([-np.inf, -1e30, -800, 0, 800, 1e30, np.inf], dtype)
    np.testing.assert_array_equal(run(each_exp, far), [0, 0, 0, 1, np.inf, np.inf, np.inf])
    np.testing.assert_allclose(run(each_erfc, far), [2, 2, 2, 1, 0, 0, 0], rtol=2e-7, atol=0)
    for loop in (each_exp, each_log1p, each_erfc):
        assert np.isnan(run(loop, np.full(37, np.nan, dtype))).all()


def test_small_powers_fade_through_the_subnormals():
    x = np.linspace(-103, -87, 10_001).astype(np.float32)
    wanted = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(run(each_exp, x), wanted, rtol=5e-7, atol=1.5e-45)
