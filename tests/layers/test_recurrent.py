"""What all layers that read step by step promise."""

import numpy as np
import pytest
from batches import check_alone
from gradients import build, sequences

from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.layers import GRU, LSTM, RNN, ConnectedRNN
from ocrlstm.layers.initializers import INITIALIZERS

CELLS = {
    "LSTM": LSTM,
    "LSTM without peepholes": lambda n, **options: LSTM(n, peepholes=False, **options),
    "GRU": GRU,
    "GRU, reset before": lambda n, **options: GRU(n, reset_after=False, **options),
    "RNN": RNN,
    "ConnectedRNN": lambda n, **options: ConnectedRNN(n, 2, **options),
}
LENGTHS = (7, 1, 0, 9)

every_cell = pytest.mark.parametrize("make", CELLS.values(), ids=CELLS)


@every_cell
@pytest.mark.parametrize("sequences_", [True, False])
def test_plan_tells_what_build_and_forward_do(make, sequences_):
    layer = make(3, sequences=sequences_)
    for frames in (None, 9):
        planned, weights = layer.plan((frames, 2))
        assert layer.parameters() == {} or frames == 9
        assert planned == (frames if sequences_ else 1, layer.features)
        assert layer.build((frames, 2), np.random.default_rng(0)) == planned
        assert {name: w.shape for name, w in layer.parameters().items()} == weights
        assert {name: g.shape for name, g in layer.gradients().items()} == weights
        assert layer.products((frames, 2)) == sum(
            w.size for w in layer.parameters().values() if w.ndim == 2
        )
    y, lengths = layer.forward(sequences(2, LENGTHS).astype(np.float32), np.array(LENGTHS))
    assert y.dtype == np.float32 and y.shape == (9 if sequences_ else 1, 4, layer.features)
    np.testing.assert_array_equal(lengths, layer.output_lengths(np.array(LENGTHS)))
    assert lengths.tolist() == ([7, 1, 0, 9] if sequences_ else [1, 1, 0, 1])


@every_cell
@pytest.mark.parametrize("sequences_", [True, False])
def test_alone_as_in_a_batch(make, sequences_):
    layer = build(make(7, sequences=sequences_), (None, 2))
    # Alone, an item without frames still gives the one frame, which is not valid then.
    lengths = LENGTHS if sequences_ else (7, 1, 9)
    check_alone(layer, sequences(2, lengths), lengths, training=True)


@every_cell
def test_without_sequences_only_the_last_state_comes_out(make):
    whole, last = build(make(7), (None, 2)), build(make(7, sequences=False), (None, 2))
    x, lengths = sequences(2, LENGTHS), np.array(LENGTHS)
    y, _ = whole.forward(x, lengths, training=True)
    only, _ = last.forward(x, lengths, training=True)
    for i, length in enumerate(LENGTHS):
        np.testing.assert_array_equal(only[0, i], y[length - 1, i] if length else 0)
    # And the gradient is that of the whole with zeros at all other frames.
    d_only = np.random.default_rng(1).normal(size=only.shape)
    dy = np.zeros_like(y)
    for i, length in enumerate(LENGTHS):
        dy[max(length - 1, 0), i] = d_only[0, i]
    np.testing.assert_array_equal(last.backward(d_only), whole.backward(dy))
    for name, gradient in whole.gradients().items():
        np.testing.assert_array_equal(last.gradients()[name], gradient)


