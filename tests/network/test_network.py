"""Whole networks: shapes, gradients through CTC, independence of the batch, threads."""

import copy
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.errors import SpecError
from ocrlstm.layers import (
    GRU,
    LSTM,
    Addition,
    BatchNorm,
    Bidirectional,
    Columns,
    Convolution,
    Dropout,
    Identity,
    MaxPool,
    Parallel,
    Reversed,
    Route,
    Shortcut,
    Softmax,
    Stacked,
)
from ocrlstm.losses import LOSSES
from ocrlstm.network import Network, parse_spec
from ocrlstm.network.graph import walk
from ocrlstm.network.network import array_shapes

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


def test_gradients_that_kernels_would_read_beyond_are_refused():
    network = Network("[1,0,2 Lfx3 O1c4]", rng=np.random.default_rng(0))
    with pytest.raises(RuntimeError, match="needs a forward"):
        network.backward(np.zeros((5, 2, 4), np.float32))
    y, _ = network.forward(np.ones((5, 2, 2), np.float32), np.array([5, 3]), training=True)
    for wrong in (y[:4], y[..., :3], y[:, :1], y.astype(np.float64)):
        with pytest.raises(ValueError, match=r"expected a gradient \(5, 2, 4\) of float32, not"):
            network.backward(wrong)
    network.backward(y)
    found = {name: gradient.copy() for name, gradient in network.gradients().items()}
    network.forward(np.ones((5, 2, 2), np.float32), np.array([5, 3]), training=True)
    network.backward(np.asfortranarray(y))
    for name, gradient in network.gradients().items():
        np.testing.assert_array_equal(gradient, found[name])


def test_any_layout_and_any_whole_lengths():
    network = Network(SMALL, rng=np.random.default_rng(0))
    x, widths = pad(random_lines(np.random.default_rng(1), 8, (30, 11)))
    y, _ = network.forward(x, widths)
    other, _ = network.forward(np.asfortranarray(x), widths.astype(np.int32))
    np.testing.assert_array_equal(other, y)


TWO_WAYS = [
    (
        "[1,12,0,1 Cr3,3,4 Cl3,3,4 Sc-3 Mp2,2 Bn S1(1x0)1,3 Lbx{reader}5 Rt-1,-2 Do0.5 O1c7]",
        (12, None, 1),
        [
            Convolution(4, 3, activation="relu"), Convolution(4, 3), Shortcut(-3), MaxPool(2),
            BatchNorm(), Columns(), ("reader", Bidirectional(LSTM(5))), Route(-1, -2),
            Dropout(0.5), Softmax(7),
        ],
    ),
    (
        "[1,8,8,3 Cr{a}3,3,4 Cl3,3,4 (I Cl1,1,4) A3,4 Sc@a]",
        (8, 8, 3),
        [
            ("a", Convolution(4, 3, activation="relu")), Convolution(4, 3),
            Parallel(Identity(), Convolution(4, 1)), Addition(4), Shortcut("a"),
        ],
    ),
    ("[1,0,3 Gfx4 Lrx2 O1c5]", (None, 3), [GRU(4), Reversed(LSTM(2)), Softmax(5)]),
]  # fmt: skip


def written(shape, layers, dtype=np.float32):
    """The network of layers added one by one, some of them with a name."""
    network = Network(input_shape=shape, dtype=dtype)
    for layer in layers:
        name, layer = layer if isinstance(layer, tuple) else (None, layer)
        network.add(copy.deepcopy(layer), name)
    return network


