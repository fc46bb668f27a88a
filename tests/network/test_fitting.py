"""compile, fit, predict and evaluate: data in all its forms, and what is learnt."""

import numpy as np
import pytest

from ocrlstm.errors import TrainingError
from ocrlstm.layers import (
    LSTM,
    RNN,
    BatchNorm,
    Bidirectional,
    Columns,
    Connected,
    Convolution,
    Cost,
    Dropout,
    Identity,
    MaxPool,
    Route,
    Softmax,
)
from ocrlstm.losses import mse_loss
from ocrlstm.network import Evaluation, History, Network
from ocrlstm.optimizers import SGD, Adam, ReduceOnPlateau


def network(shape, *layers, dtype=np.float32):
    made = Network(input_shape=shape, dtype=dtype)
    for layer in layers:
        made.add(layer)
    return made


def copies(made):
    return {name: array.copy() for name, array in made.arrays().items()}


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


def linear(rng, items=50):
    """Vectors, and what a linear map makes of them."""
    x = rng.normal(size=(items, 3))
    return x, x @ np.array([[1.0, -2.0], [0.5, 0.0], [0.0, 3.0]]) + 1


class TestLearning:
    def test_a_linear_map(self):
        x, y = linear(np.random.default_rng(0))
        made = network((1, 3), Connected(2)).compile(Adam(0.1), "mse")
        history = made.fit(x, y, epochs=40)
        assert isinstance(history, History) and not history.interrupted
        assert [record.epoch for record in history.records] == list(range(1, 41))
        assert history.records[-1].loss < 1e-3 < history.records[0].loss
        assert history.records[0].accuracy is history.records[0].validation_loss is None
        assert history.records[0].rate == 0.1 and history.records[0].seconds > 0
        np.testing.assert_allclose(made.predict(x), y, atol=0.1)

    def test_classes_of_images(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 3, 90)
        x = rng.normal(0, 0.3, (90, 6, 6))
        for image, label in zip(x, y, strict=True):
            image[2 * label : 2 * label + 2] += 1
        made = network((6, 6, 1), Convolution(4, 3, activation="relu"), MaxPool(2), Columns())
        made.add(LSTM(8, sequences=False)).add(Softmax(3)).compile(Adam(0.02), "cross_entropy")
        history = made.fit(x, y, epochs=15, validation=0.2)
        last = history.records[-1]
        assert last.accuracy > 0.95 and last.validation_accuracy > 0.9
        assert made.predict(x).shape == (90, 3)
        found = made.evaluate(x, y)
        assert found.items == 90
        assert found.accuracy == (made.predict(x).argmax(axis=1) == y).mean()

    def test_sums_of_sequences_of_any_length(self):
        rng = np.random.default_rng(0)
        x = [rng.integers(0, 2, n).astype(float) for n in rng.integers(1, 7, 200)]
        y = np.array([item.sum() for item in x])
        made = network((None, 1), RNN(8, sequences=False), Connected(1))
        made.compile(Adam(0.01), "mse").fit(x, y, epochs=40)
        assert made.evaluate(x, y).loss < 0.1

    def test_texts(self):
        rng = np.random.default_rng(0)
        y = [rng.integers(1, 4, rng.integers(1, 5)) for _ in range(60)]
        x = [np.repeat(np.eye(4)[labels], 3, axis=0) for labels in y]
        made = network((None, 4), Bidirectional(LSTM(8)), Softmax(4)).compile(Adam(0.02), "ctc")
        history = made.fit(x, y, epochs=20, validation=(x[:9], y[:9]))
        assert history.records[-1].validation_loss < history.records[0].validation_loss / 3
        assert history.records[-1].accuracy is None
        outputs = made.predict(x)
        assert [output.shape for output in outputs] == [(len(item), 4) for item in x]

    def test_a_classes_of_frames_and_running_statistics(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(40, 9, 2))
        y = (x[..., 0] > 0).astype(int)
        made = network((None, 2), BatchNorm(), Connected(8, "tanh"), Softmax(2))
        made.compile(Adam(0.05), "cross_entropy")
        lengths = rng.integers(3, 10, 40)
        history = made.fit(x, y, lengths=lengths, epochs=30)
        assert history.records[-1].accuracy > 0.95
        assert made.evaluate(x, y, lengths=lengths).accuracy > 0.95
        assert abs(made.buffers()["Bn_0.variance"] - 1).max() < 0.5

    def test_a_cost_at_the_end_and_a_loss_of_ones_own(self):
        x, y = linear(np.random.default_rng(0))
        losses = []
        for end, loss in (
            ([Cost("mse", 2.0)], None),
            ([], lambda *a: [2 * part for part in mse_loss(*a)]),
        ):
            made = network((1, 3), Connected(2), *end).compile(SGD(0.01), loss)
            losses.append([record.loss for record in made.fit(x, y, epochs=3).records])
        assert losses[0] == losses[1]


