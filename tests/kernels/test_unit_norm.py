"""Norms of the pixels of a batch against the plain ones, pixel by pixel."""

import numpy as np
import pytest

from ocrlstm.kernels import unit_norm as fast
from ocrlstm.kernels.reference import unit_norm as reference

# Shape of the batch, valid columns or frames.
CASES = [
    ((1, 1, 1, 1), (1,)),
    ((4, 7, 9, 2), (9, 1, 0, 7)),
    ((2, 2, 3, 9), (3, 2)),
    ((9, 3, 7), (9, 0, 2)),
    ((2, 2, 4), (1, 2)),
    ((0, 3, 7, 2), ()),
]


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("shape", "lengths"), CASES)
def test_equals_the_reference(shape, lengths, order):
    rng = np.random.default_rng(len(shape))
    x, dy = rng.normal(size=(2, *shape))  # noise beyond the lengths
    x[..., 1:, :] *= rng.integers(0, 2, x[..., 1:, :1].shape)  # some pixels of zeros
    lengths = np.array(lengths, np.int64)
    y, inverses = fast.unit_forward(x, lengths, order, 0.25)
    dx = fast.unit_backward(dy, y, inverses, lengths, order)
    wanted_y, wanted_dx, wanted_inverses = np.zeros(shape), np.zeros(shape), np.zeros(shape[:-1])
    for place in np.ndindex(shape[:-1]):
        item, column = (place[0], place[2]) if len(shape) == 4 else (place[1], place[0])
        if column < lengths[item]:
            wanted_y[place], inverse = reference.unit_forward(x[place], order, 0.25)
            wanted_dx[place] = reference.unit_backward(dy[place], wanted_y[place], inverse, order)
            wanted_inverses[place] = inverse
    np.testing.assert_allclose(y, wanted_y, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(inverses, wanted_inverses.reshape(-1), rtol=1e-12)
    np.testing.assert_allclose(dx, wanted_dx, rtol=1e-11, atol=1e-13)


def test_norms_of_float32_keep_their_digits():
    x = np.full((1, 1, 70_001), 0.1, np.float32)
    x[0, 0, 0] = 1000
    y, _ = fast.unit_forward(x, np.array([1]), 1, 1e-8)
    assert y.dtype == np.float32
    assert y[0, 0, 0] == pytest.approx(1000 / (1000 + 70_000 * float(np.float32(0.1))), rel=1e-6)
