"""The softmax of many rows against the plain one."""

import numpy as np
import pytest

from ocrlstm.kernels import softmax as fast
from ocrlstm.kernels.reference import softmax as reference


@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize("scale", [1.0, 0.4])
@pytest.mark.parametrize(("rows", "classes"), [(1, 1), (7, 2), (2, 9), (9, 101)])
@pytest.mark.parametrize(("dtype", "limit"), [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_equals_the_reference(rows, classes, scale, log, dtype, limit):
    rng = np.random.default_rng(rows + classes)
    scores = (5 * rng.normal(size=(rows, classes))).astype(dtype)
    bias, dy = rng.normal(size=classes).astype(dtype), rng.normal(size=(rows, classes))
    dy, inside = dy.astype(dtype), rng.random(rows) < 0.8
    y, wanted = scores.copy(), scores.astype(np.float64)
    fast.forward(y, bias, dtype(scale), inside, log)
    reference.forward(wanted, bias, dtype(scale), inside, log)
    np.testing.assert_allclose(y, wanted, rtol=limit, atol=limit)
    dz, wanted_dz = np.full_like(y, np.nan), np.full_like(wanted, np.nan)
    fast.backward(dy, y, dtype(scale), inside, log, dz)
    reference.backward(dy, wanted, dtype(scale), inside, log, wanted_dz)
    np.testing.assert_allclose(dz, wanted_dz, rtol=limit, atol=4 * limit)
    assert not y[~inside].any() and not dz[~inside].any()


def test_far_scores_stay_finite_and_nan_shows():
    scores = np.array([[1e4, -1e4, 0.0], [np.nan, 0.0, 1.0]], np.float32)
    fast.forward(scores, np.zeros(3, np.float32), np.float32(1), np.ones(2, bool), True)
    np.testing.assert_array_equal(scores[0], [0, -2e4, -1e4])
    assert np.isnan(scores[1]).all()
