"""The start of a network: what it lets in."""

import numpy as np
import pytest

from ocrlstm.layers import Input


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((48, None, 1), (2, 48, 9, 1)),
        ((8, 9, 3), (2, 8, 9, 3)),
        ((None, 7), (9, 2, 7)),
        ((9, 7), (9, 2, 7)),
    ],
)
def test_what_fits_goes_through(shape, size):
    layer = Input(shape)
    assert layer.plan(shape) == (shape, {})
    assert layer.build(shape, None) == shape
    x, lengths = np.ones(size), np.array([9, 2])
    y, out = layer.forward(x, lengths, training=True)
    assert y is x and out is lengths
    assert layer.backward(y) is y


def test_a_fixed_width_fits_a_free_one():
    assert Input((48, None, 1)).plan((48, 100, 1)) == ((48, 100, 1), {})


@pytest.mark.parametrize(
    ("shape", "other"),
    [
        ((48, None, 1), (40, None, 1)),
        ((48, None, 1), (48, None, 3)),
        ((48, 100, 1), (48, None, 1)),
        ((48, None, 1), (None, 48)),
        ((None, 7), (None, 9)),
        ((9, 7), (None, 7)),
        ((None, 7), (7, None, 1)),
    ],
)
def test_another_shape_is_refused_with_both(shape, other):
    with pytest.raises(ValueError) as error:
        Input(shape).plan(other)
    assert f"of {shape}, not {other}" in str(error.value)


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((48, None, 1), (2, 40, 9, 1)),
        ((48, None, 1), (2, 48, 9, 3)),
        ((48, 10, 1), (2, 48, 9, 1)),
        ((48, None, 1), (9, 2, 48)),
        ((48, None, 1), (48, 9)),
        ((None, 7), (9, 2, 8)),
        ((10, 7), (9, 2, 7)),
        ((None, 7), (2, 1, 9, 7)),
        ((None, 7), ()),
    ],
)
def test_arrays_of_another_shape_are_refused(shape, size):
    with pytest.raises(ValueError) as error:
        Input(shape).forward(np.ones(size), np.array([9, 2]))
    assert f"of {shape}, not an array {size}" in str(error.value)


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([9], r"2 items need as many lengths, not \(1,\)"),
        ([9, 2, 1], r"2 items need as many lengths, not \(3,\)"),
        ([10, 2], "within 0 and 9, not 2 to 10"),
        ([9, -1], "within 0 and 9, not -1 to 9"),
    ],
)
@pytest.mark.parametrize(("shape", "size"), [((1, None, 1), (2, 1, 9, 1)), ((None, 1), (9, 2, 1))])
def test_lengths_that_do_not_fit_are_refused(lengths, message, shape, size):
    with pytest.raises(ValueError, match=message):
        Input(shape).forward(np.ones(size), np.array(lengths))


@pytest.mark.parametrize(
    "shape",
    [(), (7,), (1, 2, 3, 4), (None, None, 1), (7, None), (0, None, 1), (7, -1, 1), (2.0, 7)],
)
def test_shapes_without_sense_are_refused(shape):
    with pytest.raises(ValueError, match="an input is"):
        Input(shape)
