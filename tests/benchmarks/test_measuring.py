"""How the figures of bin/benchmark speed come about."""

import sys
from contextlib import contextmanager
from importlib import import_module

import numpy as np
import pytest
from measuring import processes, subjects, turns
from measuring.line_files import repeat_images, true_texts
from measuring.networks import OURS, THEIRS, Times, is_hopeful
from measuring.options import SAMPLE
from measuring.peers import Tesseract
from measuring.processes import Finished
from measuring.spread import Spread, number, slope, spread
from measuring.subjects import DEFAULT, INFERENCE, OCROPUS, SUBJECTS, TRAINING
from measuring.tables import aligned

from ocrlstm.datasets import find_images


class TestSpread:
    def test_writes_median_lowest_and_highest(self):
        assert str(spread([0.25, 1234.5, 3])) == "3 (0.25-1,234)"
        assert str(spread([0.012345])) == "0.0123"

    def test_rates_and_ratios_are_taken_value_by_value(self):
        seconds = spread([1, 2, 4])
        assert seconds.rate(8).values == (8, 4, 2)
        assert spread([3, 8, 4, 9]).over(seconds).values == (3, 4, 1)
        assert seconds.times(10).record() == {"median": 20, "values": [10, 20, 40]}

    def test_no_value_is_no_spread(self):
        with pytest.raises(ValueError, match="at least one"):
            spread([])

    def test_slope_goes_from_first_to_last(self):
        assert slope([1, 3, 5], [10, 0, 18]) == 2


def test_number_has_three_digits_that_count():
    assert [number(x) for x in (0.5, 12.345, 100.4, 98765.4)] == ["0.5", "12.3", "100", "98,765"]


def test_table_columns_are_aligned_and_equal_first_cells_written_once():
    rows = [["", "lines"], ["ours", "1"], ["ours", "200"], ["theirs", "30"]]
    assert aligned(rows) == ["        lines", "ours        1", "          200", "theirs     30"]


class TestTurns:
    @pytest.fixture(autouse=True)
    def no_pause(self, monkeypatch):
        monkeypatch.setattr(turns, "PAUSE", 0)

    def test_functions_are_called_by_turns(self):
        calls = []
        functions = {name: lambda name=name: calls.append(name) for name in "ab"}
        found = turns.repeat(functions, {"a": 1.0, "b": 1.0}, 3)
        assert "".join(calls) == "ababab"
        assert [len(found[name].values) for name in "ab"] == [3, 3]

    def test_quick_functions_are_called_often_for_a_value_and_slow_ones_get_few_values(self):
        calls = {"quick": 0, "slow": 0}

        def count(name):
            calls[name] += 1

        functions = {name: lambda name=name: count(name) for name in calls}
        about = {"quick": turns.SHORTEST / 10, "slow": turns.LONGEST}
        found = turns.repeat(functions, about, 5)
        assert calls == {"quick": 50, "slow": turns.FEWEST}
        assert len(found["slow"].values) == turns.FEWEST

    def test_what_is_around_is_entered_but_not_timed(self, monkeypatch):
        clock = iter(range(100))
        monkeypatch.setattr(turns.time, "perf_counter", lambda: next(clock))
        inside = []

        @contextmanager
        def around(name):
            next(clock)
            inside.append(name)
            yield
            inside.pop()

        found = turns.repeat({1: lambda: inside or pytest.fail()}, {1: 1.0}, 2, around)
        assert found[1].values == (1, 1)  # one tick from the beginning of a call to its end


class TestSubjects:
    def test_multiply_adds_of_the_ocropus_net(self):
        # A frame: 2 directions of 4 gates of 100 cells, each of bias, 48 pixels and 100 states;
        # then 100 classes of bias and 200 features.
        network = subjects.build(OCROPUS.spec)
        lstm, softmax = 2 * 4 * 100 * 149 * 600, 100 * 201 * 600
        assert list(subjects.multiply_adds(network, 600).values()) == [lstm, softmax]
        assert subjects.operations(network, 600, INFERENCE) == 2 * (lstm + softmax)
        assert subjects.operations(network, 600, TRAINING) == 2 * (2 * lstm + 3 * softmax)

    def test_strides_and_pools_are_in_the_counts(self):
        # 5x5 of 1 channel to 16, on the half of 40 rows and of 900 columns.
        counts = subjects.multiply_adds(subjects.build(DEFAULT.spec), 900)
        assert next(iter(counts.values())) == 25 * 16 * 20 * 450

    def test_peepholes_are_counted_apart(self):
        weights, peepholes = subjects.weight_count(subjects.build("[1,8,0,1 Lbx5 O1c]", 3))
        assert peepholes == 2 * 3 * 5
        assert weights == 2 * 4 * 5 * (1 + 8 + 5) + 3 * (1 + 10)

    def test_training_changes_the_weights_and_inference_does_not(self):
        network = subjects.build("[1,8,0,1 Lbx5 O1c]", 3)
        actions = subjects.actions(network, subjects.draw_batch(8, 30, 2, 3, labels=4))
        before = {name: array.copy() for name, array in network.parameters().items()}
        actions[INFERENCE]()
        assert all((network.parameters()[name] == array).all() for name, array in before.items())
        actions[TRAINING]()
        assert all((network.parameters()[name] != array).any() for name, array in before.items())


