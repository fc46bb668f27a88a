"""Series of layers and joins: where inputs come from, and where gradients go."""

import numpy as np
import pytest
from cases import all_cases
from gradients import build, images, sequences

from ocrlstm.layers import (
    LSTM,
    Columns,
    Convolution,
    Identity,
    MaxPool,
    Parallel,
    Route,
    SeriesPlan,
    Shortcut,
    Softmax,
    Stacked,
)


def run(layer, x, lengths):
    return layer.forward(x, np.array(lengths))[0]


def test_sources_by_number_and_by_name():
    x = sequences(2, (4, 2))
    for sources in ((-4, -3), ("a", -3), (-4, "b"), ("a", "b")):
        layer = build(
            Stacked(
                LSTM(2), LSTM(3), LSTM(1), LSTM(2), Route(*sources), names=["a", "b"] + 3 * [None]
            ),
            (None, 2),
        )
        first = run(layer.layers[0], x, (4, 2))
        second = run(layer.layers[1], first, (4, 2))
        np.testing.assert_array_equal(run(layer, x, (4, 2)), np.concatenate([first, second], -1))


def test_the_number_before_the_first_layer_is_the_input():
    x = sequences(2, (4, 2))
    for layers in ((Route(-1),), (Identity(), Route(-2)), (LSTM(3), Identity(), Route(-3))):
        layer = build(Stacked(*layers), (None, 2))
        np.testing.assert_array_equal(run(layer, x, (4, 2)), x)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Stacked(Route(-2)), "-2 leads beyond the input, which is -1 here"),
        (lambda: Stacked(LSTM(1), Shortcut(-3)), "-3 leads beyond the input, which is -2 here"),
        (lambda: Stacked(Route("a"), names=["a"]), "no earlier layer is named 'a'; .*: none"),
        (
            lambda: Stacked(LSTM(1), Route("b"), LSTM(1), names=["a", None, "b"]),
            "no earlier layer is named 'b'; names so far: a",
        ),
        (lambda: Stacked(LSTM(1), LSTM(1), names=["a", "a"]), "'a' occurs twice"),
        (lambda: Stacked(LSTM(1), names=["a", "b"]), "2 names for 1 layers"),
        (lambda: Stacked("LSTM"), "expected a layer or a join, not 'LSTM'"),
        (lambda: Route(0), "-1 is the last, not 0"),
        (lambda: Route(-1, 2), "-1 is the last, not 2"),
        (lambda: Route(""), "name .* is empty"),
    ],
)
def test_sources_that_there_are_not(make, told):
    with pytest.raises(ValueError, match=told):
        make()


def test_weights_are_numbered_past_the_joins():
    layer = build(Stacked(LSTM(2), Shortcut(-2), Softmax(3)), (None, 2))
    assert {name.partition(".")[0] for name in layer.parameters()} == {"0", "2"}
    assert layer.parameters().keys() == layer.gradients().keys() == layer.plan((None, 2))[1].keys()


def test_names_and_sources_are_shown():
    layer = Stacked(LSTM(2), Route("a", -1), names=["a", None])
    assert repr(layer).endswith("Route('a', -1), names=('a', None))")
    assert "names" not in repr(Stacked(LSTM(2), Route(-1)))


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_layers_leave_what_they_are_given_as_it_is(case):
    """Outputs and gradients are handed to several layers where a join leads past some."""
    layer, x, lengths = case.built(), case.x(), np.array(case.lengths)
    before = x.copy()
    y, _ = layer.forward(x, lengths, training=True)
    np.testing.assert_array_equal(x, before)
    dy = np.random.default_rng(0).normal(size=y.shape)
    before = dy.copy()
    layer.backward(dy)
    np.testing.assert_array_equal(dy, before)


def test_layers_that_nothing_leads_on_from_get_no_gradient():
    layer = build(Stacked(LSTM(2), LSTM(3), Route(-2), Softmax(2)), (None, 2))
    for gradient in layer.gradients().values():
        gradient[:] = 7
    y, _ = layer.forward(sequences(2, (4, 2)), np.array([4, 2]), training=True)
    layer.backward(np.cos(y))
    assert not any(g.any() for name, g in layer.gradients().items() if name.startswith("1."))
    assert all(g.any() for name, g in layer.gradients().items() if not name.startswith("1."))


def test_an_input_that_no_gradient_flows_to():
    class Constant(Identity):
        def backward(self, dy):
            return np.zeros_like(dy)

    layer = build(Stacked(Constant()), (None, 2))
    x = sequences(2, (4, 2))
    layer.input_gradient = False
    layer.forward(x, np.array([4, 2]), training=True)
    assert layer.backward(x).shape == x.shape


