"""Average pooling: what counts, what is refused."""

import numpy as np
import pytest

from ocrlstm.layers import AvgPool


def test_only_pixels_of_the_image_count():
    x = np.ones((2, 2, 5, 1))
    x[1, :, 3:] = 1e9  # beyond its width
    y, lengths = AvgPool(3, 1, 1).forward(x, np.array([5, 3]))
    assert lengths.tolist() == [5, 3]
    np.testing.assert_array_equal(y[0], 1)
    np.testing.assert_array_equal(y[1, :, :3], 1)
    assert not y[1, :, 3:].any()


def test_the_mean_and_its_gradient_image_by_image():
    x = np.array([[1.0, 3, 5, 7], [2, 4, 0, 0]]).reshape(2, 1, 4, 1)
    layer = AvgPool((1, 2))
    y, _ = layer.forward(x, np.array([4, 2]), training=True)
    assert y[:, 0, :, 0].tolist() == [[2, 6], [3, 0]]
    dx = layer.backward(np.array([[2.0, 4], [8, 99]]).reshape(2, 1, 2, 1))
    assert dx[:, 0, :, 0].tolist() == [[1, 1, 2, 2], [4, 4, 0, 0]]


def test_large_windows_may_cover_the_image():
    x = np.random.default_rng(0).normal(size=(1, 48, 100, 2)).astype(np.float32)
    y, _ = AvgPool((48, 100)).forward(x, np.array([100]))
    np.testing.assert_allclose(y[0, 0, 0], x.mean(axis=(0, 1, 2), dtype=float), atol=1e-6)


def test_sizes():
    assert AvgPool(2, padding=1).plan((7, 9, 2)) == ((4, 5, 2), {})
    assert AvgPool((3, 2), 1).plan((7, None, 2)) == ((5, None, 2), {})
    assert AvgPool(2, 2, 1).output_lengths(np.array([0, 1, 2])).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AvgPool((0, 1)), r"size of a window .* not \(0, 1\)"),
        (lambda: AvgPool(2, 0), "stride of windows .* not 0"),
        (lambda: AvgPool(3, 1, 2), r"half .* not \(2, 2\) of \(3, 3\)"),
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
        AvgPool((3, 5)).plan(shape)
