"""Epochs read back from what a training leaves, as a table and as a picture."""

import dataclasses
import json
import math
import re

import numpy as np
import pytest

from ocrlstm.errors import ModelFileError, OutputError
from ocrlstm.image import read_image
from ocrlstm.network import load_model_file, save_model
from ocrlstm.training import (
    EpochRecord,
    LivePlot,
    Message,
    RunHistory,
    draw_histories,
    format_history,
    history_plot,
    live_plot,
    read_history,
)
from ocrlstm.training.log import write_log


def make_records(rates, best=None):
    """Epochs with these CERs; the lowest so far are the best ones, or those told."""
    records, lowest = [], math.inf
    for epoch, rate in enumerate(rates, 1):
        is_best = rate <= lowest if best is None else epoch in best
        lowest = min(lowest, rate)
        records.append(EpochRecord(epoch, 3 * epoch, 11 * epoch, 90 / epoch, rate, is_best, 1e-3,
                                   2.5 * epoch, 40.0))  # fmt: skip
    return tuple(records)


def make_history(tmp_path, rates, name="model", **more):
    return RunHistory(tmp_path / f"{name}.csv", make_records(rates, **more))


class TestReading:
    def test_from_all_files_of_a_run(self, train_tiny, tmp_path, tiny):
        result = train_tiny(config=dataclasses.replace(tiny, epochs=3))
        model = tmp_path / "model.safetensors"
        for suffix in (".csv", ".ckpt"):
            history = read_history(model.with_suffix(suffix))
            assert history.records == tuple(result.history)
        history = read_history(model)
        assert [r.timeless() for r in history.records] == [r.timeless() for r in result.history]
        assert all(math.isnan(record.seconds) for record in history.records)
        assert history.best.epoch == result.model.metadata["best_epoch"]

    def test_as_json(self, train_tiny, tmp_path):
        result = train_tiny()
        values = json.loads(json.dumps(read_history(tmp_path / "model.safetensors").to_dict()))
        assert values["path"] == str(tmp_path / "model.safetensors")
        assert values["epochs"] == 2
        assert values["best_epoch"] == result.model.metadata["best_epoch"]
        assert values["best_validation_cer"] == result.model.metadata["validation_cer"]
        assert values["history"][1] == {
            **result.history[1].timeless(),
            "seconds": None,
            "lines_per_second": None,
        }

    def test_the_last_of_equally_good_epochs_is_the_best(self, tmp_path):
        assert make_history(tmp_path, [0.5, 0.2, 0.2, 0.3]).best.epoch == 3
        assert make_history(tmp_path, [0.5], best=()).best is None
        assert make_history(tmp_path, [0.5], best=()).to_dict()["best_epoch"] is None

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"\xff", r"model\.csv: is no table of epochs \("),
            (b'epoch\n"' + b"1" * 200_000, r"model\.csv: is no table of epochs \(field larger"),
            (b"epoch,loss\n1,2\n", r"model\.csv: epoch 1 is damaged \(steps is None\)"),
            (b"", None),
        ],
    )
    def test_other_tables(self, tmp_path, content, message):
        path = tmp_path / "model.csv"
        path.write_bytes(content)
        if message is None:
            assert read_history(path).records == ()
            return
        with pytest.raises(ModelFileError, match=message):
            read_history(path)

    @pytest.mark.parametrize(
        ("column", "value"),
        [("epoch", "1.5"), ("epoch", ""), ("loss", "x"), ("validation_cer", "nan"), ("best", "1"),
         ("loss", "1e400"), ("steps", "inf"), ("lines", "9" * 5000)],
    )  # fmt: skip
    def test_damaged_cells(self, tmp_path, column, value):
        path = tmp_path / "model.csv"
        write_log(path, make_records([0.5]))
        header, row = path.read_text().splitlines()
        cells = dict(zip(header.split(","), row.split(","), strict=True))
        path.write_text(f"{header}\n{','.join({**cells, column: value}.values())}\n")
        with pytest.raises(ModelFileError, match=r"model\.csv: epoch 1 is damaged \("):
            read_history(path)

    @pytest.mark.parametrize("history", [None, 3, [3], [{}], [{"epoch": True}], [[1, 2]]])
    def test_models_of_strangers(self, train_tiny, tmp_path, history):
        train_tiny()
        path = tmp_path / "model.safetensors"
        model = load_model_file(path)
        model.metadata["history"] = history
        save_model(model, path)
        with pytest.raises(ModelFileError, match=r"model\.safetensors: (tells nothing|epoch 1 is)"):
            read_history(path)

    @pytest.mark.parametrize("name", ["m.csv", "m.ckpt", "m.safetensors"])
    def test_no_such_file(self, tmp_path, name):
        with pytest.raises(ModelFileError, match=rf"{name}: "):
            read_history(tmp_path / name)


