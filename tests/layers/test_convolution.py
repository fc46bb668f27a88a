"""Convolutions: sizes, first weights, what is refused."""

import numpy as np
import pytest
from gradients import build, images

from ocrlstm.layers import Convolution
from ocrlstm.layers.nonlinearity import ACTIVATIONS, activate


@pytest.mark.parametrize(
    ("layer", "shape", "output"),
    [
        (Convolution(2, 3), (7, None, 1), (7, None, 2)),
        (Convolution(2, (2, 4)), (7, 9, 1), (6, 8, 2)),
        (Convolution(2, 3, dilation=2), (7, 9, 1), (7, 9, 2)),
        (Convolution(2, (2, 4), dilation=(3, 1)), (7, 9, 1), (6, 8, 2)),
        (Convolution(2, 3, 2, padding=0), (7, 9, 1), (3, 4, 2)),
        (Convolution(2, 3, padding=(0, 5)), (7, 9, 1), (5, 17, 2)),
    ],
    ids=str,
)
def test_sizes(layer, shape, output):
    assert layer.plan(shape)[0] == output


def test_multiply_adds_of_a_column_are_those_of_its_rows():
    layer = Convolution(7, (3, 5), (2, 1), dilation=(1, 2), bias=False)
    assert layer.products((9, None, 2)) == 5 * 7 * 3 * 5 * 2


def test_padding_is_half_of_what_the_kernel_spans_by_default():
    assert Convolution(1, (3, 4)).padding == (1, 1)
    assert Convolution(1, (3, 4), dilation=(3, 2)).padding == (3, 3)
    assert Convolution(1, 3, padding=(0, 7)).padding == (0, 7)


def test_an_image_too_narrow_for_the_kernel_gives_no_column():
    layer = build(Convolution(2, 3, padding=0, dilation=2), (9, None, 1))
    y, lengths = layer.forward(images(9, 1, (7, 4, 5)), np.array([7, 4, 5]))
    assert lengths.tolist() == [3, 0, 1]
    assert y.shape == (3, 5, 3, 2) and not y[1].any()


def test_a_batch_without_columns_gives_none_whatever_the_strides():
    layer = build(Convolution(2, 1, (1, 3)), (9, None, 1))
    for lengths in ([0], [0, 0], []):
        x = images(9, 1, lengths) if lengths else np.zeros((0, 9, 0, 1))
        y, out = layer.forward(x, np.array(lengths, np.int64), training=True)
        assert y.shape == (len(lengths), 9, 0, 2)
        assert out.tolist() == lengths
        assert layer.backward(y).shape == x.shape


def test_padding_makes_no_column_out_of_none():
    layer = Convolution(2, 1, padding=3)
    assert layer.output_lengths(np.array([0, 1])).tolist() == [0, 7]


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_activation_is_that_of_the_sums(activation):
    x, widths = images(7, 2, (9, 2)), np.array([9, 2])
    linear = build(Convolution(3, 3), (7, None, 2))
    layer = build(Convolution(3, 3, 1, activation), (7, None, 2))
    z, _ = linear.forward(x, widths)
    y, _ = layer.forward(x, widths)
    wanted = activate(activation, z)
    np.testing.assert_allclose(y[0], wanted[0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(y[1, :, :2], wanted[1, :, :2], rtol=1e-12, atol=1e-12)
    assert not y[1, :, 2:].any()


def test_images_of_other_channels_are_refused():
    layer = build(Convolution(2, 3), (7, None, 3))
    with pytest.raises(ValueError, match=r"3 channels are needed, not \(2, 7, 9, 2\)"):
        layer.forward(images(7, 2, (9, 2)), np.array([9, 2]))


def test_without_bias_paper_stays_zero():
    layer = build(Convolution(2, 3, bias=False), (7, None, 1))
    assert set(layer.parameters()) == set(layer.gradients()) == {"W"}
    y, _ = layer.forward(np.zeros((1, 7, 9, 1)), np.array([9]))
    assert not y.any()


def test_first_weights_are_those_of_he_in_the_order_of_the_array():
    layer = Convolution(7, (3, 5))
    layer.build((9, None, 2), np.random.default_rng(0), np.float64)
    wanted = np.random.default_rng(0).normal(0, np.sqrt(2 / 30), (3, 5, 2, 7))
    np.testing.assert_array_equal(layer.parameters()["W"], wanted)
    assert not layer.parameters()["b"].any()


def test_first_weights_by_other_names():
    def weights(initializer, filters):
        layer = Convolution(filters, 3, initializer=initializer)
        layer.build((9, None, 2), np.random.default_rng(0), np.float64)
        assert not layer.parameters()["b"].any()
        return layer.parameters()["W"].reshape(18, filters)

    for filters in (7, 18):  # every filter of norm 1 and orthogonal to the others
        matrix = weights("orthogonal", filters)
        np.testing.assert_allclose(matrix.T @ matrix, np.eye(filters), atol=1e-12)
    bound = np.sqrt(6 / (18 + 7))
    assert 0.9 * bound < np.abs(weights("xavier", 7)).max() <= bound
    assert 0.09 < np.abs(weights("ocropus", 7)).max() <= 0.1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Convolution(0, 3), "at least 1 filter, not 0"),
        (lambda: Convolution(1, 0), "kernel of a convolution .* not 0"),
        (lambda: Convolution(1, (3, 3, 3)), r"kernel .* not \(3, 3, 3\)"),
        (lambda: Convolution(1, 3, (1, 0)), r"stride .* not \(1, 0\)"),
        (lambda: Convolution(1, 3, 1.5), "stride .* not 1.5"),
        (lambda: Convolution(1, 3, padding=-1), "padding .* 0 or more.* not -1"),
        (lambda: Convolution(1, 3, dilation=0), "dilation .* not 0"),
        (lambda: Convolution(1, 3, activation="sine"), "'sine'.*relu"),
        (lambda: Convolution(1, 3, initializer="zero"), "'zero'.*xavier"),
    ],
)
def test_arguments_without_sense_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("layer", "shape", "message"),
    [
        (Convolution(1, (3, 1), padding=0), (2, None, 1), "3 high does not fit height 2"),
        (Convolution(1, 3, padding=0, dilation=(1, 4)), (3, 8, 1), "9 wide does not fit width 8"),
        (Convolution(1, 3), (9, 9, None), "takes images"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(layer, shape, message):
    with pytest.raises(ValueError, match=message):
        layer.plan(shape)
