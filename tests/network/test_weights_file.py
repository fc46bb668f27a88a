"""Weights of any network go into a file and back into the same layers, and into no others."""

import numpy as np
import pytest

from ocrlstm.errors import ModelFileError
from ocrlstm.layers import BatchNorm, Connected, Convolution
from ocrlstm.network import Network, load_weights, save_weights


def network(units=3, seed=0):
    net = Network(input_shape=(4, 4, 1))
    net.add(Convolution(2, 3)).add(BatchNorm()).add(Connected(units))
    return net.compile("adam", "mse", seed=seed)


def test_predicts_the_same_after_loading(tmp_path):
    x = np.random.default_rng(0).normal(size=(9, 4, 4, 1))
    net = network()
    net.fit(x, np.ones((9, 3)), epochs=2)  # moves the running statistics too
    save_weights(net, tmp_path / "net.safetensors")
    other = network(seed=1)
    assert not np.array_equal(other.predict(x), net.predict(x))
    load_weights(other, tmp_path / "net.safetensors")
    np.testing.assert_array_equal(other.predict(x), net.predict(x))


def test_another_network_is_refused_and_keeps_its_weights(tmp_path):
    path = tmp_path / "net.safetensors"
    save_weights(network(), path)
    other = network(units=5)
    before = {name: array.copy() for name, array in other.arrays().items()}
    message = r"net\.safetensors: weights Fl_2\.W are \(3, 32\), this network needs \(5, 32\)"
    with pytest.raises(ModelFileError, match=message):
        load_weights(other, path)
    for name, array in other.arrays().items():
        np.testing.assert_array_equal(array, before[name])


def test_a_network_that_is_not_built(tmp_path):
    path = tmp_path / "net.safetensors"
    save_weights(network(), path)
    net = Network(input_shape=(4, 4, 1)).add(Connected(3))
    with pytest.raises(RuntimeError, match="a network that is built"):
        save_weights(net, tmp_path / "other.safetensors")
    assert not (tmp_path / "other.safetensors").exists()
    with pytest.raises(RuntimeError, match="a network that is built"):
        load_weights(net, path)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e39])
def test_weights_that_are_not_finite_are_refused(tmp_path, value):
    path = tmp_path / "net.safetensors"
    net = Network(input_shape=(1, 2), dtype=np.float64).add(Connected(1)).compile("sgd", "mse")
    net.parameters()["Fl_0.W"][0, 1] = value
    save_weights(net, path)
    other = Network(input_shape=(1, 2)).add(Connected(1)).compile("sgd", "mse")
    before = {name: array.copy() for name, array in other.arrays().items()}
    with pytest.raises(ModelFileError, match="net.safetensors: holds weights that are not finite"):
        load_weights(other, path)
    for name, array in other.arrays().items():
        np.testing.assert_array_equal(array, before[name])


@pytest.mark.parametrize("content", [None, b"", b"not a file of weights"])
def test_no_file_of_weights(tmp_path, content):
    path = tmp_path / "net.safetensors"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFileError, match="net.safetensors"):
        load_weights(network(), path)
