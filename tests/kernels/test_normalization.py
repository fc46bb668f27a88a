"""Sums and lines of a batch against the plain ones, item by item."""

import numpy as np
import pytest

from ocrlstm.kernels import normalization as fast
from ocrlstm.kernels.reference import normalization as reference
from ocrlstm.kernels.threads import set_thread_count

# Shape of the batch, valid columns or frames.
CASES = [
    ((1, 1, 1, 1), (1,)),
    ((4, 7, 9, 2), (9, 1, 0, 7)),
    ((2, 2, 99, 1), (99, 64)),  # more than a tile
    ((2, 2, 35, 3), (33, 2)),
    ((2, 1, 3, 70), (2, 3)),  # a pixel is more than a tile
    ((9, 3, 7), (9, 0, 2)),
    ((2, 1, 1), (1,)),
    ((0, 3, 7, 2), ()),
    ((5, 0, 2), ()),
]


def cut(x, i, length):
    return x[i, :, :length] if x.ndim == 4 else x[:length, i]


def random_case(shape, lengths):
    """Values and lines; noise beyond the lengths, which must count as nothing."""
    rng = np.random.default_rng(len(shape))
    x, dy = rng.normal(size=(2, *shape))
    return x, dy, np.array(lengths, np.int64), rng.normal(size=(4, len(lengths), shape[-1]))


@pytest.mark.parametrize(("shape", "lengths"), CASES)
def test_sums_equal_the_reference(shape, lengths):
    x, dy, lengths, (centre, *_) = random_case(shape, lengths)
    sums, deviations = fast.sums(x, lengths), fast.deviations(x, lengths, centre)
    plain, crossed = fast.products(dy, x, lengths, centre)
    for array in (sums, deviations, plain, crossed):
        assert array.shape == (len(lengths), shape[-1]) and array.dtype == np.float64
    for i, length in enumerate(lengths):
        item, errors = cut(x, i, length), cut(dy, i, length)
        pairs = [
            (sums, reference.sums(item)),
            (deviations, reference.deviations(item, centre[i])),
            *zip((plain, crossed), reference.products(errors, item, centre[i]), strict=True),
        ]
        for found, wanted in pairs:
            np.testing.assert_allclose(found[i], wanted, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("shape", "lengths"), CASES)
def test_lines_equal_the_reference(shape, lengths):
    x, dy, lengths, (centre, first, second, shift) = random_case(shape, lengths)
    y = fast.scale(x, lengths, centre, first, shift)
    dx = fast.combine(dy, x, lengths, centre, first, second, shift)
    assert y.shape == dx.shape == x.shape
    wanted_y, wanted_dx = np.zeros((2, *shape))
    for i, n in enumerate(lengths):
        item, errors = cut(x, i, n), cut(dy, i, n)
        cut(wanted_y, i, n)[...] = reference.scale(item, centre[i], first[i], shift[i])
        cut(wanted_dx, i, n)[...] = reference.combine(
            errors, item, centre[i], first[i], second[i], shift[i]
        )
    np.testing.assert_allclose(y, wanted_y, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(dx, wanted_dx, rtol=1e-11, atol=1e-12)


def test_values_that_are_the_same_for_all_items_may_be_broadcast():
    x, _, lengths, (centre, first, *_) = random_case((9, 3, 7), (9, 1, 2))
    shared = np.broadcast_to(centre[0], centre.shape), np.broadcast_to(first[0], first.shape)
    copied = [np.array(array, order="C") for array in shared]
    np.testing.assert_array_equal(
        fast.scale(x, lengths, *shared, shared[0]), fast.scale(x, lengths, *copied, copied[0])
    )
    np.testing.assert_array_equal(
        fast.deviations(x, lengths, shared[0]), fast.deviations(x, lengths, copied[0])
    )


def test_sums_of_float32_keep_their_digits():
    x = np.full((1, 48, 4000, 1), 0.1, np.float32)
    lengths = np.array([4000])
    assert fast.sums(x, lengths)[0, 0] == pytest.approx(192_000 * float(np.float32(0.1)), rel=1e-12)
    # A small spread around a large mean.
    x[0, 1::2], x[0, ::2] = 1000.25, 999.75
    spread = fast.deviations(x, lengths, np.full((1, 1), 1000.0))
    assert spread[0, 0] == 192_000 / 16


def test_sums_do_not_depend_on_the_threads():
    x = np.random.default_rng(0).normal(size=(7, 5, 30, 3)).astype(np.float32)
    lengths, found = np.array([30, 1, 7, 9, 2, 30, 15]), []
    for count in (1, 3):
        set_thread_count(count)
        found.append(fast.products(x, x, lengths, fast.sums(x, lengths)))
    set_thread_count(None)
    np.testing.assert_array_equal(*found)
