"""What layers promise besides gradients: shapes, padding, dropout, first weights."""

import numpy as np
import pytest
from gradients import build, images, sequences

from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.layers import (
    LSTM,
    Columns,
    Convolution,
    Dropout,
    MaxPool,
    Parallel,
    Reversed,
    Softmax,
    Stacked,
    bidirectional,
)

LAYERS = [
    (LSTM(3), (None, 2)),
    (Reversed(LSTM(3)), (None, 2)),
    (bidirectional(3), (None, 2)),
    (Softmax(4), (None, 2)),
    (Convolution(3, 3, activation="relu"), (7, None, 2)),
    (Convolution(3, 3, activation="relu"), (7, None, 9)),
    (Convolution(3, (2, 4), (2, 3), "logistic"), (7, None, 2)),
    (MaxPool((2, 3)), (7, None, 2)),
    (Columns(), (7, None, 2)),
    (Dropout(0.5), (7, None, 2)),
    (Stacked(Convolution(3, 3, 2), MaxPool(2), Columns(), LSTM(3), Softmax(4)), (9, None, 2)),
]


def make_input(shape, lengths):
    return images(shape[0], shape[2], lengths) if len(shape) == 3 else sequences(shape[1], lengths)


def batch_axis(array):
    return 0 if array.ndim == 4 else 1


@pytest.mark.parametrize(("layer", "shape"), LAYERS, ids=lambda value: str(value).replace(" ", ""))
class TestEveryLayer:
    lengths = (16, 5, 9)

    def test_plan_tells_what_build_and_forward_do(self, layer, shape):
        planned, weights = layer.plan(shape)
        assert layer.build(shape, np.random.default_rng(0)) == planned
        assert {name: w.shape for name, w in layer.parameters().items()} == weights
        assert {name: w.shape for name, w in layer.gradients().items()} == weights
        assert all(w.dtype == np.float32 for w in layer.parameters().values())
        x = make_input(shape, self.lengths).astype(np.float32)
        y, lengths = layer.forward(x, np.array(self.lengths))
        assert y.dtype == np.float32 and y.flags.c_contiguous
        sizes = (y.shape[1], None, y.shape[3]) if y.ndim == 4 else (None, y.shape[2])
        assert sizes == planned
        np.testing.assert_array_equal(lengths, layer.output_lengths(np.array(self.lengths)))
        assert y.shape[2 if y.ndim == 4 else 0] == lengths.max()

    def test_alone_as_in_a_batch(self, layer, shape):
        build(layer, shape)
        x = make_input(shape, self.lengths)
        y, out_lengths = layer.forward(x, np.array(self.lengths))
        for i, (length, out_length) in enumerate(zip(self.lengths, out_lengths, strict=True)):
            one = x[i : i + 1, :, :length] if x.ndim == 4 else x[:length, i : i + 1]
            alone, _ = layer.forward(np.ascontiguousarray(one), np.array([length]))
            item = np.take(y, [i], batch_axis(y))
            inside = item[:, :, :out_length] if y.ndim == 4 else item[:out_length]
            beyond = item[:, :, out_length:] if y.ndim == 4 else item[out_length:]
            np.testing.assert_allclose(inside, alone, rtol=1e-10, atol=1e-12)
            assert not beyond.any()

    def test_any_number_of_threads(self, layer, shape):
        build(layer, shape)
        x, lengths = make_input(shape, self.lengths), np.array(self.lengths)
        results = []
        for count in (1, 3):
            set_thread_count(count)
            for part in [layer, *getattr(layer, "layers", [])]:
                if isinstance(part, Dropout):
                    part.rng = np.random.default_rng(0)
            y, _ = layer.forward(x, lengths, training=True)
            dx = layer.backward(np.cos(y))
            results.append([y, dx, *(g.copy() for g in layer.gradients().values())])
        set_thread_count(None)
        for one, other in zip(*results, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)

    def test_no_lines_and_no_frames(self, layer, shape):
        build(layer, shape)
        few = (
            make_input(shape, (16, 16))[:0] if len(shape) == 3 else sequences(shape[1], (4,))[:, :0]
        )
        y, lengths = layer.forward(few, np.zeros(0, np.int64), training=True)
        assert y.shape[batch_axis(y)] == 0 and lengths.shape == (0,)
        assert layer.backward(y).shape == few.shape
        assert not any(g.any() for g in layer.gradients().values())
        x = make_input(shape, (1, 1))
        x[:] = 0
        y, lengths = layer.forward(x, np.zeros(2, np.int64), training=True)
        assert not y.any() and not lengths.any()
        assert not layer.backward(np.ones_like(y)).any() or isinstance(layer, Dropout | Columns)
        assert not any(g.any() for g in layer.gradients().values())


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (LSTM(3), (7, None, 1)),
        (Softmax(3), (7, None, 1)),
        (Convolution(3, 3), (None, 7)),
        (MaxPool(2), (None, 7)),
        (MaxPool(2), (1, None, 3)),
        (Convolution(3, (8, 1)), (1, None, 1)),
        (Columns(), (None, 7)),
        (Parallel(LSTM(3), Columns()), (7, None, 1)),
        (Parallel(Convolution(3, 3), Convolution(3, 3, 2)), (7, None, 1)),
    ],
    ids=str,
)
def test_inputs_that_do_not_fit_are_refused_before_anything_is_made(layer, shape):
    with pytest.raises(ValueError):
        layer.plan(shape)
    with pytest.raises(ValueError):
        layer.build(shape, np.random.default_rng(0))
    assert layer.parameters() == {}