class TestForms:
    """The same data in every form that is understood give the same weights."""

    def check(self, shape, layers, loss, forms, epochs=2):
        results = []
        for x, y, lengths in forms:
            made = network(shape, *[layer() for layer in layers]).compile(Adam(0.01), loss)
            made.fit(x, y, lengths=lengths, epochs=epochs, batch_size=4)
            results.append((made, copies(made), made.evaluate(x, y, lengths=lengths)))
        for _, arrays, evaluation in results[1:]:
            assert same(arrays, results[0][1])
            assert evaluation == results[0][2]
        return results[0][0]

    def test_images(self):
        rng = np.random.default_rng(0)
        x, y = rng.integers(0, 200, (10, 4, 6)).astype(np.uint8), rng.integers(0, 3, 10)
        layers = [
            lambda: Convolution(2, 3),
            Columns,
            lambda: RNN(3, sequences=False),
            lambda: Softmax(3),
        ]
        forms = [
            (x, y, None), (x[..., None], y.tolist(), None), (list(x), list(y), None),
            (list(x[..., None] / 1.0), y.astype(np.int32), None), (x, y[:, None], None),
            (x, np.eye(3)[y], None), (x, np.eye(3)[y][:, None], np.full(10, 6)),
            (x, list(np.eye(3, dtype=int)[y]), None), (x, np.eye(3, dtype=int)[y], None),
        ]  # fmt: skip
        self.check((4, None, 1), layers, "cross_entropy", forms)
        self.check((4, 6, 1), layers, "cross_entropy", forms)

    def test_vectors(self):
        x, y = linear(np.random.default_rng(0), 10)
        forms = [
            (x, y, None), (x[:, None], y[:, None], None), (list(x), list(y), None),
            (x.tolist(), y.tolist(), None), (x, list(y[:, None]), None),
        ]  # fmt: skip
        self.check((1, 3), [lambda: Connected(2)], "mse", forms)
        forms = [
            (x, y[:, 0], None),
            (x, y[:, :1], None),
            (x, y[:, :1, None], None),
            (x, list(y[:, 0]), None),
        ]
        self.check((1, 3), [lambda: Connected(1)], "mse", forms)

    def test_sequences_of_unequal_lengths(self):
        rng = np.random.default_rng(0)
        lengths = np.array([5, 1, 3, 5, 2, 4, 5, 1, 2])
        x, y = rng.normal(size=(9, 5)), rng.normal(size=(9, 5))
        cut = [[a[:n] for a, n in zip(array, lengths, strict=True)] for array in (x, y)]
        forms = [
            (x, y, lengths), (x[..., None], y[..., None], lengths.tolist()), (*cut, None),
            ([a[:, None] for a in cut[0]], y, None), (np.pad(x, [(0, 0), (0, 2)]), cut[1], lengths),
        ]  # fmt: skip
        made = self.check((None, 1), [lambda: RNN(3), lambda: Connected(1)], "mse", forms)
        for one, other in zip(made.predict(x, lengths), made.predict(cut[0]), strict=True):
            np.testing.assert_array_equal(one, other)

    def test_classes_of_pixels(self):
        rng = np.random.default_rng(0)
        lengths = np.array([6, 2, 5, 6])
        x, y = rng.normal(size=(4, 3, 6)), rng.integers(0, 2, (4, 3, 6))
        cut = [[a[:, :n] for a, n in zip(array, lengths, strict=True)] for array in (x, y)]
        layers = [lambda: Convolution(2, 3), lambda: Softmax()]
        forms = [(x, y, lengths), (*cut, None), (x, np.eye(2)[y], lengths)]
        made = self.check((3, None, 1), layers, "cross_entropy", forms)
        outputs = made.predict(cut[0])
        assert [o.shape for o in outputs] == [(3, n, 2) for n in lengths]
        right = sum((o.argmax(axis=-1) == t).sum() for o, t in zip(outputs, cut[1], strict=True))
        found = made.evaluate(x, y, lengths=lengths)
        assert found.accuracy == right / (3 * lengths.sum())


