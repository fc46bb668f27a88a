"""Upsampling: both ways, what is refused."""

import numpy as np
import pytest

from ocrlstm.layers import Upsample


def test_up_makes_blocks_and_down_takes_their_means_back():
    x = np.arange(6.0).reshape(1, 2, 3, 1)
    y, lengths = Upsample((2, 3)).forward(x, np.array([3]))
    assert lengths == [9]
    assert y[0, :, :, 0].tolist() == [
        [0, 0, 0, 1, 1, 1, 2, 2, 2],
        [0, 0, 0, 1, 1, 1, 2, 2, 2],
        [3, 3, 3, 4, 4, 4, 5, 5, 5],
        [3, 3, 3, 4, 4, 4, 5, 5, 5],
    ]
    back, lengths = Upsample((2, 3), down=True).forward(y, lengths)
    assert lengths == [3]
    np.testing.assert_allclose(back, x, rtol=1e-15)


def test_scale_multiplies_values_and_gradients():
    x = np.arange(8.0).reshape(1, 2, 4, 1)
    for down in (False, True):
        results = []
        for layer in (Upsample(2, down), Upsample(2, down, scale=-3.0)):
            y, _ = layer.forward(x, np.array([4]), training=True)
            results.append((y, layer.backward(np.ones_like(y))))
        for plain, scaled in zip(*results, strict=True):
            np.testing.assert_allclose(scaled, -3 * plain, rtol=1e-15)


def test_down_leaves_out_what_fills_no_whole_block():
    layer = Upsample(2, down=True)
    assert layer.plan((7, 9, 2)) == ((3, 4, 2), {})
    x = np.ones((2, 7, 9, 1))
    y, lengths = layer.forward(x, np.array([9, 1]), training=True)
    assert lengths.tolist() == [4, 0] and y.shape == (2, 3, 4, 1)
    dx = layer.backward(np.ones_like(y))
    np.testing.assert_array_equal(dx[0, :6, :8], 0.25)
    assert not dx[0, 6:].any() and not dx[0, :, 8:].any() and not dx[1].any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Upsample(0), "factor of an upsampling .* not 0"),
        (lambda: Upsample((2, -1), True), r"factor of an upsampling .* not \(2, -1\)"),
        (lambda: Upsample(2, scale=float("nan")), "finite, not nan"),
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
        Upsample((3, 5), down=True).plan(shape)
