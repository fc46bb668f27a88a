"""What an item gives does not depend on its neighbours, for every network that VGSL can write."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import EXAMPLES, specs

from ocrlstm.network import Network, parse_spec
from ocrlstm.network.vgsl.syntax import read_tree
from ocrlstm.network.vgsl.table import KINDS

widths = st.lists(st.integers(1, 30), min_size=1, max_size=4)
seeds = st.integers(0, 2**32 - 1)
slow = [HealthCheck.too_slow, HealthCheck.data_too_large]


def make(text, rng):
    """A network with weights none of which is zero, so that what should be zero is seen."""
    network = Network(text, rng=rng)
    for array in network.parameters().values():
        array[:] = rng.normal(0, 0.4, array.shape)
    for array in network.buffers().values():
        array[:] = rng.uniform(0.5, 1.5, array.shape)
    return network


def items_of(y, lengths):
    """The outputs of a batch, cut to their lengths."""
    if y.ndim == 4:
        return [image[:, :length] for image, length in zip(y, lengths, strict=True)]
    return [y[:length, i] for i, length in enumerate(lengths)]


def check_invariance(text, widths, seed, training):
    rng = np.random.default_rng(seed)
    network = make(text, rng)
    shape = network.input_shape
    widths = [shape[-2] or width for width in widths]
    count, longest = len(widths), max(widths) + int(rng.integers(0, 3)) * (shape[-2] is None)
    if len(shape) == 3:
        x = rng.uniform(-1, 1, (count, shape[0], longest, shape[2])).astype(np.float32)
        alone = [x[i : i + 1, :, :width].copy() for i, width in enumerate(widths)]
    else:
        x = rng.uniform(-1, 1, (longest, count, shape[1])).astype(np.float32)
        alone = [x[:width, i : i + 1].copy() for i, width in enumerate(widths)]
    for i, width in enumerate(widths):
        (x[i, :, width:] if len(shape) == 3 else x[width:, i])[...] = 0
    y, lengths = network.forward(x, np.array(widths), training)
    together = items_of(y, lengths)
    copies = len(together) // count
    for i, width in enumerate(widths):
        single, single_lengths = network.forward(alone[i], np.array([width]), training)
        parts = items_of(single, single_lengths)
        assert len(parts) == copies
        # Items that a Route joins come one source after another.
        for part, whole in zip(parts, together[i::count], strict=True):
            assert part.shape == whole.shape
            assert np.isfinite(part).all()
            np.testing.assert_allclose(
                part, whole, rtol=0, atol=1e-5 * max(1, np.abs(part).max(initial=0))
            )
    # Nothing is beyond the lengths.
    for part in items_of(*valid_removed(y, lengths)):
        assert not part.any()


def valid_removed(y, lengths):
    y = y.copy()
    for i, length in enumerate(lengths):
        (y[i, :, :length] if y.ndim == 4 else y[:length, i])[...] = 0
    return y, np.full(len(lengths), y.shape[2] if y.ndim == 4 else y.shape[0])


def test_examples_hold_every_kind_of_token():
    used = set()

    def walk(node):
        used.update(kind.pattern for kind in KINDS if kind.match(node.bare))
        for child in node.children:
            walk(child)

    for text in EXAMPLES:
        parse_spec(text)
        for node in read_tree(text).nodes:
            walk(node)
    assert used == {kind.pattern for kind in KINDS}


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples(text):
    check_invariance(text, [17, 30, 8, 29], 0, training=False)


@pytest.mark.parametrize(
    "text", [text for text in EXAMPLES if "Do" not in text and "Bn" not in text]
)
def test_examples_in_training(text):
    check_invariance(text, [17, 30, 8, 29], 0, training=True)


@settings(max_examples=250, deadline=None, suppress_health_check=slow)
@given(specs(), widths, seeds)
def test_recognising(text, widths, seed):
    check_invariance(text, widths, seed, training=False)


@settings(max_examples=150, deadline=None, suppress_health_check=slow)
@given(specs(training=True), widths, seeds)
def test_training(text, widths, seed):
    check_invariance(text, widths, seed, training=True)