class TestPredict:
    def test_one_size_is_an_array(self):
        x = np.random.default_rng(0).normal(size=(5, 7, 2)).astype(np.float32)
        sequences = network((None, 2), LSTM(3)).build(np.random.default_rng(0))
        y = sequences.predict(x)
        assert y.shape == (5, 7, 3)
        direct, _ = sequences.forward(np.ascontiguousarray(x.swapaxes(0, 1)), np.full(5, 7))
        np.testing.assert_allclose(y.swapaxes(0, 1), direct, atol=1e-6)
        vectors = network((None, 2), LSTM(3, sequences=False)).build(np.random.default_rng(0))
        np.testing.assert_array_equal(vectors.predict(x), y[:, -1])
        images = network((7, 2, 1), Convolution(3, 3)).build(np.random.default_rng(0))
        assert images.predict(x).shape == (5, 7, 2, 3)

    def test_the_form_of_the_input_tells_that_of_the_output(self):
        made = network((4, None, 1), MaxPool(2)).build()
        x = np.zeros((3, 4, 9))
        assert made.predict(x).shape == (3, 2, 4, 1)
        assert [y.shape for y in made.predict(x, np.array([9, 9, 9]))] == 3 * [(2, 4, 1)]
        assert [y.shape for y in made.predict(list(x))] == 3 * [(2, 4, 1)]
        assert [y.shape for y in made.predict(x, [9, 1, 4])] == [(2, 4, 1), (2, 0, 1), (2, 2, 1)]
        vectors = network((None, 2), LSTM(3, sequences=False)).build()
        assert vectors.predict([np.ones((4, 2)), np.ones((1, 2))]).shape == (2, 3)

    def test_padding_may_be_anything(self):
        x, y = np.ones((2, 5, 2)), np.zeros((2, 5, 3))
        made = network((None, 2), LSTM(3)).compile(loss="mse")
        expected = made.evaluate(x, y, lengths=[5, 2])
        x[1, 2:], y[1, 2:] = np.nan, np.nan
        assert made.evaluate(x, y, lengths=[5, 2]) == expected

    @pytest.mark.parametrize("batch_size", [1, 2, 3, 100])
    def test_any_batch_size_gives_the_same(self, batch_size):
        rng = np.random.default_rng(0)
        x = [rng.normal(size=(n, 2)) for n in (3, 1, 7, 2, 5)]
        y = [rng.normal(size=(n, 3)) for n in (3, 1, 7, 2, 5)]
        made = network((None, 2), LSTM(3)).compile(loss="mse")
        for one, other in zip(made.predict(x, batch_size=batch_size), made.predict(x), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-6)
        assert made.evaluate(x, y, batch_size=batch_size).loss == pytest.approx(
            made.evaluate(x, y).loss, rel=1e-6
        )

    def test_no_items(self):
        assert network((None, 2), LSTM(3)).build().predict(np.zeros((0, 7, 2))).shape == (0, 7, 3)
        assert network((None, 2), LSTM(3)).build().predict([]) == []
        assert network((1, 2), Connected(3)).build().predict([]).shape == (0, 3)

    def test_what_lies_beyond_the_lengths_does_not_matter(self):
        x = np.random.default_rng(0).normal(size=(2, 7, 2))
        made = network((None, 2), Bidirectional(LSTM(3))).build(np.random.default_rng(0))
        before = made.predict(x, [3, 7])
        x[0, 3:] = 99
        for one, other in zip(made.predict(x, [3, 7]), before, strict=True):
            np.testing.assert_array_equal(one, other)


