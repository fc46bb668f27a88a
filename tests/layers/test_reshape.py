"""Reshapes against the definition of VGSL's S, value by value."""

import numpy as np
import pytest
from batches import check_alone, item_of
from gradients import images, sequences

from ocrlstm.layers import Columns, Reshape

LENGTHS = (9, 1, 0, 7)


def by_definition(x, d, a, b, e, f):
    """What the reshape makes of one image, every value put into its place by itself.

    The index along `d` is ``i * b + j``; `i` goes to `e` and `j` to `f`, before the index that is
    there already, if it is not `d`.
    """
    x = x[:, : x.shape[1] // max(a, b) * max(a, b)] if d == 2 else x  # whole groups of columns
    a, b = a or x.shape[d - 1] // b, b or x.shape[d - 1] // a
    sizes = list(x.shape)
    sizes[d - 1] = 1
    for target, part in ((e, a), (f, b)):
        sizes[target - 1] *= part
    y = np.full(sizes, np.nan)
    for place in np.ndindex(*x.shape):
        to = list(place)
        i, j = divmod(place[d - 1], b)
        if e == f:
            to[d - 1] = j * a + i
        elif e == d:
            to[d - 1] = i
            to[f - 1] += j * x.shape[f - 1]
        else:
            to[d - 1] = j
            to[e - 1] += i * x.shape[e - 1]
        y[tuple(to)] = x[place]
    return y


ON_IMAGES = [
    # d, a, b, e, f on images of height 6 and depth 4
    *[(1, a, b, 1, f) for a, b in ((2, 3), (0, 2), (1, 0)) for f in (1, 3)],
    *[(1, a, b, 3, 1) for a, b in ((2, 3), (0, 2), (6, 0))],
    *[(3, a, b, 3, f) for a, b in ((2, 2), (0, 4), (1, 0)) for f in (1, 3)],
    *[(3, a, b, 1, 3) for a, b in ((2, 2), (0, 4), (4, 0))],
    (1, 2, 3, 1, 2), (1, 0, 2, 1, 2), (1, 3, 0, 2, 1),
    (3, 2, 2, 3, 2), (3, 0, 4, 3, 2), (3, 2, 0, 2, 3),
    (2, 0, 2, 2, 3), (2, 0, 3, 2, 1), (2, 2, 0, 3, 2), (2, 3, 0, 1, 2),
    (2, 0, 2, 2, 2), (2, 3, 0, 2, 2),
]  # fmt: skip


@pytest.mark.parametrize("numbers", ON_IMAGES, ids=str)
def test_images_follow_the_definition(numbers):
    layer = Reshape(*numbers)
    x = images(6, 4, LENGTHS)
    y, lengths = layer.forward(x, np.array(LENGTHS))
    assert (y.shape[1], None, y.shape[3]) == layer.plan((6, None, 4))[0]
    for i, (length, out_length) in enumerate(zip(LENGTHS, lengths, strict=True)):
        wanted = by_definition(item_of(x, i, length)[0], *numbers)
        np.testing.assert_array_equal(item_of(y, i, out_length)[0], wanted)
        assert not np.isnan(wanted).any()


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("numbers", ON_IMAGES, ids=str)
def test_neighbours_and_padding_change_nothing(numbers, training):
    check_alone(Reshape(*numbers), images(6, 4, LENGTHS), LENGTHS, training=training)


@pytest.mark.parametrize(
    "numbers", [(3, 2, 0, 2, 3), (3, 0, 4, 3, 2), (2, 0, 2, 2, 3), (2, 3, 0, 3, 2), (1, 1, 0, 1, 3)]
)
def test_sequences_are_images_of_height_1(numbers):
    x = sequences(4, LENGTHS)
    layer = Reshape(*numbers)
    y, lengths = layer.forward(x, np.array(LENGTHS), training=True)
    as_images = np.ascontiguousarray(x.transpose(1, 0, 2)[:, None])
    wanted, wanted_lengths = Reshape(*numbers).forward(as_images, np.array(LENGTHS))
    np.testing.assert_array_equal(y, wanted[:, 0].transpose(1, 0, 2))
    np.testing.assert_array_equal(lengths, wanted_lengths)
    assert layer.plan((None, 4))[0] == (None, y.shape[2])
    check_alone(layer, x, LENGTHS, training=True)


def test_an_example_of_tensorflow():
    """That of `transposing_reshape`, which is the S of TensorFlow's VGSL."""
    x = np.arange(5 * 2 * 6 * 2).reshape(5, 2, 6, 2).astype(float)
    y, _ = Reshape(2, 2, 3, 3, 2).forward(x, np.full(5, 6))
    assert y.shape == (5, 2, 3, 4)
    np.testing.assert_array_equal(
        y[0],
        [
            [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]],
            [[12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]],
        ],
    )


