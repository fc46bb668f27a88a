"""``ocrlstm history``, and what ``ocrlstm train`` draws and shows."""

import json
import re

import pytest

SMALL = ("--spec", "[1,16,0,1 Lbx4 O1c]", "--batch-size", 4, "--epochs", 2)


@pytest.fixture
def pairs(write_line, tmp_path):
    for number in range(12):
        write_line(tmp_path / "pairs", str(number), 1 + number // 2, "i" * (1 + number // 2))
    return tmp_path / "pairs"


@pytest.fixture
def model(run, pairs, tmp_path):
    path = tmp_path / "model.safetensors"
    assert run("train", pairs, "-o", path, *SMALL).exit_code == 0
    return path


def test_tables(run, model):
    result = run("history", model, model.with_suffix(".csv"), model.with_suffix(".ckpt"))
    assert result.exit_code == 0, result.stderr
    blocks = [block.splitlines() for block in result.stdout.split("\n\n")]
    assert [block[0].partition(": 2 epochs, best ")[0] for block in blocks] == [
        str(model),
        str(model.with_suffix(".csv")),
        str(model.with_suffix(".ckpt")),
    ]
    assert blocks[0][1:] == blocks[1][1:] == blocks[2][1:]
    assert [row.split()[0] for row in blocks[0][2:]] == ["1", "2"]


def test_a_shipped_model(run):
    assert "validation CER" in run("history", "english-sample").stdout


def test_json(run, model):
    (values,) = json.loads(run("history", model.with_suffix(".csv"), "--json").stdout)
    assert values["epochs"] == 2 and len(values["history"]) == 2
    assert values["history"][0]["seconds"] > 0


def test_a_picture_of_several(run, model, tmp_path):
    pytest.importorskip("matplotlib")
    result = run("history", model, "english-sample", "--plot", tmp_path / "p.svg")
    assert result.exit_code == 0, result.stderr
    comments = re.findall("<!-- +(.*) -->", (tmp_path / "p.svg").read_text())
    assert {"model", "english-sample"} <= set(comments)


def test_a_folder_of_folds(run, pairs, tmp_path):
    folds = tmp_path / "folds"
    assert run("crossfold", pairs, "-o", folds, "-k", 2, *SMALL).exit_code == 0
    result = run("history", folds)
    names = [block.partition(":")[0] for block in result.stdout.split("\n\n")]
    assert names == [str(folds / f"fold-{n}.csv") for n in (1, 2)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "missing: neither a model file nor the name of a shipped model"),
        (["pairs"], "pairs: a folder without fold-1.csv"),
        (["english-sample", "--plot", "p.gif"], "p.gif: a picture ends in .png, .svg, .pdf"),
    ],
)
def test_bad_input(run, pairs, monkeypatch, arguments, message):
    monkeypatch.chdir(pairs.parent)
    result = run("history", *arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith(f"ocrlstm: error: {message}")


class TestTrain:
    def test_plot_and_worst(self, run, pairs, tmp_path):
        pytest.importorskip("matplotlib")
        shown = ("--plot", tmp_path / "p.png", "--worst", tmp_path / "w.html")
        result = run("train", pairs, "-o", tmp_path / "m.safetensors", *SMALL, *shown)
        assert result.exit_code == 0, result.stderr
        first = (tmp_path / "p.png").read_bytes()
        assert first.startswith(b"\x89PNG")
        assert "Worst lines of m.safetensors" in (tmp_path / "w.html").read_text(encoding="utf-8")
        for name in ("p.png", "w.html"):
            (tmp_path / name).unlink()
        assert run("train", "--resume", tmp_path / "m.ckpt", *shown).exit_code == 0
        assert (tmp_path / "p.png").read_bytes() == first
        assert (tmp_path / "w.html").exists()

    def test_from_a_file(self, run, pairs, tmp_path):
        (tmp_path / "run.toml").write_text('worst = "w.html"\nplot = "p.gif"\n', encoding="utf-8")
        result = run(
            "train", pairs, "-o", tmp_path / "m", "--config", tmp_path / "run.toml", *SMALL
        )
        assert result.exit_code == 2 and f"{tmp_path}/p.gif: a picture ends in" in result.stderr
        written = run(
            *("train", pairs, "-o", tmp_path / "m", "--worst", "w.html", "--write-config", *SMALL)
        )
        assert 'worst = "/' in written.stdout

    @pytest.mark.parametrize("option", [("--plot", "no/p.png"), ("--worst", "no/w.html")])
    def test_what_cannot_be_written_is_told_before(self, run, pairs, tmp_path, option):
        result = run("train", pairs, "-o", tmp_path / "m", *option, *SMALL)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"ocrlstm: error: {option[1]}: cannot be written")
        assert not list(tmp_path.glob("m*"))
