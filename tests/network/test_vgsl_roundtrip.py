"""Whatever is read from a spec is written as one that gives the same network again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import EXAMPLES, Grower, fixed, images, sequences, specs

from ocrlstm.network import Network, parse_spec, write_spec


def layers_of(text):
    parsed = parse_spec(text)
    return parsed.input_shape, [(named.name, named.layer) for named in parsed.layers]


def check_round_trip(text):
    shape, layers = layers_of(text)
    written = write_spec(shape, layers)
    shape_again, again = layers_of(written)
    assert shape_again == shape
    assert [(name, repr(layer)) for name, layer in again] == [
        (name, repr(layer)) for name, layer in layers
    ]
    assert write_spec(shape, again) == written


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples(text):
    check_round_trip(text)


@settings(max_examples=200, deadline=None)
@given(specs())
def test_random_networks(text):
    check_round_trip(text)


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=True), st.one_of(images, sequences, fixed), st.integers(1, 8))
def test_networks_read_and_written_in_python_are_the_same_object(random, shape, most):
    text = Grower(random, training=False).network(shape, most, 2)
    read = Network(text, rng=np.random.default_rng(3))
    built = Network(input_shape=shape)
    for name, layer in layers_of(text)[1]:
        built.add(layer, name)
    built.build(np.random.default_rng(3))
    assert built.spec == read.spec
    assert repr(built) == repr(read)
    ours, theirs = built.arrays(), read.arrays()
    assert list(ours) == list(theirs)
    for name, array in ours.items():
        np.testing.assert_array_equal(array, theirs[name])
