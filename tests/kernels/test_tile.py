"""Products in registers: against NumPy, for every size of block, with overlapping rows and runs."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.tile import VECTOR, add_product, pad_columns, padded, row_product


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
    for size in (4, 8):
        lanes = VECTOR // size
        assert [padded(n, size) for n in (1, lanes, lanes + 1)] == [lanes, lanes, 2 * lanes]


def test_filled_up_with_zeros():
    for shape in ((3, 7), (2, 1, 2, 9)):
        array = np.ones(shape, np.float32)
        wide = pad_columns(array.T.copy().T)
        assert wide.shape == (*shape[:-1], padded(shape[-1], 4)) and wide.flags.c_contiguous
        np.testing.assert_array_equal(wide[..., : shape[-1]], array)
        assert not wide[..., shape[-1] :].any()


def test_some_rows_times_a_matrix():
    rng = np.random.default_rng(2)
    left, right = rng.normal(size=(9, 7)), rng.normal(size=(7, 11))
    result = np.empty((9, padded(11, 8)))
    for rows in (0, 1, 5, 9):
        result[:] = 3
        row_product(left, pad_columns(right), rows, result)
        np.testing.assert_allclose(result[:rows, :11], left[:rows] @ right, rtol=1e-12, atol=1e-14)
        assert not result[:rows, 11:].any() and (result[rows:] == 3).all()


def test_operands_of_two_types_are_refused():
    left, right, result = np.ones((2, 8)), np.ones((8, 16), np.float32), np.empty((2, 16))
    with pytest.raises(TypeError, match="of one type"):
        row_product(left, right, 2, result)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="not such a processor")
def test_all_this_on_a_processor_with_fewer_registers(tmp_path):
    features = "+avx,+avx2,+fma,+bmi,+bmi2,+sse4.2,+f16c"
    older = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": features}
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", __file__, "-k", "not registers"],
        env=os.environ | older | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout
