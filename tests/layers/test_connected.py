"""Connected layers: frames and images, many of them, first weights, what is refused."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.layers import Columns, Connected, Stacked


def test_a_frame_is_a_vector():
    layer = build(Connected(3, "tanh"), (None, 2))
    x = sequences(2, (4, 1))
    y, lengths = layer.forward(x, np.array([4, 1]))
    weights = layer.parameters()
    np.testing.assert_allclose(y[3, 0], np.tanh(weights["W"] @ x[3, 0] + weights["b"]), rtol=1e-12)
    assert lengths.tolist() == [4, 1] and not y[1:, 1].any()


def test_an_image_is_a_vector_row_by_row():
    layer = build(Connected(2, bias=False), (3, 4, 2))
    assert layer.plan((3, 4, 2)) == ((1, 2), {"W": (2, 24)})
    x = images(3, 2, (4, 4))
    y, lengths = layer.forward(x, np.array([4, 4]))
    assert y.shape == (1, 2, 2) and lengths.tolist() == [1, 1]
    for i in range(2):
        pixels = [value for row in x[i] for pixel in row for value in pixel]
        np.testing.assert_allclose(y[0, i], layer.parameters()["W"] @ pixels, rtol=1e-12)


def test_a_narrow_image_counts_as_one_with_paper_at_its_right():
    layer = build(Connected(2), (3, 5, 1))
    wide = images(3, 1, (5, 2))
    y, _ = layer.forward(wide, np.array([5, 2]), training=True)
    dx = layer.backward(np.ones_like(y))
    narrow = np.ascontiguousarray(wide[1:, :, :2])
    alone, _ = layer.forward(narrow, np.array([2]), training=True)
    np.testing.assert_allclose(alone[:, 0], y[:, 1], rtol=1e-12)
    np.testing.assert_allclose(layer.backward(np.ones_like(alone)), dx[1:, :, :2], rtol=1e-12)
    assert not dx[1, :, 2:].any()
    # Columns beyond the planned width can only be padding of the batch.
    padded = np.concatenate([wide, np.ones((2, 3, 2, 1))], axis=2)
    again, _ = layer.forward(padded, np.array([5, 2]), training=True)
    np.testing.assert_array_equal(again, y)
    assert layer.backward(np.ones_like(y)).shape == padded.shape


def test_an_image_without_columns_gives_no_frame():
    layer = build(Connected(2, "logistic"), (3, 5, 1))
    y, lengths = layer.forward(images(3, 1, (5, 0)), np.array([5, 0]), training=True)
    assert lengths.tolist() == [1, 0] and y[0, 0].all() and not y[0, 1].any()
    assert not layer.backward(np.ones_like(y))[1].any()


def test_lengths_are_known_before_the_weights_are():
    layer = Connected(2)
    layer.plan((3, 5, 1))
    assert layer.output_lengths(np.array([5, 2, 0])).tolist() == [1, 1, 0]
    layer.plan((None, 3))
    assert layer.output_lengths(np.array([5, 2, 0])).tolist() == [5, 2, 0]
    layer.build((3, 5, 1), None)
    layer.plan((None, 3))  # of another network: what is built stays
    assert layer.output_lengths(np.array([5, 2, 0])).tolist() == [1, 1, 0]


def test_every_digit_is_the_same_with_any_number_of_threads():
    x = np.random.default_rng(0).normal(size=(700, 5, 33)).astype(np.float32)
    lengths, results = np.array([700, 699, 1, 0, 350]), []
    for count in (1, 2, 5):
        set_thread_count(count)
        layer = Connected(17, "swish")
        layer.build((None, 33), np.random.default_rng(1))
        y, _ = layer.forward(x, lengths, training=True)
        dx = layer.backward(np.cos(y))
        results.append([y, dx, *layer.gradients().values()])
    set_thread_count(None)
    for other in results[1:]:
        for one, two in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
    weights = layer.parameters()
    wanted = x[:, 4] @ weights["W"].T + weights["b"]
    wanted /= 1 + np.exp(-wanted)
    np.testing.assert_allclose(results[0][0][:350, 4], wanted[:350], rtol=1e-4, atol=1e-5)


def test_products_are_those_of_a_frame():
    assert Connected(7).products((None, 9)) == 63
    assert Connected(7).products((2, 3, 9)) == 7 * 54


def test_first_weights():
    layer = Connected(50)
    layer.build((None, 40), np.random.default_rng(0))
    assert 0.9 < np.abs(layer.parameters()["W"]).max() / np.sqrt(6 / 90) <= 1
    assert not layer.parameters()["b"].any()
    layer = Connected(50, initializer="ocropus")
    layer.build((None, 40), np.random.default_rng(0))
    for weights in layer.parameters().values():
        assert 0.08 < np.abs(weights).max() <= 0.1
    layer.build((None, 40), None)
    assert not any(weights.any() for weights in layer.parameters().values())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Connected(0), "at least 1 unit, not 0"),
        (lambda: Connected(2, "sine"), "unknown activation 'sine'"),
        (lambda: Connected(2, initializer="ones"), "unknown initializer 'ones'"),
    ],
)
def test_arguments_without_sense_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_free_width_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"not \(7, None, 1\): put Columns before it"):
        Connected(2).plan((7, None, 1))
    assert Stacked(Columns(), Connected(2)).plan((7, None, 1))[0] == (None, 2)
    with pytest.raises(ValueError, match=r"fixed sizes, not \(9, None\)"):
        Connected(2).plan((9, None))