@pytest.fixture
def torch_side():
    """The module of networks in PyTorch, on one thread: the machine may be busy with others."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield import_module("measuring.torch_network")
    torch.set_num_threads(threads)


class TestTorch:
    @pytest.mark.parametrize("name", SUBJECTS)
    def test_as_many_weights_and_outputs_as_ours(self, torch_side, name):
        subject = SUBJECTS[name]
        network = subjects.build(subject.spec)
        batch = subjects.draw_batch(network.height, 120, 1, labels=5)
        expected = network.forward(batch.x, batch.widths)[0].shape
        for layout in torch_side.LAYOUTS:
            theirs = torch_side.TorchNetwork(subject.spec, layout)
            assert theirs.weight_count() == subjects.weight_count(network)[0]
            posteriors = torch_side.actions(theirs, batch)[INFERENCE]()
            assert tuple(posteriors.shape) == expected
            np.testing.assert_allclose(posteriors.exp().sum(2).numpy(), 1, rtol=1e-5)

    def test_training_changes_the_weights(self, torch_side):
        spec = "[1,8,0,1 Cr3,3,4 Mp2,2 S1(1x0)1,3 Lbx5 Do0.1,2 O1c]"
        network = torch_side.TorchNetwork(spec, classes=3)
        before = [weights.detach().clone() for weights in network.parameters()]
        torch_side.actions(network, subjects.draw_batch(8, 30, 2, 3, labels=4))[TRAINING]()
        after = network.parameters()
        assert all((a != b).any() for a, b in zip(before, after, strict=True))


def test_best_batch_size_is_that_of_most_lines_a_second():
    rates = {
        (OURS, INFERENCE, 1): Spread((30.0, 50.0)),
        (OURS, INFERENCE, 8): Spread((60.0, 90.0)),
        (THEIRS, INFERENCE, 1): Spread((20.0, 45.0)),
        (THEIRS, INFERENCE, 8): Spread((10.0, 40.0)),
    }
    times = Times(OCROPUS, None, rates)
    assert (times.best(OURS, INFERENCE), times.best(THEIRS, INFERENCE)) == (8, 1)
    assert times.ratio(INFERENCE).values == (3, 2)
    assert times.ratio(INFERENCE, 1).values == (1.5, 50 / 45)
    assert times.ratio(TRAINING) is None


def test_only_batch_sizes_much_slower_than_the_best_of_their_side_are_given_up():
    about = {
        (OURS, TRAINING, 1): 1.0,
        (OURS, TRAINING, 8): 1.0,
        (OURS, TRAINING, 32): 10.0,  # 3.2 lines a second, and 8 at the best
        (THEIRS, TRAINING, 32): 40.0,
    }
    assert [size for side, _, size in filter(lambda c: is_hopeful(c, about), about)] == [1, 8, 32]


class TestProcesses:
    def test_peak_memory_is_that_of_the_child_alone(self):
        ballast = np.ones(25_000_000)  # 200 MB here
        small = processes.run([sys.executable, "-c", "print('done')"])
        large = processes.run([sys.executable, "-c", "x = b'x' * 100_000_000"])
        assert small.outputs == ("done\n",)
        assert small.megabytes < 60 < 100 < large.megabytes < 160
        assert ballast.nbytes == 200_000_000

    def test_failure_is_told_with_what_the_command_wrote(self):
        with pytest.raises(RuntimeError, match="no such luck"):
            processes.run([sys.executable, "-c", "raise SystemExit('no such luck')"])

    def test_commands_side_by_side_take_the_time_of_the_longest(self):
        commands = [[sys.executable, "-c", f"import time; time.sleep({s})"] for s in (0.5, 0.5)]
        assert 0.5 < processes.run_side_by_side(commands).seconds < 1.0


class TestLines:
    def test_repeats_are_files_of_their_own_in_order(self, tmp_path):
        images = repeat_images(SAMPLE, tmp_path, 90)
        assert find_images([tmp_path]) == images
        assert images[41].read_bytes() == find_images([SAMPLE])[1].read_bytes()
        texts = true_texts(SAMPLE, 90)
        assert len(texts) == 90
        assert texts[41] == texts[1] != texts[0]

    def test_texts_of_several_processes_come_in_the_order_of_the_images(self):
        finished = Finished(1.0, 0, ("a\n\fc\n\f", "b\n\f"))
        assert Tesseract().texts(finished, 3) == ["a", "b", "c"]
        assert Tesseract().texts(finished, 9) == []
