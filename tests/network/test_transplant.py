"""Weights of a model in another one: by the names of layers, and by label at the end."""

import numpy as np
import pytest

from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network, transplant
from ocrlstm.text import Codec

SPEC = "[1,16,0,1 Cr3,3,2 Bn Lbx3 O1c]"
OLD = Codec(("", "a", "b", "c"))
NEW = Codec(("", "d", "c", "a"))


def model_of(spec=SPEC, codec=OLD):
    network = Network(spec, len(codec), np.random.default_rng(0))
    for array in network.buffers().values():
        array[...] = np.random.default_rng(1).uniform(1, 2, array.shape)
    return LineModel(network, codec, LineNormalizer(height=16))


def test_everything_fits():
    model = model_of()
    network = Network(SPEC, len(NEW), np.random.default_rng(2))
    assert transplant(model, network, NEW) == ()
    old, new = model.network.arrays(), network.arrays()
    for name in old:
        if name != "O_3.W2":
            np.testing.assert_array_equal(new[name], old[name])
    rows, found = old["O_3.W2"], new["O_3.W2"]
    np.testing.assert_array_equal(found[[0, 2, 3]], rows[[0, 3, 1]])
    np.testing.assert_allclose(found[1], rows[1:].mean(axis=0), rtol=1e-5)


def test_new_characters_take_no_more_than_an_old_one_does_on_average():
    model = model_of()
    model.network.parameters()["O_3.W2"][...] *= 20
    more = Codec((*OLD.labels, "d", "e"))
    network = Network(SPEC, len(more))
    transplant(model, network, more)
    x = np.random.default_rng(3).uniform(size=(4, 16, 30, 1)).astype(np.float32)
    widths = np.full(4, 30)
    before, after = (np.exp(n.forward(x, widths)[0]) for n in (model.network, network))
    limit = after[:, :, 1:4].mean(axis=-1) * (1 + 1e-4)
    assert (after[:, :, 4] <= limit).all() and (after[:, :, 5] <= limit).all()
    # Old characters keep their order and their shares of each other.
    np.testing.assert_allclose(
        after[:, :, :4] / after[:, :, :4].sum(-1, keepdims=True), before, rtol=1e-3, atol=1e-6
    )


def test_other_layers_keep_their_own_weights():
    model = model_of()
    other = "[1,16,0,1 Cr3,3,4 Bn Lbx3 O1c]"
    network = Network(other, len(OLD), np.random.default_rng(2))
    fresh = {name: array.copy() for name, array in network.arrays().items()}
    left = transplant(model, network, OLD)
    assert "Cr_0.W" in left and "Bn_1.mean" in left and "O_3.W2" not in left
    given = model.network.arrays()
    for name, array in network.arrays().items():
        expected = fresh if name in left else given
        np.testing.assert_array_equal(array, expected[name])


def test_an_output_of_other_features_is_left():
    network = Network("[1,16,0,1 Cr3,3,2 Bn Lbx4 O1c]", len(OLD), np.random.default_rng(2))
    assert "O_3.W2" in transplant(model_of(), network, OLD)


def test_the_output_may_have_another_name():
    network = Network("[1,16,0,1 Cr3,3,2 Bn Lbx3 O{reader}1c]", len(OLD))
    model = model_of()
    assert transplant(model, network, OLD) == ()
    np.testing.assert_array_equal(
        network.parameters()["reader.W2"], model.network.parameters()["O_3.W2"]
    )


def test_a_model_of_the_blank_alone():
    network = Network(SPEC, len(OLD))
    model = model_of(codec=Codec(("",)))
    assert transplant(model, network, OLD) == ()
    blank = model.network.parameters()["O_3.W2"][0]
    np.testing.assert_array_equal(network.parameters()["O_3.W2"], np.tile(blank, (4, 1)))


def test_a_codec_that_does_not_fit():
    with pytest.raises(ValueError, match="3 labels in the codec, 4 in the network"):
        transplant(model_of(), Network(SPEC, 4), Codec(("", "a", "b")))
