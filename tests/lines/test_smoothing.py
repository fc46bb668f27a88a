"""Smoothing against SciPy's."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from ocrlstm.lines.smoothing import smooth_curve, smooth_rows

CASES = [(1, 0.4), (2, 3.0), (9, 1.0), (200, 8.0)]


@pytest.mark.parametrize(("length", "sigma"), CASES)
def test_rows_as_scipy_smooths_them(length, sigma):
    image = np.random.default_rng(0).random((7, length))
    wanted = gaussian_filter1d(image, sigma, axis=1, mode="constant")
    np.testing.assert_allclose(smooth_rows(image, sigma), wanted, atol=1e-14)


@pytest.mark.parametrize(("length", "sigma"), CASES)
def test_a_curve_as_scipy_smooths_it(length, sigma):
    values = np.random.default_rng(1).random(length)
    wanted = gaussian_filter1d(values, sigma, mode="reflect")
    np.testing.assert_allclose(smooth_curve(values, sigma), wanted, atol=1e-14)
