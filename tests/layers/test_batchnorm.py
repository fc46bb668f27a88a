"""Batch normalisation: its statistics."""

import numpy as np
import pytest
from batches import check_alone, item_of
from gradients import build, images, sequences

from ocrlstm.layers import BatchNorm


def valid_rows(x, lengths):
    """All valid pixels or frames, (positions, channels)."""
    items = [item_of(x, i, n).reshape(-1, x.shape[-1]) for i, n in enumerate(lengths)]
    return np.concatenate(items)


@pytest.mark.parametrize("x", [images(3, 2, (9, 1, 7)), sequences(2, (9, 1, 7))])
def test_valid_values_get_mean_0_and_variance_1(x):
    lengths = np.array([9, 1, 7])
    layer = BatchNorm(epsilon=1e-12)
    layer.build((3, None, 2) if x.ndim == 4 else (None, 2), np.random.default_rng(0), np.float64)
    beyond = (x == 0).all(axis=-1)
    x = 100 + 7 * x
    x[beyond] = 1e6  # must count as nothing
    y, out_lengths = layer.forward(x, lengths, training=True)
    rows = valid_rows(y, lengths)
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(rows.var(axis=0), 1, rtol=1e-9)
    assert not y[beyond].any()
    np.testing.assert_array_equal(out_lengths, lengths)


def test_first_statistics_are_0_and_1_and_recognising_leaves_them():
    layer = BatchNorm()
    layer.build((None, 3), np.random.default_rng(0))
    x = sequences(3, (4, 2)).astype(np.float32)
    y, _ = layer.forward(x, np.array([4, 2]))
    np.testing.assert_array_equal(layer.buffers()["mean"], [0, 0, 0])
    np.testing.assert_array_equal(layer.buffers()["variance"], [1, 1, 1])
    np.testing.assert_allclose(y, x / np.sqrt(1 + 1e-5), rtol=1e-6)
    assert y.dtype == layer.buffers()["variance"].dtype == np.float32


def test_running_statistics_move_by_their_momentum():
    layer = build(BatchNorm(momentum=0.25), (2, None, 1))
    x, lengths = images(2, 1, (5, 2)), np.array([5, 2])
    layer.forward(x, lengths, training=True)
    rows = valid_rows(x, lengths)
    np.testing.assert_allclose(layer.buffers()["mean"], 0.25 * rows.mean(), rtol=1e-12)
    np.testing.assert_allclose(
        layer.buffers()["variance"], 0.75 + 0.25 * rows.var(ddof=1), rtol=1e-12
    )
    for _ in range(200):
        layer.forward(x, lengths, training=True)
    np.testing.assert_allclose(layer.buffers()["mean"], rows.mean(), rtol=1e-12)
    np.testing.assert_allclose(layer.buffers()["variance"], rows.var(ddof=1), rtol=1e-12)


@pytest.mark.parametrize("x", [images(3, 2, (9, 1, 0, 7)), sequences(2, (9, 1, 0, 7))])
def test_recognising_does_not_look_at_neighbours(x):
    layer = build(BatchNorm(), (3, None, 2) if x.ndim == 4 else (None, 2))
    layer.forward(3 * x + 1, np.array([9, 1, 0, 7]), training=True)
    before = {name: values.copy() for name, values in layer.buffers().items()}
    check_alone(layer, x, (9, 1, 0, 7))
    for name, values in before.items():
        np.testing.assert_array_equal(layer.buffers()[name], values)


@pytest.mark.parametrize("lengths", [(0, 0), (1, 0), ()])
def test_batches_of_no_or_one_position_give_no_nan_and_teach_nothing(lengths):
    layer = build(BatchNorm(), (None, 2))
    x = np.full((1, len(lengths), 2), 5.0)
    y, _ = layer.forward(x, np.array(lengths, np.int64), training=True)
    dx = layer.backward(np.ones_like(y))
    assert not dx.any() and dx.shape == x.shape
    beta = layer.parameters()["beta"]
    np.testing.assert_array_equal(y.sum(axis=(0, 1)), beta * sum(lengths))
    np.testing.assert_array_equal(layer.gradients()["beta"], sum(lengths))
    assert not layer.gradients()["gamma"].any()
    np.testing.assert_array_equal(layer.buffers()["mean"], 0)
    np.testing.assert_array_equal(layer.buffers()["variance"], 1)


def test_a_constant_channel_gives_beta():
    layer = build(BatchNorm(), (2, None, 1))
    y, _ = layer.forward(np.full((2, 2, 4, 1), 0.1), np.array([4, 4]), training=True)
    np.testing.assert_allclose(y, layer.parameters()["beta"][0], rtol=1e-9)
    assert np.isfinite(layer.backward(np.ones_like(y))).all()


def test_float32_keeps_its_digits_beside_a_large_mean():
    x = (1000 + images(16, 2, (400, 300))).astype(np.float32)
    lengths = np.array([400, 300])
    results = []
    for kind in (np.float32, np.float64):
        layer = BatchNorm()
        layer.build((16, None, 2), np.random.default_rng(0), kind)
        y, _ = layer.forward(x.astype(kind), lengths, training=True)
        dx = layer.backward(np.cos(1e-3 * np.arange(y.size)).reshape(y.shape).astype(kind))
        results.append((y, dx, layer.gradients()["gamma"], layer.gradients()["beta"]))
    for single, double in zip(*results, strict=True):
        np.testing.assert_allclose(single, double, rtol=1e-4, atol=1e-4)


def test_backward_needs_a_training_forward():
    layer = build(BatchNorm(), (None, 2))
    y, _ = layer.forward(sequences(2, (3,)), np.array([3]))
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)


@pytest.mark.parametrize(
    "arguments",
    [{"momentum": 0.0}, {"momentum": 1.5}, {"epsilon": 0.0}, {"epsilon": float("nan")}],
)
def test_arguments_without_sense_are_refused(arguments):
    with pytest.raises(ValueError, match="not"):
        BatchNorm(**arguments)


@pytest.mark.parametrize("shape", [(None, 8, 3), (8, None, None), (None, None)])
def test_shapes_that_are_not_known_are_refused(shape):
    with pytest.raises(ValueError, match="fixed height and depth"):
        BatchNorm().plan(shape)


def test_repr_builds_it_again():
    assert repr(BatchNorm()) == "BatchNorm()"
    assert repr(BatchNorm(0.5, 0.01)) == "BatchNorm(momentum=0.5, epsilon=0.01)"