@pytest.mark.parametrize(("spec", "shape", "layers"), TWO_WAYS, ids=lambda v: str(v)[:30])
class TestTwoWays:
    def test_they_give_the_same_object(self, spec, shape, layers):
        read = Network(spec, rng=np.random.default_rng(4))
        made = written(shape, layers).build(np.random.default_rng(4))
        assert type(made) is type(read)
        assert made.spec == read.spec == spec
        assert repr(made) == repr(read) == f"Network({spec!r})"
        assert made.summary() == read.summary()
        assert list(made.layers) == list(read.layers)
        assert (made.input_shape, made.output_shape) == (read.input_shape, read.output_shape)
        assert (made.height, made.classes) == (read.height, read.classes)
        assert made.arrays().keys() == read.arrays().keys()
        for name, array in read.arrays().items():
            np.testing.assert_array_equal(made.arrays()[name], array)
        size = [2, shape[0], 9, shape[-1]] if len(shape) == 3 else [9, 2, shape[-1]]
        if None not in shape:
            size[2] = shape[1]
        x = np.random.default_rng(5).random(size, np.float32)
        lengths = np.array([size[2] if len(shape) == 3 else 9] * 2)
        for one, other in zip(read.forward(x, lengths), made.forward(x, lengths), strict=True):
            np.testing.assert_array_equal(one, other)

    def test_shapes_are_known_without_building(self, spec, shape, layers):
        network = written(shape, layers)
        assert network.summary() == Network(spec).summary()
        shapes = {name: array.shape for name, array in network.build().arrays().items()}
        assert array_shapes(parse_spec(spec)) == shapes


def test_weights_of_a_seed_stay_the_same_for_ever():
    """Model files of old runs come again only if the first weights do."""
    network = Network("[1,8,0,1 Cr3,3,2 Mp2,2 Lbx3 O1c4]", rng=np.random.default_rng(1))
    found = [float(np.abs(w).sum()) for w in network.parameters().values()]
    expected = [
        4.1563, 0,
        13.1214, 16.7890, 13.0147, 11.3712, 0, 0, 0,
        13.3659, 15.8757, 14.9939, 13.6803, 0, 0, 0,
        9.8910,
    ]  # fmt: skip
    assert found == pytest.approx(expected, rel=1e-4)


def test_names():
    network = Network(input_shape=(8, None, 1))
    network.add(Convolution(2, 3)).add(MaxPool(2), "pool").add(Stacked(Columns(), LSTM(3)))
    network.add(Softmax(4))
    assert list(network.layers) == ["Cl_0", "pool", "Stacked_2", "O_3"]
    network.build(np.random.default_rng(0))
    assert {"Cl_0.W", "Stacked_2.1.WGI", "O_3.W2"} <= network.parameters().keys()


@pytest.mark.parametrize(
    ("layer", "name", "told"),
    [
        (Softmax(3), None, r"layer 'O_1', Softmax\(3\): .* sequences .*, not \(8, None, 1\)"),
        (MaxPool(9), None, "layer 'Mp_1', .* 9 high do not fit height 8"),
        (Shortcut(-3), None, "layer 'Sc_1', .* -3 leads beyond the input, which is -2 here"),
        (Route("none"), None, "no earlier layer is named 'none'; names so far: first"),
        (Identity(), "first", "'first' occurs twice"),
        (Identity(), "a.b", "without dots, not 'a.b'"),
        (Identity(), "", "without dots, not ''"),
        (Identity(), 3, "without dots, not 3"),
        ("LSTM", None, "expected a layer or a join, not 'LSTM'"),
    ],
    ids=str,
)
def test_layers_that_do_not_fit_are_refused_at_once(layer, name, told):
    network = Network(input_shape=(8, None, 1)).add(Identity(), "first")
    with pytest.raises(ValueError, match=told):
        network.add(layer, name)
    assert list(network.layers) == ["first"] and network.output_shape == (8, None, 1)
    network.add(Columns()).add(Softmax(3))
    assert network.output_shape == (None, 3)


