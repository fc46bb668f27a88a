"""What non-linearities, connected layers and outputs promise besides gradients, case by case."""

import numpy as np
import pytest
from batches import check_alone
from cases import activations, dense, outputs

from ocrlstm import layers
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.layers import Activation, Input, Stacked

CASES = [*activations.CASES, *dense.CASES, *outputs.CASES]
WEIGHTED = [case for case in CASES if case.make().plan(case.shape)[1]]
# These give what comes, also beyond the lengths, where it is 0 by contract.
PASSING = [case for case in CASES if case.name in ("Input", "linear activation")]


@pytest.fixture(params=CASES, ids=str)
def case(request):
    return request.param


def trained(layer, x, lengths):
    """Output and all gradients, for a gradient that is not zero beyond the lengths."""
    y, _ = layer.forward(x, lengths, training=True)
    dx = layer.backward(np.cos(np.arange(y.size)).reshape(y.shape).astype(y.dtype))
    return [y, dx, *(gradient.copy() for gradient in layer.gradients().values())]


def test_plan_tells_what_build_and_forward_do(case):
    layer = case.make()
    planned, weights = layer.plan(case.shape)
    assert layer.parameters() == {}
    assert layer.build(case.shape, np.random.default_rng(0)) == planned
    for arrays in (layer.parameters(), layer.gradients()):
        assert {name: array.shape for name, array in arrays.items()} == weights
        assert all(array.dtype == np.float32 for array in arrays.values())
    x, before = case.x().astype(np.float32), case.x().astype(np.float32)
    y, lengths = layer.forward(x, np.array(case.lengths))
    np.testing.assert_array_equal(x, before)
    assert y.dtype == np.float32 and y.flags.c_contiguous
    sizes = y.shape[1:] if y.ndim == 4 else (y.shape[0], y.shape[2])
    assert len(sizes) == len(planned)
    assert all(size in (None, found) for size, found in zip(planned, sizes, strict=True))
    np.testing.assert_array_equal(lengths, layer.output_lengths(np.array(case.lengths)))


def test_shows_itself_so_that_it_can_be_made_again(case):
    layer = case.make()
    again = eval(repr(layer), {name: getattr(layers, name) for name in layers.__all__})
    assert repr(again) == repr(layer)
    if not isinstance(layer, Stacked):
        arguments = [
            {key: value for key, value in vars(one).items() if not key.startswith("_")}
            for one in (layer, again)
        ]
        assert arguments[0] == arguments[1]


@pytest.mark.parametrize("case", [case for case in CASES if case not in PASSING], ids=str)
def test_an_item_alone_as_in_a_batch_with_anything_beyond_it(case):
    lengths = np.array(case.lengths)
    if case.name == "Connected" and len(case.shape) == 3:
        lengths = np.maximum(
            lengths, 1
        )  # an image of no column has a vector, though not a valid one
    check_alone(case.built(), case.x(), lengths, training=True)


def test_any_number_of_threads(case):
    layer, results = case.built(), []
    for count in (1, 3):
        set_thread_count(count)
        results.append(trained(layer, case.x(), np.array(case.lengths)))
    set_thread_count(None)
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_no_items_and_empty_ones(case):
    layer, x = case.built(), case.x()
    none = x[:0] if x.ndim == 4 else x[:, :0]
    y, dx, *gradients = trained(layer, np.ascontiguousarray(none), np.zeros(0, np.int64))
    assert y.shape[0 if y.ndim == 4 else 1] == 0 and dx.shape == none.shape
    assert not any(gradient.any() for gradient in gradients)
    x[:] = 0
    y, lengths = layer.forward(x, np.zeros(len(case.lengths), np.int64), training=True)
    assert not y.any() and not lengths.any()
    dx = layer.backward(np.ones_like(y))
    assert case in PASSING or not dx.any()
    assert not any(gradient.any() for gradient in layer.gradients().values())


def test_recognising_keeps_nothing_and_disturbs_nothing(case):
    layer, x, lengths = case.built(), case.x(), np.array(case.lengths)
    clean = trained(layer, x, lengths)
    if not isinstance(layer, Input):
        layer.forward(x, lengths)
        with pytest.raises(RuntimeError, match="training=True"):
            layer.backward(clean[0])
    y, _ = layer.forward(x, lengths, training=True)
    layer.forward(-x, lengths)
    dx = layer.backward(np.cos(np.arange(y.size)).reshape(y.shape))
    for one, other in zip(clean, [y, dx, *layer.gradients().values()], strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("case", WEIGHTED, ids=str)
def test_weights_gradients_without_that_of_the_input(case):
    layer, x, lengths = case.built(), case.x(), np.array(case.lengths)
    _, dx, *wanted = trained(layer, x, lengths)
    layer.input_gradient = False
    _, without, *found = trained(layer, x, lengths)
    assert without.shape == dx.shape
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_gradients_that_come_in_are_not_changed():
    x, lengths = np.random.default_rng(0).normal(size=(4, 2, 3)), np.array([4, 1])
    for layer in (Activation("linear"), layers.Connected(3), layers.Logistic(), layers.Softmax()):
        layer.build((None, 3), np.random.default_rng(0), np.float64)
        layer.forward(x, lengths, training=True)
        dy = np.ones((4, 2, 3))
        layer.backward(dy)
        np.testing.assert_array_equal(dy, 1)
