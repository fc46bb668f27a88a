"""What layers of images promise besides gradients, for every case of the table."""

import numpy as np
import pytest
from cases import convolutions, pooling, resampling

from ocrlstm import layers
from ocrlstm.kernels.threads import set_thread_count

CASES = [*convolutions.CASES, *pooling.CASES, *resampling.CASES]


@pytest.fixture(params=CASES, ids=str)
def case(request):
    return request.param


def trained(layer, x, lengths):
    """Output, lengths, and all gradients for a gradient that is not zero beyond the lengths."""
    y, out_lengths = layer.forward(x, lengths, training=True)
    dx = layer.backward(np.cos(np.arange(y.size)).reshape(y.shape).astype(y.dtype))
    return [y, out_lengths, dx, *(gradient.copy() for gradient in layer.gradients().values())]


def test_plan_tells_what_build_and_forward_do(case):
    layer = case.make()
    planned, weights = layer.plan(case.shape)
    assert layer.parameters() == {}
    assert layer.build(case.shape, np.random.default_rng(0)) == planned
    for arrays in (layer.parameters(), layer.gradients()):
        assert {name: array.shape for name, array in arrays.items()} == weights
        assert all(array.dtype == np.float32 for array in arrays.values())
    y, lengths = layer.forward(case.x().astype(np.float32), np.array(case.lengths))
    assert y.dtype == np.float32 and y.flags.c_contiguous
    assert (y.shape[1], y.shape[3]) == (planned[0], planned[2])
    assert y.shape[2] == lengths.max() and lengths.dtype == np.int64
    if planned[1] is None:
        np.testing.assert_array_equal(lengths, layer.output_lengths(np.array(case.lengths)))
    else:
        assert layer.output_lengths(np.array([case.shape[1]])) == [planned[1]]


def test_shows_itself_so_that_it_can_be_made_again(case):
    layer = case.make()
    names = {name: getattr(layers, name) for name in layers.__all__}
    again = eval(repr(layer), names)
    assert repr(again) == repr(layer)
    hidden = {"_parameters", "_gradients", "_buffers"}
    kept = [{k: v for k, v in vars(one).items() if k not in hidden} for one in (layer, again)]
    assert kept[0] == kept[1]


def test_an_image_alone_as_in_a_batch_with_anything_beyond_its_width(case):
    layer, x, lengths = case.built(), case.x(), np.array(case.lengths)
    clean = trained(layer, x, lengths)
    for i, length in enumerate(lengths):
        x[i, :, length:] = 1e6
    for one, other in zip(trained(layer, x, lengths), clean, strict=True):
        np.testing.assert_array_equal(one, other)
    y, out_lengths, dx = clean[:3]
    for i, (length, out_length) in enumerate(zip(lengths, out_lengths, strict=True)):
        assert not y[i, :, out_length:].any() and not dx[i, :, length:].any()
        image = np.ascontiguousarray(x[i : i + 1, :, :length])
        alone, _ = layer.forward(image, np.array([length]))
        np.testing.assert_allclose(y[i : i + 1, :, :out_length], alone, rtol=1e-12, atol=1e-12)


def test_any_number_of_threads(case):
    layer, results = case.built(), []
    for count in (1, 3):
        set_thread_count(count)
        results.append(trained(layer, case.x(), np.array(case.lengths)))
    set_thread_count(None)
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_no_images_and_images_without_columns(case):
    layer, x = case.built(), case.x()
    y, lengths, dx, *gradients = trained(layer, x[:0], np.zeros(0, np.int64))
    assert y.shape[0] == 0 and lengths.shape == (0,) and dx.shape == x[:0].shape
    assert not any(gradient.any() for gradient in gradients)
    y, lengths, dx, *gradients = trained(layer, x, np.zeros(len(x), np.int64))
    assert y.shape[2] == 0 and not lengths.any() and not dx.any() and dx.shape == x.shape
    assert not any(gradient.any() for gradient in gradients)


def test_backward_needs_a_training_forward_each_time(case):
    layer, x, lengths = case.built(), case.x(), np.array(case.lengths)
    y, _ = layer.forward(x, lengths)
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)
    wanted = trained(layer, x, lengths)
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)
    # A forward for recognition in between keeps nothing and disturbs nothing.
    layer.forward(x, lengths, training=True)
    layer.forward(x[:1] + 1, lengths[:1])
    found = layer.backward(np.cos(np.arange(y.size)).reshape(y.shape))
    np.testing.assert_array_equal(found, wanted[2])


@pytest.mark.parametrize("shape", [(None, 7), (None, None, 3)])
def test_only_images_of_known_height_are_taken(case, shape):
    layer = case.make()
    with pytest.raises(ValueError, match="takes images"):
        layer.build(shape, np.random.default_rng(0))
    assert layer.parameters() == {}