def test_a_layer_comes_once():
    layer = Identity()
    network = Network(input_shape=(None, 1)).add(layer)
    with pytest.raises(ValueError, match=r"Identity\(\) is in the network already; make another"):
        network.add(layer)
    network.add(Parallel(LSTM(3), shared := LSTM(3)))
    for again in (Reversed(shared), Stacked(Identity(), Parallel(shared)), Stacked(layer)):
        with pytest.raises(ValueError, match=r"(LSTM\(3\)|Identity\(\)) is in the network already"):
            network.add(again)
    twice = LSTM(3)
    with pytest.raises(ValueError, match=r"LSTM\(3\) is in the network already"):
        network.add(Parallel(twice, Reversed(twice)))
    assert len(network.layers) == 2
    network.add(twice)


def test_masks_of_branches_do_not_depend_on_which_runs_first():
    network = Network("[1,0,3 (Do0.5 [I Do0.5]) Do0.5]", rng=np.random.default_rng(0))
    first, second, last = [
        part for piece in network.layers.values() for part in walk(piece)
        if isinstance(part, Dropout)
    ]  # fmt: skip
    x, lengths = np.ones((9, 2, 3), np.float32), np.array([9, 9])
    found = []
    for order in ((first, second, last), (last, second, first)):
        network.set_rng(np.random.default_rng(1))
        masked = {id(layer): layer.forward(x, lengths, training=True)[0] for layer in order}
        found.append([masked[id(layer)] for layer in (first, second, last)])
    np.testing.assert_array_equal(found[0], found[1])
    assert not np.array_equal(found[0][0], found[0][1])


def test_networks_do_not_share_layers():
    layer = LSTM(3)
    network = Network(input_shape=(None, 2)).add(layer).build(np.random.default_rng(0))
    weights = network.parameters()["Lfx_0.WGI"]
    other = Network(input_shape=(None, 2)).add(layer)
    with pytest.raises(ValueError, match=r"layer 'Lfx_0', LSTM\(3\), has weights already"):
        other.build(np.random.default_rng(1))
    spec = parse_spec("[1,0,2 Lfx3]")
    Network(spec)
    with pytest.raises(ValueError, match="networks cannot share it"):
        Network(spec)
    assert network.parameters()["Lfx_0.WGI"] is weights and weights.any()


@pytest.mark.parametrize(
    "shape", [(), (8,), (8, 8, 8, 8), (0, None, 1), (None, None, 1), (8, None, None), (None, -1),
              (8, 0, 1), (8.5, None, 1), (None, None), 8, "8x8"],
)  # fmt: skip
def test_input_shapes_that_are_refused(shape):
    with pytest.raises(ValueError, match="an input shape is .*, not"):
        Network(input_shape=shape)


def test_sizes_of_any_whole_type():
    sizes = tuple(np.array([8, 9, 1]))
    network = Network(input_shape=sizes).add(Convolution(2, 3))
    assert network.input_shape == (8, 9, 1) and network.spec == "[1,8,9,1 Cl3,3,2]"


def test_how_a_network_begins():
    with pytest.raises(ValueError, match="either a spec or an input_shape"):
        Network()
    with pytest.raises(ValueError, match="either a spec or an input_shape"):
        Network("[1,8,0,1 O1c5]", input_shape=(8, None, 1))
    with pytest.raises(ValueError, match="give rng to build"):
        Network(input_shape=(8, None, 1), rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="a Spec has them already"):
        Network(parse_spec("[1,8,0,1 O1c5]"), 5)
    with pytest.raises(ValueError, match=r"a spec is a text, not \(8, None, 1\); a shape goes in"):
        Network((8, None, 1))
    with pytest.raises(ValueError, match="float32 or float64, not int64"):
        Network(input_shape=(8, None, 1), dtype=np.int64)


def test_the_order_of_building():
    network = Network(input_shape=(None, 2))
    with pytest.raises(ValueError, match="at least one layer"):
        network.build()
    network.add(LSTM(3))
    assert not network.built and network.parameters() == {}
    with pytest.raises(RuntimeError, match="network that is built"):
        network.forward(np.zeros((1, 1, 2), np.float32), np.array([1]))
    network.build()
    assert network.built and not any(w.any() for w in network.parameters().values())
    with pytest.raises(ValueError, match="built already"):
        network.build()
    with pytest.raises(ValueError, match="must be added before"):
        network.add(Softmax(3))
    assert Network("[1,8,0,1 O1c5]").built