@pytest.mark.parametrize(
    "make",
    [
        lambda: LSTM(0),
        lambda: Softmax(0),
        lambda: Convolution(0, 3),
        lambda: Convolution(3, 0),
        lambda: Convolution(3, 3, 0),
        lambda: Convolution(3, 3, activation="sine"),
        lambda: MaxPool(0),
        lambda: MaxPool(17),
        lambda: Dropout(1.0),
        lambda: Dropout(-0.1),
        lambda: Dropout(float("nan")),
        lambda: Parallel(),
    ],
)
def test_sizes_without_sense_are_refused(make):
    with pytest.raises(ValueError):
        make()


def test_softmax_gives_logarithms_of_posteriors():
    layer = build(Softmax(7), (None, 3))
    plain = build(Softmax(7, log=False), (None, 3))
    x = sequences(3, (9, 2))
    y, _ = layer.forward(x, np.array([9, 2]))
    posteriors, _ = plain.forward(x, np.array([9, 2]))
    np.testing.assert_allclose(np.exp(y[:, 0]).sum(axis=-1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.exp(y[:2]), posteriors[:2], rtol=1e-12)
    assert not y[2:, 1].any() and not posteriors[2:, 1].any()


def test_softmax_of_large_scores_is_finite():
    layer = Softmax(3)
    layer.build((None, 1), None)
    layer.parameters()["W2"][:] = [[0, 1e30], [0, -1e30], [0, 0]]
    y, _ = layer.forward(np.ones((1, 1, 1), np.float32), np.array([1]))
    np.testing.assert_array_equal(y[0, 0], np.array([0, -2e30, -1e30], np.float32))


def test_dropout_keeps_the_mean_and_drops_its_share():
    x = np.ones((100, 20, 50), np.float32)
    layer = Dropout(0.3)
    y, _ = layer.forward(x, np.full(20, 100), training=True)
    dropped = (y == 0).mean()
    assert dropped == pytest.approx(0.3, abs=0.01)
    # Of 65536 steps 45875 are kept, the whole number next to 0.7.
    np.testing.assert_allclose(np.unique(y), [0, 65536 / 45875], rtol=1e-6)
    same, _ = layer.forward(x, np.full(20, 100))
    np.testing.assert_array_equal(same, x)


def test_dropout_of_channels_drops_them_whole():
    layer = Dropout(0.5, channels=True)
    y, _ = layer.forward(np.ones((7, 9, 40), np.float32), np.full(9, 7), training=True)
    assert (y == y[:1]).all() and 0 < (y[0] == 0).mean() < 1
    y, _ = layer.forward(np.ones((4, 3, 7, 40), np.float32), np.full(4, 7), training=True)
    assert (y == y[:, :1, :1]).all() and 0 < (y[:, 0, 0] == 0).mean() < 1


def test_dropout_masks_come_from_its_generator_alone():
    layer = Dropout(0.5)
    x, lengths = np.ones((9, 2, 7)), np.array([9, 9])
    masks = []
    for seed in (1, 2, 1):
        layer.rng = np.random.default_rng(seed)
        masks.append(layer.forward(x, lengths, training=True)[0])
    np.testing.assert_array_equal(masks[0], masks[2])
    assert (masks[0] != masks[1]).any()


def test_reversed_reads_every_line_from_its_own_end():
    inner = LSTM(3)
    layer = build(Reversed(inner), (None, 2))
    x = sequences(2, (7, 1, 4))
    y, _ = layer.forward(x, np.array([7, 1, 4]))
    for i, length in enumerate((7, 1, 4)):
        backwards = np.ascontiguousarray(x[:length, i : i + 1][::-1])
        wanted, _ = inner.forward(backwards, np.array([length]))
        np.testing.assert_allclose(y[:length, i : i + 1], wanted[::-1], rtol=1e-12)


def test_first_weights():
    layer = LSTM(20)
    layer.build((None, 9), np.random.default_rng(0), np.float64)
    weights = layer.parameters()
    assert (weights["WGF"][:, 0] == 1).all()  # forget gates open
    assert not any(weights[name][:, 0].any() for name in ("WGI", "WGO", "WCI"))
    assert not any(weights[name].any() for name in ("WIP", "WFP", "WOP"))
    for name in ("WGI", "WGF", "WGO", "WCI"):
        recurrent = weights[name][:, 10:]
        np.testing.assert_allclose(recurrent @ recurrent.T, np.eye(20), atol=1e-12)
        assert np.abs(weights[name][:, 1:10]).max() <= np.sqrt(6 / 29)
    again = LSTM(20)
    again.build((None, 9), np.random.default_rng(0), np.float64)
    for name, array in weights.items():
        np.testing.assert_array_equal(again.parameters()[name], array)
    empty = LSTM(20)
    empty.build((None, 9), None)
    assert not any(array.any() for array in empty.parameters().values())


def test_recognising_keeps_nothing_from_training():
    """A forward for recognition between forward and backward does not disturb them."""
    layer = build(Stacked(Convolution(2, 3), MaxPool(2), Columns(), bidirectional(3)), (4, None, 1))
    x, lengths = images(4, 1, (9, 7)), np.array([9, 7])
    gradients = []
    for disturbed in (False, True):
        y, _ = layer.forward(x, lengths, training=True)
        if disturbed:
            layer.forward(images(4, 1, (5,)), np.array([5]))
        layer.backward(np.ones_like(y))
        gradients.append({name: g.copy() for name, g in layer.gradients().items()})
    for name, gradient in gradients[0].items():
        np.testing.assert_array_equal(gradients[1][name], gradient)
