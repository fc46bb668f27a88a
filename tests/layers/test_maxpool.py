"""Max pooling: sizes, winners, what is refused."""

import numpy as np
import pytest

from ocrlstm.layers import MaxPool


@pytest.mark.parametrize(
    ("layer", "shape", "output"),
    [
        (MaxPool(2), (7, None, 2), (3, None, 2)),
        (MaxPool(2, padding=1), (7, 9, 2), (4, 5, 2)),
        (MaxPool((3, 2), 1, (1, 0)), (7, 9, 2), (7, 8, 2)),
        (MaxPool((1, 256), padding=(0, 128)), (1, 9, 1), (1, 1, 1)),
    ],
    ids=str,
)
def test_sizes(layer, shape, output):
    assert layer.plan(shape) == (output, {})


def test_padding_never_wins():
    x = np.full((1, 2, 3, 1), -5.0)
    y, lengths = MaxPool(3, 1, 1).forward(x, np.array([3]))
    np.testing.assert_array_equal(y, x)
    assert lengths == [3]


def test_padding_makes_no_window_out_of_no_column():
    lengths = MaxPool(2, 2, 1).output_lengths(np.array([0, 1, 2]))
    assert lengths.tolist() == [0, 1, 2]


def test_the_gradient_goes_to_the_first_of_the_largest():
    layer = MaxPool(2, 1)
    layer.forward(np.ones((1, 2, 3, 1)), np.array([3]), training=True)
    dx = layer.backward(np.array([2.0, 3.0]).reshape(1, 1, 2, 1))
    assert dx[0, :, :, 0].tolist() == [[2, 3, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MaxPool(0), "size of a window .* not 0"),
        (lambda: MaxPool(2, (1, 0)), r"stride of windows .* not \(1, 0\)"),
        (lambda: MaxPool(2, 2, -1), "padding of windows .* 0 or more.* not -1"),
        (lambda: MaxPool((2, 3), 1, (1, 2)), r"half .* not \(1, 2\) of \(2, 3\)"),
        (lambda: MaxPool((1, 257)), r"at most 256 pixels, not \(1, 257\)"),
    ],
)
def test_arguments_without_sense_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("shape", "message"), [((2, None, 1), "high .* height 2"), ((9, 4, 1), "wide .* width 4")]
)
def test_inputs_that_do_not_fit_are_refused(shape, message):
    with pytest.raises(ValueError, match=message):
        MaxPool((3, 5)).plan(shape)