@every_cell
def test_many_lines_as_few_on_any_number_of_threads(make):
    """Above 64 lines, threads share them; sums over lines have the same order on any number."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 6, 150)
    x, layer = sequences(3, tuple(lengths)), build(make(7), (None, 3))
    results = []
    for count in (1, 3):
        set_thread_count(count)
        y, _ = layer.forward(x, lengths, training=True)
        dx = layer.backward(np.cos(y))
        results.append([y, dx, *(g.copy() for g in layer.gradients().values())])
    set_thread_count(None)
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)
    sums = {name: np.zeros_like(g) for name, g in layer.gradients().items()}
    for low in range(0, 150, 25):
        part = np.ascontiguousarray(x[:, low : low + 25])
        y, _ = layer.forward(part, lengths[low : low + 25], training=True)
        np.testing.assert_allclose(results[0][0][:, low : low + 25], y, rtol=1e-12, atol=1e-14)
        dx = layer.backward(np.cos(y))
        np.testing.assert_allclose(results[0][1][:, low : low + 25], dx, rtol=1e-12, atol=1e-14)
        for name, gradient in layer.gradients().items():
            sums[name] += gradient
    for total, expected in zip(results[0][2:], sums.values(), strict=True):
        np.testing.assert_allclose(total, expected, rtol=1e-10, atol=1e-12)


@every_cell
@pytest.mark.parametrize("sequences_", [True, False])
def test_no_lines_and_no_frames(make, sequences_):
    layer = build(make(3, sequences=sequences_), (None, 2))
    for frames, items in ((4, 0), (0, 2), (0, 0), (4, 2)):
        x, lengths = np.zeros((frames, items, 2)), np.zeros(items, np.int64)
        y, out_lengths = layer.forward(x, lengths, training=True)
        assert y.shape == (frames if sequences_ else 1, items, layer.features)
        assert not y.any() and not out_lengths.any()
        dx = layer.backward(np.ones_like(y))
        assert dx.shape == x.shape and not dx.any()
        assert not any(g.any() for g in layer.gradients().values())


@every_cell
def test_the_input_s_gradient_is_left_out_where_nobody_wants_it(make):
    layer, gradients = build(make(3), (None, 2)), []
    for wanted in (True, False):
        layer.input_gradient = wanted
        y, _ = layer.forward(sequences(2, LENGTHS), np.array(LENGTHS), training=True)
        layer.backward(np.ones_like(y))
        gradients.append({name: g.copy() for name, g in layer.gradients().items()})
    for name, gradient in gradients[0].items():
        assert gradient.any()
        np.testing.assert_array_equal(gradients[1][name], gradient)


@every_cell
def test_backward_needs_a_training_forward(make):
    layer = build(make(3), (None, 2))
    x, lengths = sequences(2, LENGTHS), np.array(LENGTHS)
    y, _ = layer.forward(x, lengths)
    with pytest.raises(RuntimeError, match=r"forward\(training=True\)"):
        layer.backward(y)
    layer.forward(x, lengths, training=True)
    layer.forward(x[:2], np.minimum(lengths, 2))  # for recognition; it leaves no trace
    assert layer.backward(y).shape == x.shape
    with pytest.raises(RuntimeError, match=r"forward\(training=True\)"):
        layer.backward(y)


@every_cell
@pytest.mark.parametrize("initializer", [None, *INITIALIZERS])
def test_first_weights(make, initializer):
    layer = make(40, initializer=initializer)
    layer.build((None, 30), np.random.default_rng(0), np.float64)
    matrices = [w for w in layer.parameters().values() if w.ndim == 2]
    assert all(len(np.unique(w)) > w.size / 2 for w in matrices)  # each drawn on its own
    assert len({w.tobytes() for w in matrices}) == len(matrices)
    largest = max(np.abs(w[:, 1:]).max() for w in matrices)
    if initializer == "ocropus":
        assert 0.099 < largest <= 0.1
    else:
        assert largest > 0.2
    for name, weights in layer.parameters().items():
        bias = weights if weights.ndim == 1 else weights[:, 0] if "." not in name else None
        if bias is None:
            continue
        expected = 1.0 if name == "WGF" else 0.0
        if initializer == "ocropus":
            assert len(np.unique(bias)) > 1 and np.abs(bias - expected).max() <= 0.1
        else:
            assert (bias == expected).all()


@every_cell
def test_what_makes_no_sense_is_refused(make):
    with pytest.raises(ValueError, match="at least 1 state, not 0"):
        make(0)
    with pytest.raises(ValueError, match="'glorot'.*xavier"):
        make(3, initializer="glorot")
    with pytest.raises(ValueError, match=r"sequences .*, not \(7, None, 1\)"):
        make(3).plan((7, None, 1))
    with pytest.raises(ValueError, match=r"sequences .*, not \(None, None\)"):
        make(3).plan((None, None))


@pytest.mark.parametrize(
    "text",
    [
        "LSTM(7)",
        "LSTM(7, peepholes=False)",
        "LSTM(7, peephole_at_start=False, forget_bias=0.0, sequences=False, initializer='he')",
        "GRU(7)",
        "GRU(7, reset_after=False, sequences=False, initializer='ocropus')",
        "RNN(7)",
        "RNN(7, activation='relu', sequences=False)",
        "ConnectedRNN(7, 9)",
        "ConnectedRNN(7, 9, activation='elu', initializer='xavier')",
    ],
)
def test_repr_builds_the_layer_again(text):
    names = {"LSTM": LSTM, "GRU": GRU, "RNN": RNN, "ConnectedRNN": ConnectedRNN}
    assert repr(eval(text, names)) == text


@pytest.mark.parametrize("kind", [LSTM, GRU, RNN])
def test_a_gradient_of_any_strides(kind):
    layer = kind(17)
    layer.build((None, 3), np.random.default_rng(0))
    x = np.random.default_rng(1).random((5, 2, 3), np.float32)
    wide = np.random.default_rng(2).random((5, 2, 34), np.float32)
    found = []
    for dy in (wide[..., ::2], wide[..., ::2].copy()):
        layer.forward(x, np.array([5, 3]), training=True)
        found.append([layer.backward(dy), *(g.copy() for g in layer.gradients().values())])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