def test_a_network_that_vgsl_cannot_write():
    class Odd(Identity):
        def __repr__(self):
            return "Odd()"

    network = Network(input_shape=(None, 2)).add(Odd())
    with pytest.raises(SpecError, match="cannot write"):
        _ = network.spec
    assert repr(network) == "Network(input_shape=(None, 2), Odd_0=Odd())"
    assert network.classes == 0 and "Odd_0" in network.summary()


@pytest.mark.parametrize(
    ("shape", "size", "lengths", "told"),
    [
        (
            (None, 3),
            (9, 2, 4),
            [9, 9],
            r"sequences \(frames, items, 3\) of float32, not \(9, 2, 4\)",
        ),
        ((None, 3), (9, 2, 3, 1), [9, 9], r"sequences \(frames, items, 3\)"),
        ((7, 3), (9, 2, 3), [9, 9], r"sequences \(7, items, 3\)"),
        ((7, 3), (7, 2, 3), [7, 6], "lengths 6 to 7 in items of 7 frames"),
        ((4, 6, 2), (2, 4, 7, 2), [7, 7], r"images \(items, 4, 6, 2\) of float32"),
        ((4, 6, 2), (2, 4, 6, 2), [5, 6], "lengths 5 to 6 in items of 6 columns"),
    ],
)
def test_inputs_of_other_shapes(shape, size, lengths, told):
    network = Network(input_shape=shape).add(Identity()).build()
    with pytest.raises(ValueError, match=told):
        network.forward(np.zeros(size, np.float32), np.array(lengths))


def test_gradients_through_joins_and_the_whole_network():
    network = written(
        (5, None, 2),
        [
            Convolution(3, 3, activation="tanh"), Convolution(2, 3, 2), Shortcut(-2, 0.5, 2),
            Shortcut(-4, activation="logistic"), BatchNorm(), Columns(), LSTM(4), LSTM(4),
            Shortcut(-2), Route(-1, -3), Softmax(3),
        ],
        np.float64,
    ).build(np.random.default_rng(0))  # fmt: skip
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2, 5, 9, 2))
    lengths = np.array([9, 4])
    y, _ = network.forward(x, lengths, training=True)
    factors = rng.normal(size=y.shape)
    dx = network.backward(factors, input_gradient=True)
    found = {name: g.copy() for name, g in network.gradients().items()}
    step = 1e-6
    for name, array in {"x": x, **network.parameters()}.items():
        place = tuple(rng.integers(0, size) for size in array.shape)
        if name == "x":
            place = (1, 2, 3, 0)
        value, sums = array[place], []
        for moved in (value + step, value - step):
            array[place] = moved
            sums.append((network.forward(x, lengths, training=True)[0] * factors).sum())
        array[place] = value
        expected = (sums[0] - sums[1]) / (2 * step)
        assert (dx if name == "x" else found[name])[place] == pytest.approx(expected, 1e-5, 1e-7)


def test_buffers_are_apart_from_what_is_trained():
    network = Network("[1,4,0,1 Cr3,3,2 Bn O1c3]", rng=np.random.default_rng(0))
    assert network.buffers().keys() == {"Bn_1.mean", "Bn_1.variance"}
    assert not network.buffers().keys() & network.gradients().keys()
    assert network.arrays() == network.parameters() | network.buffers()
    before = network.buffers()["Bn_1.mean"].copy()
    x = np.random.default_rng(1).random((2, 4, 9, 1), np.float32)
    network.forward(x, np.array([9, 9]))
    np.testing.assert_array_equal(network.buffers()["Bn_1.mean"], before)
    network.forward(x, np.array([9, 9]), training=True)
    assert (network.buffers()["Bn_1.mean"] != before).any()
