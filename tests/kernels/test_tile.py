"""Products in registers: against NumPy, for every size of block, with overlapping rows and runs."""

import numpy as np
import pytest

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.tile import add_product, padded


@compiled
def run(left, strides, right, terms, runs, result, rows, add):
    add_product(
        left.dtype.type(1),
        left.itemsize,
        left.ctypes.data,
        strides[0],
        strides[1],
        strides[2],
        right.ctypes.data,
        right.shape[2],
        right.shape[1] * right.shape[2],
        terms,
        runs,
        result.ctypes.data,
        result.shape[1],
        rows,
        right.shape[2],
        add,
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7, 8, 9, 15, 16])
@pytest.mark.parametrize("vectors", [1, 2, 3, 4, 5, 8, 11])
def test_equals_the_sum(dtype, rows, vectors):
    rng = np.random.default_rng(rows * vectors)
    terms, runs, columns = 7, 3, vectors * padded(1, np.dtype(dtype).itemsize)
    strides = (2, 3, 5)  # of row, term, run: the places overlap
    left = rng.normal(size=64 + rows * 2).astype(dtype)
    right = rng.normal(size=(runs, terms, columns)).astype(dtype)
    result = rng.normal(size=(rows, columns)).astype(dtype)
    i, k, r = np.ogrid[:rows, :terms, :runs]
    expected = np.einsum("ikr,rkj->ij", left[2 * i + 3 * k + 5 * r], right, dtype=np.float64)
    limit = 100 * np.finfo(dtype).eps
    added = result.copy()
    run(left, strides, right, terms, runs, added, rows, True)
    np.testing.assert_allclose(added, result + expected, rtol=limit, atol=limit)
    run(left, strides, right, terms, runs, result, rows, False)
    np.testing.assert_allclose(result, expected, rtol=limit, atol=limit)


def test_a_row_does_not_depend_on_those_beside_it():
    rng = np.random.default_rng(1)
    left, right = rng.random(200, np.float32), rng.random((1, 10, 48), np.float32)
    together, alone = np.empty((13, 48), np.float32), np.empty((1, 48), np.float32)
    run(left, (10, 1, 0), right, 10, 1, together, 13, False)
    for row in range(13):
        run(left[10 * row :], (10, 1, 0), right, 10, 1, alone, 1, False)
        np.testing.assert_array_equal(alone[0], together[row])


def test_no_terms_give_zero_or_leave_what_is_there():
    left, right = np.ones(8), np.ones((1, 1, 8))
    result = np.full((2, 8), 3.0)
    run(left, (1, 1, 1), right, 0, 1, result, 2, True)
    assert (result == 3).all()
    run(left, (1, 1, 1), right, 1, 0, result, 2, False)
    assert (result == 0).all()


def test_padded():
    assert [padded(n, 4) for n in (1, 16, 17)] == [16, 16, 32]
    assert [padded(n, 8) for n in (1, 8, 9)] == [8, 8, 16]
