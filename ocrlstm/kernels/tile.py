"""Products of a few rows with a matrix, held in vector registers from the first term to the last.

BLAS copies its operands into blocks before it multiplies, which pays for large matrices only. The
products here are small, or their left operand is an image whose windows overlap, which BLAS would
need copied out. LLVM is given the vector instructions directly, since it finds them in no loop over
a block of several rows.

`add_product` takes memory addresses: all strides are in numbers, all rows of the right operand and
of the result must be padded to whole vectors (`padded`), and nothing is checked.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen, config
from numba.extending import intrinsic

from ocrlstm.kernels.compiled import compiled

__all__ = ["VECTOR", "add_product", "pad_columns", "padded", "row_product"]

# What is compiled for: the processor at hand, unless NUMBA_CPU_FEATURES tells another.
_TOLD: str | None = config.CPU_FEATURES  # type: ignore[attr-defined]
_FEATURES = codegen.get_host_cpu_features() if _TOLD is None else _TOLD
_WIDE = "+avx512f" in _FEATURES.split(",")

#: Bytes of a vector. Processors with shorter ones take two instructions for it.
VECTOR = 64 if _WIDE else 32


@compiled
def padded(count, size):  # type: ignore[no-untyped-def]
    """Return `count` numbers of `size` bytes, rounded up to whole vectors."""
    lanes = VECTOR // size
    return (count + lanes - 1) // lanes * lanes


# Rows and vectors of a block of the result. 8 rows by 3 vectors are 24 sums, which with the factors
# fill the 32 registers of AVX-512, and 4 by 3 fill the 16 of AVX2: more would go to memory and back
# at every term. One row takes many vectors, or the processor waits for sums.
_MOST_ROWS = 8 if _WIDE else 4
_BLOCKS = [(rows, vectors) for rows in sorted({1, 2, 4, _MOST_ROWS}) for vectors in (1, 2, 3)]
_BLOCKS.append((1, 8))


@intrinsic
def _add_block(  # type: ignore[no-untyped-def]
    typing_context, block_rows, block_vectors, one, left, left_row, left_term, left_run, right,
    right_term, right_run, terms, runs, result, result_row, add,
):  # fmt: skip
    """Compute one block of the result, whose size is one of `_BLOCKS`; see `add_product`."""
    signature = types.void(types.intp, types.intp, one, *[types.intp] * 11, types.boolean)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        block_rows, block_vectors, _, *operands = arguments
        integer = block_rows.type
        done = builder.append_basic_block("done")
        sixteen = ir.Constant(integer, 16)
        switch = builder.switch(builder.add(builder.mul(block_rows, sixteen), block_vectors), done)
        for rows, vectors in _BLOCKS:
            case = builder.append_basic_block(f"block_{rows}_{vectors}")
            switch.add_case(ir.Constant(integer, 16 * rows + vectors), case)
            builder.position_at_end(case)
            _emit(builder, rows, vectors, one == types.float32, *operands)
            builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return signature, generate


def _emit(  # type: ignore[no-untyped-def]
    builder, rows, vectors, single, left, left_row, left_term, left_run, right, right_term,
    right_run, terms, runs, result, result_row, add,
):  # fmt: skip
    """Write the loops over runs and terms; the arguments are those of `add_product`."""
    size = 4 if single else 8
    lanes = VECTOR // size
    number = ir.FloatType() if single else ir.DoubleType()
    vector = ir.VectorType(number, lanes)
    integer = terms.type
    fma = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(vector, [vector] * 3),
        f"llvm.fma.v{lanes}f{8 * size}",
    )
    undefined = ir.Constant(vector, ir.Undefined)
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)

    def constant(value):  # type: ignore[no-untyped-def]
        return ir.Constant(integer, value)

    def bytes_of(stride):  # type: ignore[no-untyped-def]
        return builder.mul(stride, constant(size))

    def pointer(address, offset, kind):  # type: ignore[no-untyped-def]
        return builder.inttoptr(builder.add(address, offset), kind.as_pointer())

    def merge(kind, *sources):  # type: ignore[no-untyped-def]
        value = builder.phi(kind)
        for source, block in sources:
            value.add_incoming(source, block)
        return value

    left_row, left_term, left_run, right_term, right_run, result_row = map(
        bytes_of, (left_row, left_term, left_run, right_term, right_run, result_row)
    )
    left_offsets, places = [], []
    for i in range(rows):
        left_offsets.append(builder.mul(left_row, constant(i)))
        row = builder.mul(result_row, constant(i))
        for v in range(vectors):
            places.append(pointer(result, builder.add(row, constant(v * VECTOR)), vector))
    begin = [
        builder.select(add, builder.load(place, align=size), ir.Constant(vector, None))
        for place in places
    ]
    entry = builder.block
    each_run, each_term, next_run, end = (
        builder.append_basic_block(name) for name in ("run", "term", "next", "end")
    )
    some = builder.and_(
        builder.icmp_signed(">", terms, constant(0)), builder.icmp_signed(">", runs, constant(0))
    )
    builder.cbranch(some, each_run, end)

    builder.position_at_end(each_run)
    run = merge(integer, (constant(0), entry))
    left_begin, right_begin = merge(integer, (left, entry)), merge(integer, (right, entry))
    sums = [merge(vector, (value, entry)) for value in begin]
    builder.branch(each_term)

    builder.position_at_end(each_term)
    term = merge(integer, (constant(0), each_run))
    left_at, right_at = (
        merge(integer, (left_begin, each_run)),
        merge(integer, (right_begin, each_run)),
    )
    partial = [merge(vector, (value, each_run)) for value in sums]
    factors = [
        builder.load(pointer(right_at, constant(v * VECTOR), vector), align=size)
        for v in range(vectors)
    ]
    added = []
    for i in range(rows):
        scalar = builder.load(pointer(left_at, left_offsets[i], number))
        first = builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
        spread = builder.shuffle_vector(first, undefined, everywhere)
        for v in range(vectors):
            added.append(builder.call(fma, [spread, factors[v], partial[i * vectors + v]]))
    following = (
        builder.add(term, constant(1)),
        builder.add(left_at, left_term),
        builder.add(right_at, right_term),
    )
    builder.cbranch(builder.icmp_signed("<", following[0], terms), each_term, next_run)
    for value, after in zip((term, left_at, right_at, *partial), (*following, *added), strict=True):
        value.add_incoming(after, each_term)

    builder.position_at_end(next_run)
    following = (
        builder.add(run, constant(1)),
        builder.add(left_begin, left_run),
        builder.add(right_begin, right_run),
    )
    builder.cbranch(builder.icmp_signed("<", following[0], runs), each_run, end)
    for value, after in zip(
        (run, left_begin, right_begin, *sums), (*following, *added), strict=True
    ):
        value.add_incoming(after, next_run)

    builder.position_at_end(end)
    totals = [
        merge(vector, (value, entry), (after, next_run))
        for value, after in zip(begin, added, strict=True)
    ]
    for total, place in zip(totals, places, strict=True):
        builder.store(total, place, align=size)


@compiled
def add_product(  # type: ignore[no-untyped-def]
    one,
    size,
    left,
    left_row,
    left_term,
    left_run,
    right,
    right_term,
    right_run,
    terms,
    runs,
    result,
    result_row,
    rows,
    columns,
    add,
):
    """Compute ``result[i, j] = sum over r, k of left[i, k, r] * right[k, j, r]``.

    Each number of the result is summed in the order of r and k, whatever rows stand beside it.

    Parameters
    ----------
    one : float32 or float64
        Any number of the operands' type.
    size : int
        Its bytes.
    left, right, result : int
        Addresses of their first numbers.
    left_row, left_term, left_run : int
        How far, in numbers, the next row i, term k and run r of the left operand are.
    right_term, right_run : int
        The same for the right one, whose columns j are neighbours.
    terms, runs : int
        How many k and r there are.
    result_row : int
    rows, columns : int
        Size of the result; `columns` in whole vectors, see `padded`.
    add : bool
        Add to what `result` holds, instead of overwriting it.
    """
    vectors = columns * size // VECTOR
    row = 0
    while row < rows:
        rest = rows - row
        block_rows = _MOST_ROWS if rest >= _MOST_ROWS else 4 if rest >= 4 else 2 if rest >= 2 else 1
        vector = 0
        while vector < vectors:
            rest = vectors - vector
            if block_rows == 1 and rest >= 8:
                block_vectors = 8
            elif rest == 4:
                block_vectors = 2  # twice: a single vector would leave the processor waiting
            else:
                block_vectors = min(rest, 3)
            _add_block(
                block_rows,
                block_vectors,
                one,
                left + row * left_row * size,
                left_row,
                left_term,
                left_run,
                right + vector * VECTOR,
                right_term,
                right_run,
                terms,
                runs,
                result + row * result_row * size + vector * VECTOR,
                result_row,
                add,
            )
            vector += block_vectors
        row += block_rows


@compiled
def pad_columns(array):  # type: ignore[no-untyped-def]
    """Return an array (2-D or 4-D) whose last axis is filled up with zeros to whole vectors."""
    columns = array.shape[-1]
    wide = np.zeros((*array.shape[:-1], padded(columns, array.itemsize)), array.dtype)
    # Loops, since Numba takes seconds to compile the assignment of one array to part of another.
    if array.ndim == 2:
        for i in range(array.shape[0]):
            for j in range(columns):
                wide[i, j] = array[i, j]
    else:
        for h in range(array.shape[0]):
            for i in range(array.shape[1]):
                for j in range(array.shape[2]):
                    for k in range(columns):
                        wide[h, i, j, k] = array[h, i, j, k]
    return wide


@compiled
def row_product(left, right, rows, result):  # type: ignore[no-untyped-def]
    """Compute ``result[:rows] = left[:rows] @ right``.

    Parameters
    ----------
    left : ndarray, shape (>= rows, K), C-contiguous
    right : ndarray, shape (K, columns), C-contiguous, as `pad_columns` gives it
    rows : int
    result : ndarray, shape (>= rows, columns), C-contiguous

    Raises
    ------
    TypeError
        If they are not all of one type: addresses would be wrong.
    """
    if not left.itemsize == right.itemsize == result.itemsize:
        raise TypeError("the operands and the result of a product must be of one type")
    add_product(
        right.dtype.type(1),
        right.itemsize,
        left.ctypes.data,
        left.shape[1],
        1,
        0,
        right.ctypes.data,
        right.shape[1],
        0,
        left.shape[1],
        1,
        result.ctypes.data,
        result.shape[1],
        rows,
        right.shape[1],
        False,
    )