class TestTable:
    def test_few_epochs_are_all_shown(self, tmp_path):
        summary, header, *rows = format_history(
            make_history(tmp_path, [1.0, 0.25, 0.5])
        ).splitlines()
        assert summary == f"{tmp_path}/model.csv: 3 epochs, best 2 with validation CER 25.00 %"
        assert header.split() == ["epoch", "loss", "validation", "CER"]
        assert [row.split()[:3] for row in rows] == [
            ["1", "90.00", "100.00"],
            ["2", "45.00", "25.00"],
            ["3", "30.00", "50.00"],
        ]
        # From half the lowest rate on, a doubling is a third of three.
        assert [row.count("#") for row in rows] == [30, 10, 20]
        assert ["*" in row for row in rows] == [True, True, False]

    @pytest.mark.parametrize("best", [1, 123, 400])
    def test_many_are_thinned(self, tmp_path, best):
        rates = [0.5] * 400
        rates[best - 1] = 0.1
        text = format_history(make_history(tmp_path, rates), rows=12)
        epochs = [int(row.split()[0]) for row in text.splitlines()[2:]]
        assert len(epochs) <= 12
        assert {1, best, 400} <= set(epochs) and epochs == sorted(epochs)
        assert max(np.diff(epochs)) <= 2 * 400 / 10

    def test_none_better_than_the_start(self, tmp_path):
        text = format_history(make_history(tmp_path, [0.5, 0.4], best=()))
        assert "2 epochs, none better than the model it began with" in text

    def test_no_epoch(self, tmp_path):
        assert format_history(make_history(tmp_path, [])).endswith("no epoch is finished")

    def test_no_errors(self, tmp_path):
        *_, first, last = format_history(make_history(tmp_path, [0.0, 0.0])).splitlines()
        assert "#" not in first + last