def test_no_input_gradient_changes_no_gradient_of_weights():
    layer = build(
        Stacked(
            Columns(), Parallel(LSTM(2), Identity()), LSTM(4), Shortcut(-3, 1, 2), Route(-1, -4)
        ),
        (3, None, 1),
    )
    found = []
    for layer.input_gradient in (True, False):
        y, _ = layer.forward(images(3, 1, (5, 2)), np.array([5, 2]), training=True)
        layer.backward(np.cos(y))
        found.append({name: g.copy() for name, g in layer.gradients().items()})
    for name, gradient in found[0].items():
        np.testing.assert_array_equal(found[1][name], gradient)


def test_backward_needs_a_training_forward():
    layer = build(Stacked(LSTM(2), Shortcut(-2)), (None, 2))
    x = sequences(2, (4, 2))
    y, _ = layer.forward(x, np.array([4, 2]))
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)
    layer.forward(x, np.array([4, 2]), training=True)
    layer.backward(y)
    with pytest.raises(RuntimeError, match="training=True"):
        layer.backward(y)


def test_an_empty_series_gives_what_it_gets():
    layer = build(Stacked(), (None, 2))
    x = sequences(2, (4, 2))
    y, _ = layer.forward(x, np.array([4, 2]), training=True)
    assert y is x and layer.backward(x) is x


def test_series_deep_within_series_are_planned_in_no_time():
    """Planning each inside twice would need a million plans here."""
    planned = []

    class Watched(Identity):
        def plan(self, input_shape):
            planned.append(input_shape)
            return super().plan(input_shape)

    layer = Watched()
    for _ in range(20):
        layer = Stacked(layer)
    layer.build((None, 2), None)
    assert layer.plan((None, 2)) == ((None, 2), {}) and len(planned) < 100
    assert layer.plan((7, 3)) == ((7, 3), {})
    assert layer.products((7, 3)) == 0


class TestPlan:
    def test_shapes_step_by_step(self):
        plan = SeriesPlan((8, None, 1))
        assert plan.add(Convolution(4, 3), "c") == (8, None, 4)
        assert plan.add(MaxPool(2)) == (4, None, 4)
        assert plan.add(Route("c", -2)) == (8, None, 8)
        assert plan.add(Columns()) == (None, 64)
        assert plan.weights == [{"W": (3, 3, 1, 4), "b": (4,)}, {}, {}, {}]
        assert plan.shapes == [(8, None, 1), (8, None, 4), (4, None, 4), (8, None, 8), (None, 64)]

    @pytest.mark.parametrize(
        ("piece", "name", "told"),
        [
            (Softmax(3), None, "a softmax takes sequences"),
            (Route("d"), None, "no earlier layer"),
            (MaxPool(2), "c", "occurs twice"),
            (Route(-1, -2), None, r"channels of \(4, None, 1\) and \(8, None, 1\)"),
        ],
    )
    def test_what_does_not_fit_changes_nothing(self, piece, name, told):
        plan = SeriesPlan((8, None, 1))
        plan.add(MaxPool(2), "c")
        with pytest.raises(ValueError, match=told):
            plan.add(piece, name)
        assert len(plan.series.pieces) == len(plan.weights) == len(plan.buffers) == 1
        assert len(plan.shapes) == len(plan.lengths) == 2
        assert plan.add(MaxPool(2), "d") == (2, None, 1)

    def test_lengths_along_the_graph(self):
        plan = SeriesPlan((8, None, 1))
        for piece in (MaxPool(2), Convolution(1, 3, 2), Route(-2)):
            plan.add(piece)
        assert [lengths[0] for lengths in plan.lengths] == [65536, 32768, 16384, 32768]
        plan = SeriesPlan((28, 28, 1))
        plan.add(MaxPool(2))
        assert [lengths.tolist() for lengths in plan.lengths] == [[28], [14]]

    def test_widths_that_meet_only_now_and_then_are_refused(self):
        # Half of a width, rounded up and rounded down.
        plan = SeriesPlan((2, None, 1))
        plan.add(MaxPool((1, 2)))
        plan.add(Route(-2))
        plan.add(Convolution(1, 1, (1, 2)))
        with pytest.raises(ValueError, match="lengths are equal, not 32768 and"):
            plan.add(Route(-1, -3))
        with pytest.raises(ValueError, match="no whole stride"):
            plan.add(Shortcut(-3))
