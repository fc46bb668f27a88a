"""Pixel shuffle: places of the channels, the way back, what is refused."""

import numpy as np
import pytest
from gradients import images

from ocrlstm.layers import Shuffler


def test_channels_become_the_pixels_of_a_block():
    x = np.arange(12.0).reshape(1, 1, 1, 12)
    y, lengths = Shuffler((2, 3)).forward(x, np.array([1]))
    assert lengths == [3] and y.shape == (1, 2, 3, 2)
    assert y[0, :, :, 0].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert y[0, :, :, 1].tolist() == [[6, 7, 8], [9, 10, 11]]


def test_inverse_undoes_it():
    x, widths = images(7, 12, (9, 1, 2)), np.array([9, 1, 2])
    y, lengths = Shuffler((3, 2)).forward(x, widths)
    back, lengths = Shuffler((3, 2), inverse=True).forward(y, lengths)
    np.testing.assert_array_equal(back, x)
    np.testing.assert_array_equal(lengths, widths)


def test_columns_that_fill_no_block_are_left_out():
    layer = Shuffler((1, 4), inverse=True)
    y, lengths = layer.forward(images(2, 1, (9, 3, 4)), np.array([9, 3, 4]), training=True)
    assert lengths.tolist() == [2, 0, 1] and y.shape == (3, 2, 2, 4)
    dx = layer.backward(np.ones_like(y))
    assert dx[:, 0, :, 0].tolist() == [[1] * 8 + [0], [0] * 9, [1] * 4 + [0] * 5]


def test_sizes():
    assert Shuffler((2, 3)).plan((7, 9, 12)) == ((14, 27, 2), {})
    assert Shuffler((2, 3)).plan((7, None, 6)) == ((14, None, 1), {})
    assert Shuffler((2, 4), True).plan((8, 9, 2)) == ((4, 2, 16), {})
    assert Shuffler((2, 4), True).plan((8, None, 2)) == ((4, None, 16), {})


@pytest.mark.parametrize("factor", [0, (1, -1), (2, 2, 2), "2"])
def test_factors_without_sense_are_refused(factor):
    with pytest.raises(ValueError, match="factor of a pixel shuffle"):
        Shuffler(factor)


@pytest.mark.parametrize(
    ("layer", "shape", "message"),
    [
        (Shuffler((2, 3)), (7, None, 7), "7 channels do not fill blocks of 2x3"),
        (Shuffler((2, 3), True), (7, None, 1), "height 7 is no multiple of 2"),
        (Shuffler((2, 3), True), (8, 2, 1), "3 wide do not fit width 2"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(layer, shape, message):
    with pytest.raises(ValueError, match=message):
        layer.plan(shape)