class TestCourse:
    def make(self, *, seed=0, dropout=0.3):
        made = network((1, 3), Connected(6, "tanh"), Dropout(dropout), Connected(2))
        return made.compile(Adam(0.02), "mse", seed=seed)

    def test_a_seed_gives_the_same_weights_whatever_numpy_s_own_state(self):
        x, y = linear(np.random.default_rng(0))
        results = []
        for seed in (0, 0, 1):
            np.random.seed(len(results))
            made = self.make()
            made.fit(x, y, epochs=2, seed=seed, validation=0.3)
            results.append(copies(made))
        assert same(results[0], results[1]) and not same(results[0], results[2])
        assert not same(copies(self.make(seed=0)), copies(self.make(seed=1)))

    def test_the_last_items_are_not_left_out(self):
        x, y = linear(np.random.default_rng(0), 5)
        made = network((1, 3), Connected(2)).compile(SGD(0.1), "mse")
        seen = []
        forward = made.forward
        made.forward = lambda x, *rest, **more: seen.append(x.shape[1]) or forward(x, *rest, **more)
        made.fit(x, y, epochs=1, batch_size=2, shuffle=False)
        assert seen == [2, 2, 1]

    def test_shuffle(self):
        x, y = linear(np.random.default_rng(0))
        results = []
        for shuffle in (True, False, False):
            made = self.make(dropout=0.0)
            made.fit(x, y, epochs=1, batch_size=5, shuffle=shuffle)
            results.append(copies(made))
        assert not same(results[0], results[1]) and same(results[1], results[2])

    def test_one_step_is_the_mean_gradient_of_the_batch(self):
        x, y = linear(np.random.default_rng(0), 4)
        made = network((1, 3), Connected(2), dtype=np.float64).compile(SGD(0.5), "mse")
        before = copies(made)
        made.fit(x, y, epochs=1)
        d = x @ before["Fl_0.W"].T + before["Fl_0.b"] - y
        np.testing.assert_allclose(
            made.arrays()["Fl_0.b"], before["Fl_0.b"] - 0.5 * d.mean(axis=0), rtol=1e-6
        )

    def test_clipping(self):
        x, y = linear(np.random.default_rng(0), 4)
        moved = {}
        for name in ("clip", "clip_value"):
            made = network((1, 3), Connected(2), dtype=np.float64).compile(SGD(1.0), "mse")
            before = copies(made)
            made.fit(x, 100 * y, epochs=1, **{name: 0.125})
            moved[name] = np.concatenate(
                [(array - before[k]).ravel() for k, array in made.arrays().items()]
            )
        assert np.linalg.norm(moved["clip"]) == pytest.approx(0.125)
        assert np.abs(moved["clip_value"]).max() == pytest.approx(0.125)
        assert np.linalg.norm(moved["clip_value"]) > 0.2

    def test_schedules(self):
        x, y = linear(np.random.default_rng(0), 4)

        def rates(schedule, **more):
            made = network((1, 3), Connected(2)).compile(SGD(0.5), "mse")
            records = made.fit(x, y, epochs=5, schedule=schedule, **more).records
            return [round(record.rate, 6) for record in records]

        assert rates(None) == 5 * [0.5]
        assert rates("linear") == [0.5, 0.375, 0.25, 0.125, 0]
        assert rates(lambda progress: 1 + progress) == [0.5, 0.625, 0.75, 0.875, 1]
        assert rates("linear", batch_size=2) == [
            round(0.5 * (1 - n / 9), 6) for n in (1, 3, 5, 7, 9)
        ]
        told = []

        class Falling:
            value = 1.0

            def step(self, measured):
                told.append(measured)
                self.value /= 2
                return self.value

        assert rates(Falling()) == [0.5, 0.25, 0.125, 0.0625, 0.03125]
        assert len(told) == 5 and told[-1] < told[0]
        assert rates(ReduceOnPlateau(factor=0.1, patience=0), validation=(x, 0 * y + 99))[0] == 0.5

    def test_the_optimizer_goes_on_from_fit_to_fit(self):
        x, y = linear(np.random.default_rng(0))
        optimizer = Adam(0.02)
        made = network((1, 3), Connected(2)).compile(optimizer, "mse")
        made.fit(x, y, epochs=2)
        made.fit(x, y, epochs=3)
        assert optimizer.step == 5 * 2

    def test_patience_keeps_the_best_weights(self):
        x, y = linear(np.random.default_rng(0))
        made = self.make()
        states = []
        history = made.fit(
            x, y, epochs=50, validation=(x, 0 * y - 1), patience=3,
            progress=lambda record: states.append(copies(made)),
        )  # fmt: skip
        losses = [record.validation_loss for record in history.records]
        best = int(np.argmin(losses))
        assert history.best_epoch == best + 1 and len(losses) == best + 4 < 50
        assert same(copies(made), states[best])
        assert made.evaluate(x, 0 * y - 1).loss == pytest.approx(losses[best])

    def test_an_interrupt_keeps_what_was_learnt(self):
        x, y = linear(np.random.default_rng(0))

        def interrupt(record):
            if record.epoch == 3:
                raise KeyboardInterrupt

        made, other = self.make(), self.make()
        history = made.fit(x, y, progress=interrupt)
        assert history.interrupted and [r.epoch for r in history.records] == [1, 2, 3]
        other.fit(x, y, epochs=3)
        assert same(copies(made), copies(other))

    def test_what_is_held_back_is_not_trained_on(self):
        x, y = linear(np.random.default_rng(0), 10)
        seen = []
        made = network((1, 3), Connected(2), dtype=np.float64).compile(SGD(0.1), "mse")
        forward = made.forward

        def watch(x, *rest, training=False):
            seen.extend((training, row[0]) for row in x[0])
            return forward(x, *rest, training=training)

        made.forward = watch
        made.fit(x, y, epochs=3, validation=0.3)
        trained, measured = ({v for t, v in seen if t is kind} for kind in (True, False))
        assert (len(trained), len(measured)) == (7, 3) and not trained & measured

    def test_a_loss_that_is_not_finite_leaves_weights_and_statistics(self):
        x, y = linear(np.random.default_rng(0))
        for loss in (
            lambda outputs, lengths, targets: (np.full(len(lengths), np.inf), outputs),
            lambda outputs, lengths, targets: (
                np.zeros(len(lengths)),
                np.full_like(outputs, np.inf),
            ),
        ):
            made = network((1, 3), BatchNorm(), Connected(2)).compile(SGD(0.1), loss)
            before = copies(made)
            with pytest.raises(TrainingError, match="epoch 1, step 1: .* not finite"):
                made.fit(x, y, epochs=1)
            assert same(copies(made), before)