def test_height_into_depth_is_columns_up_to_the_rank():
    x, lengths = images(7, 3, (9, 2)), np.array([9, 2])
    folded, reshaped = Columns(), Reshape(1, 1, 0, 1, 3)
    sequence, _ = folded.forward(x, lengths, training=True)
    image, _ = reshaped.forward(x, lengths, training=True)
    np.testing.assert_array_equal(image[:, 0].transpose(1, 0, 2), sequence)
    # and back
    again, _ = Reshape(3, 7, 0, 1, 3).forward(image, lengths)
    np.testing.assert_array_equal(again, x)


def test_columns_that_fill_no_group_fall_away():
    x = images(1, 2, (7, 3, 1))
    layer = Reshape(2, 0, 2, 2, 3)
    y, lengths = layer.forward(x, np.array([7, 3, 1]), training=True)
    np.testing.assert_array_equal(lengths, [3, 1, 0])
    assert y.shape == (3, 1, 3, 4)
    np.testing.assert_array_equal(y[0, 0, 2], x[0, 0, 4:6].reshape(-1))
    dx = layer.backward(np.ones_like(y))
    assert dx[0, 0, :6].all() and dx[1, 0, :2].all()
    assert dx.sum() == 2 * 8


def test_fixed_widths():
    assert Reshape(2, 4, 3, 2, 3).plan((5, 12, 2)) == ((5, 4, 6), {})
    assert Reshape(2, 4, 3, 3, 2).plan((5, 12, 2)) == ((5, 3, 8), {})
    assert Reshape(2, 0, 3, 2, 3).plan((5, 13, 2)) == ((5, 4, 6), {})
    assert Reshape(3, 2, 0, 2, 3).plan((5, 12, 2)) == ((5, 24, 1), {})
    assert Reshape(3, 2, 0, 2, 3).plan((12, 2)) == ((24, 1), {})


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((0, 1, 4, 0, 3), "dimensions are 1 .* not 0, 0, 3"),
        ((1, 1, 4, 1, 4), "dimensions are 1 .* not 1, 1, 4"),
        ((1, 1, 4, 2, 3), "one part must stay in 1, not go to 2 and 3"),
        ((1, 0, 0, 1, 3), "one may be 0 for the rest, not 0 and 0"),
        ((1, -1, 4, 1, 3), "not -1 and 4"),
        ((2, 0, 4, 3, 2), "to or from the width needs its number"),
        ((1, 1, 0, 1, 2), "to or from the width needs its number"),
    ],
)
def test_numbers_without_sense_are_refused(numbers, message):
    with pytest.raises(ValueError, match=message):
        Reshape(*numbers)


@pytest.mark.parametrize(
    ("numbers", "shape", "message"),
    [
        ((1, 0, 2, 1, 3), (7, None, 1), "height 7 does not split into 0 x 2"),
        ((3, 3, 3, 1, 3), (7, None, 8), "depth 8 does not split into 3 x 3"),
        ((2, 3, 4, 2, 3), (7, None, 1), "a free width does not split into 3 x 4"),
        ((2, 3, 4, 2, 3), (7, 13, 1), "width 13 does not split into 3 x 4"),
        ((2, 0, 4, 2, 3), (7, 3, 1), "width 3 is less than one part of 4"),
        ((1, 1, 0, 1, 3), (None, None, 1), "a fixed height and depth"),
        ((3, 2, 0, 1, 3), (None, 4), "2 rows instead of one"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(numbers, shape, message):
    with pytest.raises(ValueError, match=message):
        Reshape(*numbers).plan(shape)


def test_no_items():
    layer = Reshape(2, 0, 2, 2, 3)
    x = np.zeros((0, 3, 8, 2))
    y, lengths = layer.forward(x, np.zeros(0, np.int64), training=True)
    assert y.shape == (0, 3, 0, 4) and lengths.shape == (0,)
    assert layer.backward(y).shape == x.shape
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)


def test_repr_builds_it_again():
    assert repr(Reshape(2, 0, 3, 2, 1)) == "Reshape(2, 0, 3, 2, 1)"
