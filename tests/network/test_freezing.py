"""Frozen layers: what keeps its weights, what computes as for recognising, what gradients are."""

import numpy as np
import pytest

from ocrlstm.layers import BatchNorm, Connected, Dropout, Shortcut, Softmax, Stacked
from ocrlstm.network import Network

LINES = "[1,8,0,1 Cr3,3,2 Bn Mp2,2 S1(1x0)1,3 Lbx3 Do0.5 O1c4]"
WIDTHS = np.array([12, 12])


@pytest.fixture
def images():
    return np.random.default_rng(0).uniform(size=(2, 8, 12, 1)).astype(np.float32)


def network_of(spec=LINES):
    return Network(spec, rng=np.random.default_rng(1))


def learn(network, x, seed=2):
    """One forward and backward pass; gives copies of output and gradients."""
    network.set_rng(np.random.default_rng(seed))
    y, _ = network.forward(x, WIDTHS, training=True)
    network.backward(np.random.default_rng(3).normal(size=y.shape).astype(np.float32))
    return y.copy(), {name: g.copy() for name, g in network.gradients().items()}


def test_names():
    network = network_of()
    everything = network.parameters()
    assert network.trained(everything).keys() == everything.keys()
    network.freeze(["Cr_0", "Lbx_4"])
    assert {name.partition(".")[0] for name in network.trained(everything)} == {"Bn_1", "O_6"}
    network.freeze([])
    assert network.trained(everything).keys() == everything.keys()
    with pytest.raises(ValueError, match="no layer is named 'Cr_1'; there are Cr_0, Bn_1, "):
        network.freeze(["Cr_0", "Cr_1"])


def test_a_frozen_beginning_computes_as_for_recognising(images):
    """No statistics of the batch, nothing kept, no gradient; what learns gets the same one."""
    network = network_of()
    network.freeze(list(network.layers)[:5])
    _, gradients = learn(network, images)
    assert not network.buffers()["Bn_1.mean"].any()
    assert not any(g.any() for name, g in gradients.items() if not name.startswith("O_6"))
    # The layers behind are given what the others give for recognising.
    frames = Network("[1,0,6 Do0.5 O1c4]")
    for name, weights in frames.parameters().items():
        weights[...] = network.parameters()[name.replace("O_1", "O_6")]
    x = run_until_dropout(network, images)
    frames.set_rng(np.random.default_rng(2))
    y, _ = frames.forward(x, np.full(2, len(x)), training=True)
    frames.backward(np.random.default_rng(3).normal(size=y.shape).astype(np.float32))
    np.testing.assert_array_equal(frames.gradients()["O_1.W2"], gradients["O_6.W2"])


def run_until_dropout(network, x):
    lengths = WIDTHS
    for layer in network.layers.values():
        if isinstance(layer, Dropout):
            return x
        x, lengths = layer.forward(x, lengths)


def test_a_frozen_beginning_keeps_nothing(images):
    network = network_of().freeze(["Cr_0", "Bn_1", "Mp_2"])
    network.forward(images, WIDTHS, training=True)
    for name in ("Cr_0", "Mp_2"):
        with pytest.raises(RuntimeError, match="backward needs"):
            network.layers[name].backward(np.zeros(1, np.float32))


def test_a_frozen_layer_hands_its_gradient_on(images):
    """Without a norm, whose statistics freezing changes, all other gradients are the same."""
    spec = LINES.replace("Bn ", "")
    network = network_of(spec)
    y, before = learn(network, images)
    network.freeze(["Lbx_3"])
    again, after = learn(network, images)
    np.testing.assert_array_equal(again, y)
    for name in network.trained(after):
        np.testing.assert_array_equal(after[name], before[name])


@pytest.mark.parametrize("inside", [False, True])
def test_a_frozen_norm_uses_its_statistics_and_keeps_them(inside):
    """Its gradient is that of a scale and a shift: checked by central differences."""
    norm = Stacked(BatchNorm(), Shortcut(-2)) if inside else BatchNorm()
    network = Network(input_shape=(None, 3), dtype=np.float64)
    network.add(Connected(3), "first").add(norm, "norm").add(Softmax(4), "out")
    network.build(np.random.default_rng(0))
    rng = np.random.default_rng(1)
    for buffer in network.buffers().values():
        buffer[...] = rng.uniform(0.5, 2, buffer.shape)
    kept = {name: buffer.copy() for name, buffer in network.buffers().items()}
    network.freeze(["norm"])
    x, lengths, factors = rng.normal(size=(5, 2, 3)), np.array([5, 3]), rng.normal(size=(5, 2, 4))

    def loss():
        y, _ = network.forward(x, lengths, training=True)
        return (y * factors).sum()

    network.forward(x, lengths, training=True)
    network.backward(factors)
    found = network.gradients()["first.W"].copy()
    weights = network.parameters()["first.W"]
    for place in np.ndindex(*weights.shape):
        value, step = weights[place], 1e-6
        weights[place] = value + step
        above = loss()
        weights[place] = value - step
        below = loss()
        weights[place] = value
        assert found[place] == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-8)
    for name, buffer in network.buffers().items():
        np.testing.assert_array_equal(buffer, kept[name])


def test_no_gradient_of_the_input(images):
    network = network_of().freeze(["Cr_0"])
    y, _ = network.forward(images, WIDTHS, training=True)
    with pytest.raises(ValueError, match="frozen layers gives no gradient of its input"):
        network.backward(np.zeros_like(y), input_gradient=True)


def test_fit_leaves_frozen_layers_alone():
    network = Network(input_shape=(1, 2))
    network.add(Connected(5), "first").add(BatchNorm(), "norm").add(Softmax(2), "out")
    network.compile("adamw", "cross_entropy").freeze(["first", "norm"])
    before = {name: array.copy() for name, array in network.arrays().items()}
    network.fit(np.random.default_rng(0).normal(size=(8, 2)), np.arange(8) % 2, epochs=3)
    changed = {name for name, a in network.arrays().items() if (a != before[name]).any()}
    assert changed == {"out.W2"}
    network.freeze(network.layers)
    with pytest.raises(ValueError, match="no weights to train"):
        network.fit(np.zeros((2, 2)), [0, 1])