SHORT = np.zeros((1, 3, 2))

REFUSED = [
    # x, y, more, what is told
    (np.zeros((4, 3)), np.zeros((5, 2)), {}, "4 items in x, but 5 in y"),
    (np.zeros((4, 4)), np.zeros((4, 2)), {}, r"x must be of shape \(items, 1, 3\), not \(4, 4\)"),
    (np.zeros((4, 3)), np.zeros((4, 3)), {}, r"y must be of shape \(items, 1, 2\), not \(4, 3\)"),
    (
        [np.zeros(3), np.zeros(2)],
        np.zeros((2, 2)),
        {},
        r"x\[1\] must be of shape \(1, 3\), not \(2,\)",
    ),
    (
        np.zeros((2, 3)),
        [np.zeros(2), np.zeros(3)],
        {},
        r"y\[1\] must be of shape \(1, 2\), not \(3,\)",
    ),
    (np.array([["a"] * 3]), np.zeros((1, 2)), {}, "x must be numbers"),
    (5, np.zeros((1, 2)), {}, "x must be an array or a list, not int"),
    ([[1, [2], 3]], np.zeros((1, 2)), {}, "x holds lists of unequal lengths within an item"),
    (np.full((1, 3), 1e39), np.zeros((1, 2)), {}, "x holds numbers that are not finite in float32"),
    (np.zeros((1, 3)), np.full((1, 2), np.nan), {}, "y holds numbers that are not finite"),
    (np.zeros((1, 3)), [[0.0, -np.inf]], {}, "y holds numbers that are not finite"),
    (np.full((1, 3), np.nan), np.zeros((1, 2)), {}, "x holds numbers that are not finite"),
    (np.zeros((0, 3)), np.zeros((0, 2)), {}, "no items in x"),
    ([], [], {}, "no items in x"),
    (np.zeros((4, 3)), 5, {}, "y must be an array or a list, not int"),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"lengths": [1]},
        "4 items need 4 whole numbers as lengths",
    ),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"lengths": [1, 1, 1, 2]}, "lengths must lie in 0 to 1"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"lengths": [1.0] * 4}, "whole numbers as lengths"),
    ([np.zeros(3)], np.zeros((1, 2)), {"lengths": [1]}, "items of a list have their own"),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"batch_size": 0},
        "batch_size must be a whole number of at least 1, not 0",
    ),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"epochs": 0},
        "epochs must be a whole number of at least 1",
    ),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"seed": -1},
        "seed must be a whole number of at least 0, not -1",
    ),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"clip": 0}, "clip must be above 0"),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"clip_value": float("nan")},
        "clip_value must be above 0",
    ),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"patience": 1}, "patience needs a validation"),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"patience": 0, "validation": 0.5},
        "patience must be a whole",
    ),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": 0.0}, r"lies in \(0, 1\)"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": 1.0}, r"lies in \(0, 1\)"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": 0.1}, "not 0.1 of 4"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": (np.zeros((1, 3)), [])}, "1 items in x"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": float("nan")}, r"lies in \(0, 1\)"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": [0, 1]}, r"a tuple \(x, y\) .* not list"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"validation": (0,)}, r"\(x, y\) .* not a tuple of 1"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"batch_size": 2.5}, "batch_size must be a whole number"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"epochs": 1.5}, "whole number of at least 1, not 1.5"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"schedule": lambda progress: -1}, "0 or more, not -1"),
    (
        np.zeros((4, 3)),
        np.zeros((4, 2)),
        {"schedule": lambda progress: float("nan")},
        "a schedule gives a factor of 0 or more, not nan",
    ),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"schedule": lambda progress: None}, "more, not None"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"schedule": "sine"}, "'sine' is no schedule; choose one"),
    (np.zeros((4, 3)), np.zeros((4, 2)), {"schedule": 3}, "a schedule is a name, a function"),
]


