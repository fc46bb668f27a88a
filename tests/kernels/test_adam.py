"""Adam's step: the compiled kernel against its twin."""

import numpy as np
import pytest

from ocrlstm.kernels import adam as compiled
from ocrlstm.kernels.reference import adam as reference


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-14), (np.float32, 1e-6)])
@pytest.mark.parametrize("shape", [(7,), (5, 3), (0, 4)])
def test_kernel_equals_reference(dtype, tolerance, shape):
    rng = np.random.default_rng(0)
    settings = (0.99, 0.9, 0.999, 1e-2, 1e-8)
    arrays = [rng.normal(size=shape).astype(dtype) for _ in range(3)]
    arrays.append(rng.random(shape).astype(dtype))
    expected = [array.copy() for array in arrays]
    compiled.adam(*arrays, *settings)
    reference.adam(*expected, *settings)
    for array, wanted in zip(arrays, expected, strict=True):
        assert array.dtype == dtype
        np.testing.assert_allclose(array, wanted, rtol=tolerance, atol=tolerance)


def test_what_cannot_be_changed_in_place_is_refused():
    fortran = np.ones((3, 2), order="F")
    plain = np.ones((3, 2))
    with pytest.raises(ValueError, match="C-contiguous"):
        compiled.adam(fortran, plain, plain.copy(), plain.copy(), 1.0, 0.9, 0.999, 0.1, 1e-8)
