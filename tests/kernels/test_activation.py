"""Non-linearities: the compiled loops against their plain twins, and at the ends of the range."""

import numpy as np
import pytest

from ocrlstm.kernels import activation as fast
from ocrlstm.kernels.reference import activation as reference

KINKED = ("relu", "leaky", "relie", "ramp", "plse", "stair", "hardtan", "lhtan", "hardswish")


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