class TestRefused:
    @pytest.mark.parametrize(("x", "y", "more", "told"), REFUSED, ids=[case[3] for case in REFUSED])
    def test_data_and_settings(self, x, y, more, told):
        made = network((1, 3), Connected(2)).compile(loss="mse")
        before = copies(made)
        with pytest.raises(ValueError, match=told) as error:
            made.fit(x, y, **more)
        assert "\n" not in str(error.value)
        assert same(copies(made), before)

    @pytest.mark.parametrize(
        ("loss", "x", "y", "told"),
        [
            ("ctc", SHORT, [[1, 1, 2]], r"y\[0\] has 3 labels, which need 4 frames; .* 3"),
            ("ctc", SHORT, [[4]], r"y\[0\]: labels must lie in \[1, 4\), not in \[4, 4\]"),
            ("ctc", SHORT, [["a"]], r"y\[0\] must be a list of labels"),
            ("ctc", SHORT, np.ones((1, 1, 1), int), r"list of labels, not int64 of shape"),
            ("cross_entropy", SHORT, [3], "not one label"),
            ("cross_entropy", SHORT, [[0, 1, 4]], r"labels must lie in \[0, 4\)"),
            ("cross_entropy", SHORT, [[0, 1]], r"labels of shape \(3,\)"),
            # More than the frames: most likely one for each frame of an input that is pooled.
            ("cross_entropy", SHORT, np.ones((1, 6), int), "y has 6 frames .* gives up to 3"),
            ("cross_entropy", SHORT, [[1] * 6], r"y\[0\] must be labels of shape \(3,\), not \(6"),
            ("mse", SHORT, np.zeros((1, 6, 4)), "y has 6 frames or columns, .* gives up to 3"),
            ("cross_entropy", SHORT, [0.5], "classes are whole numbers"),
            ("mse", SHORT, np.zeros((1, 2, 4)), "y has 2 frames or columns, .* up to 3"),
            ("mse", [np.zeros((3, 2))], [np.zeros((2, 4))], r"y\[0\] has 2 frames .* gives 3"),
        ],
    )  # fmt: skip
    def test_targets(self, loss, x, y, told):
        made = network((None, 2), Softmax(4)).compile(loss=loss)
        for ask in (made.fit, made.evaluate):
            with pytest.raises(ValueError, match=told):
                ask(x, y)

    def test_labels_are_looked_at_before_anything_is_learnt(self):
        for loss, y in (("ctc", 5 * [[1]] + [[4]]), ("cross_entropy", 5 * [[0] * 3] + [[0, 0, 4]])):
            made = network((None, 2), BatchNorm(), Softmax(4)).compile(loss=loss)
            before = copies(made)
            with pytest.raises(ValueError, match=r"y\[5\]: labels must lie in"):
                made.fit(np.ones((6, 3, 2)), y, batch_size=1, shuffle=False)
            assert same(copies(made), before)

    @pytest.mark.parametrize("loss", ["ctc", "ocropus"])
    def test_texts_need_log_posteriors(self, loss):
        for end in (Softmax(4, log=False), Connected(4)):
            made = network((None, 2), end).compile(loss=loss)
            with pytest.raises(ValueError, match="takes log posteriors, .* end with a Softmax"):
                made.fit(np.ones((1, 3, 2)), [[1]])

    def test_lengths_of_items_that_all_have_one(self):
        made = network((5, 2), LSTM(3)).build()
        with pytest.raises(ValueError, match="have 5 columns or frames, not 3 to 5"):
            made.predict(np.zeros((2, 5, 2)), [3, 5])

    def test_losses(self):
        made = network((1, 3), Connected(2))
        with pytest.raises(ValueError, match="compile needs a loss: a function, or one of binary"):
            made.compile()
        with pytest.raises(ValueError, match="'best' is no loss; choose one of"):
            made.compile(loss="best")
        with pytest.raises(ValueError, match="a loss is a function, or one of .*, not 5"):
            made.compile(loss=5)
        with pytest.raises(ValueError, match="'best' is no optimizer; choose one of"):
            made.compile("best", "mse")
        with pytest.raises(ValueError, match="{} is no optimizer; choose one of"):
            made.compile({}, "mse")
        assert not made.built
        with pytest.raises(ValueError, match=r"ends with Cost\('mse'\); compile it without"):
            network((1, 3), Connected(2), Cost("mse")).compile(loss="mse")
        with pytest.raises(ValueError, match="ctc takes sequences"):
            network((3, 4, 1), Softmax()).compile(loss="ctc")
        with pytest.raises(ValueError, match="several items of one"):
            network((1, 3), Route(-1, -1, axis="batch")).compile(loss="mse")

    def test_a_loss_of_ones_own_may_compute_in_another_type(self):
        def loss(outputs, lengths, targets):
            losses, gradient = mse_loss(outputs, lengths, targets)
            return losses.tolist(), gradient.astype(np.float64)

        x, y = linear(np.random.default_rng(0))
        made = network((1, 3), Connected(2)).compile(SGD(0.01), loss)
        backward, told = made.backward, []
        made.backward = lambda dy: told.append(dy.dtype) or backward(dy)
        other = network((1, 3), Connected(2)).compile(SGD(0.01), "mse")
        assert made.fit(x, y).records[-1].loss == other.fit(x, y).records[-1].loss
        assert set(told) == {np.dtype(np.float32)}

    def test_a_loss_of_ones_own_that_gives_something_else(self):
        made = network((1, 3), Connected(2)).compile(loss=lambda y, lengths, t: (np.zeros(1), y))
        with pytest.raises(ValueError, match=r"a loss gives losses \(4,\) and .*, not \(1,\)"):
            made.fit(np.zeros((4, 3)), np.zeros((4, 2)))

    def test_before_compile(self):
        made = network((1, 3), Connected(2))
        for ask in (made.fit, made.evaluate):
            with pytest.raises(ValueError, match="compiled first"):
                ask(np.zeros((4, 3)), np.zeros((4, 2)))
        with pytest.raises(RuntimeError, match="network that is built"):
            made.predict(np.zeros((4, 3)))

    def test_nothing_to_train_or_to_predict(self):
        with pytest.raises(ValueError, match="no weights to train"):
            network((1, 3), Identity()).compile(loss="mse").fit(np.zeros((1, 3)), np.zeros((1, 3)))
        with pytest.raises(ValueError, match="several items of one"):
            network((1, 3), Route(-1, -1, axis="batch")).build().predict(np.zeros((4, 3)))