class TestPicture:
    @pytest.fixture(autouse=True)
    def matplotlib(self):
        pytest.importorskip("matplotlib")

    @pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
    def test_the_same_trainings_give_the_same_bytes(self, tmp_path, suffix):
        histories = [
            make_history(tmp_path, [1.0, 0.2], "one"),
            make_history(tmp_path, [0.5], "two"),
        ]
        pictures = []
        for name in ("a", "b"):
            draw_histories(histories, tmp_path / f"{name}{suffix}")
            pictures.append((tmp_path / f"{name}{suffix}").read_bytes())
        assert pictures[0] == pictures[1]
        start = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
        assert pictures[0].startswith(start)

    def test_each_training_has_its_lines(self, tmp_path):
        names = ["one", "two", "_three", "$four$", "\udcff five"]
        histories = [make_history(tmp_path, [1.0, 0.2 * n], n) for n in range(1, 6)]
        histories = [
            dataclasses.replace(history, path=tmp_path / f"{name}.csv")
            for history, name in zip(histories, names, strict=True)
        ]
        draw_histories(histories, tmp_path / "p.svg")
        text = (tmp_path / "p.svg").read_text()
        comments = re.findall("<!-- (.*) -->", text)
        assert [c for c in comments if c.strip() in {*names, r"\udcff five"}] == [
            *(f" {name}" for name in names[:-1]),
            r" \udcff five",
        ]
        # Two lines, and a dot for the best epoch, of each; the legend has them once more.
        assert len(re.findall(r'<g id="line2d_', text)) > 3 * len(names)

    def test_models_of_one_name(self, tmp_path):
        histories = [
            RunHistory(tmp_path / folder / "model.csv", make_records([0.5])) for folder in "ab"
        ]
        draw_histories(histories, tmp_path / "p.svg")
        comments = re.findall("<!-- (.*) -->", (tmp_path / "p.svg").read_text())
        assert {" a/model", " b/model"} <= set(comments)

    @pytest.mark.parametrize("rates", [[], [0.0], [0.5, 0.0], [0.5]])
    def test_all_sorts_of_rates(self, tmp_path, rates):
        draw_histories([make_history(tmp_path, rates)], tmp_path / "p.png")
        ink = read_image(tmp_path / "p.png")
        assert ink.shape == (840, 960) and ink.max() > 0.9

    def test_more_trainings_than_colours(self, tmp_path):
        histories = [make_history(tmp_path, [0.5, 0.2], n) for n in range(50)]
        draw_histories(histories, tmp_path / "p.png")

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("p.gif", r"p\.gif: a picture ends in \.png, \.svg, \.pdf"),
            ("no/p.png", "cannot be written"),
        ],
    )
    def test_where_nothing_can_be_drawn(self, tmp_path, name, message):
        with pytest.raises(OutputError, match=message):
            draw_histories([], tmp_path / name)

    def test_without_matplotlib(self, tmp_path, monkeypatch):
        monkeypatch.setattr(history_plot, "find_spec", lambda name: None)
        with pytest.raises(OutputError, match=r"install it: pip install 'ocrlstm\[plot\]'"):
            draw_histories([], tmp_path / "p.png")


class TestLivePlot:
    @pytest.fixture
    def drawn(self, monkeypatch):
        """How many epochs were drawn, time after time."""
        numbers = []

        def draw(histories, path):
            numbers.append(len(histories[0].records))

        monkeypatch.setattr(live_plot, "draw_histories", draw)
        return numbers

    def run(self, tmp_path, epochs):
        plot = LivePlot(tmp_path / "model.csv", tmp_path / "p.png")
        records = make_records([0.5] * epochs)
        for number, record in enumerate(records, 1):
            write_log(tmp_path / "model.csv", records[:number])
            plot.report(record)
            plot.report(Message("something else"))
        plot.finish()

    def test_every_epoch(self, tmp_path, drawn, monkeypatch):
        monkeypatch.setattr(live_plot, "_SHARE", math.inf)
        self.run(tmp_path, 3)
        assert drawn == [1, 2, 3]

    def test_short_epochs_now_and_then_and_the_last(self, tmp_path, drawn, slow_clock):
        # A drawing takes a second of that clock, an epoch about as long: one in twenty is drawn.
        self.run(tmp_path, 50)
        assert drawn == [1, 21, 41, 50]

    def test_a_full_disk_stops_no_training(self, tmp_path, monkeypatch):
        def refuse(histories, path):
            raise OutputError("p.png: no space left")

        monkeypatch.setattr(live_plot, "draw_histories", refuse)
        with pytest.raises(OutputError, match="no space left"):
            self.run(tmp_path, 2)
        assert len(read_history(tmp_path / "model.csv").records) == 2

    def test_a_run_with_nothing_left_to_do(self, tmp_path, drawn):
        write_log(tmp_path / "model.csv", make_records([0.5, 0.4]))
        LivePlot(tmp_path / "model.csv", tmp_path / "p.png").finish()
        assert drawn == [2]
