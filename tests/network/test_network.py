"""Whole networks: shapes, gradients through CTC, independence of the batch, threads."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.losses import LOSSES
from ocrlstm.network import Network

SMALL = "[1,8,0,1 Cr3,3,3 Mp2,2 Ct3,3,2,1,2 Lbx5 Do0.3 Lfx4 O1c6]"


def pad(lines):
    """Batch (N, H, W, 1) of lines (H, w), zero beyond each, and the widths."""
    widths = np.array([line.shape[1] for line in lines], np.int64)
    x = np.zeros((len(lines), lines[0].shape[0], widths.max(), 1), lines[0].dtype)
    for i, line in enumerate(lines):
        x[i, :, : line.shape[1], 0] = line
    return x, widths


def random_lines(rng, height, widths, dtype=np.float32):
    return [rng.random((height, int(width))).astype(dtype) for width in widths]


def test_shapes_of_the_ocropus_network():
    network = Network("[1,48,0,1 Lbx100 O1c]", 97, np.random.default_rng(0))
    assert (network.height, network.classes) == (48, 97)
    shapes = {name: weights.shape for name, weights in network.parameters().items()}
    expected = {"O_1.W2": (97, 201)}
    for way in "01":
        expected |= {f"Lbx_0.{way}.{name}": (100, 149) for name in ("WGI", "WGF", "WGO", "WCI")}
        expected |= {f"Lbx_0.{way}.{name}": (100,) for name in ("WIP", "WFP", "WOP")}
    assert shapes == expected
    assert {name: g.shape for name, g in network.gradients().items()} == expected
    x, widths = pad(random_lines(np.random.default_rng(1), 48, (60, 1, 37)))
    y, lengths = network.forward(x, widths)
    assert y.shape == (60, 3, 97) and y.dtype == np.float32
    assert lengths.tolist() == [60, 1, 37]
    np.testing.assert_allclose(np.exp(y[:1]).sum(axis=-1), 1, rtol=1e-5)


def test_gradients_through_a_whole_convolutional_network_and_ctc():
    """Central differences again; see tests/layers for the layers one by one.

    The seed is such that no rectifier or maximum changes sides within a step.
    """
    network = Network(SMALL, rng=np.random.default_rng(1), dtype=np.float64)
    rng = np.random.default_rng(2)
    for name, weights in network.parameters().items():
        if name.endswith(("P", ".b")):
            weights[:] = rng.normal(0, 0.5, weights.shape)
    x, widths = pad(random_lines(rng, 8, (21, 8, 14), np.float64))
    targets = [np.array(target) for target in ([1, 1, 5], [2], [3, 4])]

    def run():
        network.set_rng(np.random.default_rng(3))
        y, lengths = network.forward(x, widths, training=True)
        losses, gradient = LOSSES["ctc"](y, lengths, targets)
        return losses.sum(), gradient

    loss, gradient = run()
    assert np.isfinite(loss)
    found = {"images": network.backward(gradient, input_gradient=True)}
    found |= {name: g.copy() for name, g in network.gradients().items()}
    run()
    network.backward(gradient)  # without the images' gradient: the same weights' gradients
    for name, g in network.gradients().items():
        np.testing.assert_array_equal(g, found[name])

    step = 1e-6
    for name, array in {"images": x, **network.parameters()}.items():
        expected = np.empty_like(array)
        for place in np.ndindex(*array.shape):
            value = array[place]
            array[place] = value + step
            above, _ = run()
            array[place] = value - step
            below, _ = run()
            array[place] = value
            expected[place] = (above - below) / (2 * step)
        error = np.abs(found[name] - expected).max() / np.abs(expected).max()
        assert error <= 1e-6, name


def some_specs():
    """Random small networks that fit a height of 12."""
    convolution = st.builds(
        "C{}{},{},{},{},{}".format,
        st.sampled_from("rstl"), st.integers(1, 3), st.integers(1, 4), st.integers(1, 3),
        st.integers(1, 2), st.integers(1, 2),
    )  # fmt: skip
    pool = st.sampled_from(["Mp2,2", "Mp1,2", "Mp2,1", "Mp2,3,1,2"])
    recurrent = st.builds("L{}x{}".format, st.sampled_from("fbr"), st.integers(1, 9))
    front = st.lists(st.one_of(convolution, pool, st.just("Do0.2,2")), max_size=2)
    back = st.lists(st.one_of(recurrent, st.just("Do0.5")), max_size=3)
    return st.builds(
        lambda front, back: " ".join(["[1,12,0,1", *front, "S1(1x0)1,3", *back, "O1c5]"]),
        front, back,
    )  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(
    spec=some_specs(),
    widths=st.lists(st.integers(1, 40), min_size=1, max_size=11),
    seed=st.integers(0, 9),
)
def test_a_line_gives_the_same_alone_and_in_any_batch(spec, widths, seed):
    rng = np.random.default_rng(seed)
    network = Network(spec, rng=rng)
    lines = random_lines(rng, 12, widths)
    x, lengths = pad(lines)
    together, frames = network.forward(x, lengths)
    np.testing.assert_array_equal(frames, network.frames(np.array(widths)))
    assert together.shape == (frames.max(), len(widths), 5)
    again, _ = network.forward(x, lengths)
    assert again.tobytes() == together.tobytes()
    for i, line in enumerate(lines):
        alone, count = network.forward(*pad([line]))
        assert count[0] == frames[i]
        np.testing.assert_allclose(together[: frames[i], i], alone[:, 0], rtol=0, atol=1e-5)
        assert not together[frames[i] :, i].any()


def test_what_lies_beyond_a_line_is_not_read():
    network = Network(SMALL, rng=np.random.default_rng(0))
    x, widths = pad(random_lines(np.random.default_rng(1), 8, (30, 11, 17)))
    y, _ = network.forward(x, widths)
    for i, width in enumerate(widths):
        x[i, :, width:] = np.nan
    dirty, _ = network.forward(x, widths)
    np.testing.assert_array_equal(dirty, y)


def test_forward_without_training_keeps_nothing():
    network = Network(SMALL, rng=np.random.default_rng(0))
    before = state_of(network)
    y, _ = network.forward(*pad(random_lines(np.random.default_rng(1), 8, (30, 11))))
    assert state_of(network) == before
    with pytest.raises(RuntimeError, match="training=True"):
        network.backward(y)


def state_of(network):
    """Every attribute of every layer, by identity."""
    found, seen = [], list(network.layers.values())
    for layer in seen:
        seen.extend(layer.children())
        found.append({name: id(value) for name, value in vars(layer).items()})
    return found


def test_several_threads_may_share_a_network():
    network = Network(SMALL, rng=np.random.default_rng(0))
    rng = np.random.default_rng(1)
    batches = [pad(random_lines(rng, 8, rng.integers(8, 60, 3))) for _ in range(6)]
    alone = [network.forward(*batch)[0] for batch in batches]
    results: dict[int, list[np.ndarray]] = {}

    def read(who):
        results[who] = [network.forward(*batches[(who + k) % 6])[0] for k in range(18)]

    threads = [threading.Thread(target=read, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    for who in range(4):
        for k, y in enumerate(results[who]):
            np.testing.assert_array_equal(y, alone[(who + k) % 6])


def test_narrow_and_no_lines():
    network = Network(SMALL, rng=np.random.default_rng(0))
    y, frames = network.forward(*pad(random_lines(np.random.default_rng(1), 8, (1, 1))))
    assert y.shape == (0, 2, 6) and frames.tolist() == [0, 0]
    y, frames = network.forward(np.zeros((0, 8, 20, 1), np.float32), np.zeros(0, np.int64))
    assert y.shape[1] == 0 and frames.shape == (0,)


@pytest.mark.parametrize(
    ("shape", "dtype", "lengths", "told"),
    [
        ((2, 9, 20, 1), np.float32, [20, 20], "expected images"),
        ((2, 8, 20), np.float32, [20, 20], "expected images"),
        ((2, 8, 20, 3), np.float32, [20, 20], "expected images"),
        ((2, 8, 20, 1), np.float64, [20, 20], "of float32, not .* of float64"),
        ((2, 8, 20, 1), np.float32, [20], "2 items, but lengths of shape"),
        ((2, 8, 20, 1), np.float32, [21, 20], "lengths 20 to 21 in items of 20 columns"),
        ((2, 8, 20, 1), np.float32, [-1, 20], "lengths -1 to 20"),
    ],
)
def test_input_that_kernels_would_read_beyond_is_refused(shape, dtype, lengths, told):
    network = Network(SMALL, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match=told):
        network.forward(np.zeros(shape, dtype), np.array(lengths))


def test_any_layout_and_any_whole_lengths():
    network = Network(SMALL, rng=np.random.default_rng(0))
    x, widths = pad(random_lines(np.random.default_rng(1), 8, (30, 11)))
    y, _ = network.forward(x, widths)
    other, _ = network.forward(np.asfortranarray(x), widths.astype(np.int32))
    np.testing.assert_array_equal(other, y)