def test_compile_builds_once():
    made = network((1, 3), Connected(2)).compile(loss="mse", seed=3)
    before = copies(made)
    assert made.compile("sgd", "mae", seed=4) is made
    assert same(copies(made), before)
    other = network((1, 3), Connected(2)).build(np.random.default_rng(3))
    assert same(copies(other), before)


def test_compile_draws_weights_for_a_spec_that_was_given_none():
    made = Network("[1,1,3 Fr4 Fl2]").compile(Adam(0.1), "mse", seed=3)
    drawn = copies(made)
    assert same(drawn, copies(Network("[1,1,3 Fr4 Fl2]", rng=np.random.default_rng(3))))
    x, y = linear(np.random.default_rng(0))
    made.fit(x, y, epochs=1)
    assert not any(np.array_equal(array, drawn[name]) for name, array in made.arrays().items())


def test_evaluate_changes_nothing():
    x, y = linear(np.random.default_rng(0))
    made = network((1, 3), BatchNorm(), Connected(2)).compile(loss="mse")
    before = copies(made)
    assert made.evaluate(x, y) == made.evaluate(x, y)
    assert isinstance(made.evaluate(x, y), Evaluation)
    assert same(copies(made), before)


def test_networks_of_a_spec_learn_too():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20, 4, 9))
    y = [[1 + int(image.sum() > 0)] for image in x]
    made = Network("[1,4,0,1 Cr3,3,2 Lbx4 O1c3]", rng=rng).compile(Adam(0.02), "ctc")
    records = made.fit(x, y, epochs=5).records
    assert records[-1].loss < records[0].loss
