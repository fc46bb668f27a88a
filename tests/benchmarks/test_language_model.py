"""The language-model benchmark on drawn lines: a table with a row for every decoder."""

import sys

import language_model
import pytest
from PIL import Image


@pytest.fixture
def data(tmp_path, bars):
    for part in ("train", "test"):
        folder = tmp_path / "lines" / "bars" / part
        folder.mkdir(parents=True)
        for count in (1, 2, 3):
            Image.fromarray(bars(count)).save(folder / f"{count}.png")
            (folder / f"{count}.gt.txt").write_text("i" * count + "\n")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "bars.txt").write_text("i ii iii\n" * 50)
    return tmp_path / "lines"


def test_a_row_for_every_decoder(data, sure_bar_model_file, monkeypatch, capsys):
    arguments = [f"bars={sure_bar_model_file}", "--data", data, "--text", "bars.txt", "--unseen"]
    monkeypatch.setattr(sys, "argv", ["language_model", *map(str, arguments)])
    language_model.main()
    output = capsys.readouterr().out
    assert "tuned on 3 lines with 0 edits by greedy decoding, 0 with the weights before" in output
    rows = output.split("Test lines")[1].splitlines()[2:]
    decoders = ["greedy", "beam", "with language model", "the same, tuned"]
    assert len(rows) == len(decoders)
    for row, decoder in zip(rows, decoders, strict=True):
        assert decoder in row and "0.00 %" in row


def test_lines_to_tune_on_are_those_held_back(tmp_path, bars):
    for number in range(40):
        Image.fromarray(bars(2)).save(tmp_path / f"{number}.png")
        (tmp_path / f"{number}.gt.txt").write_text("ii\n")
    held_back = language_model.tuning_lines(tmp_path, unseen=False)
    # A twentieth would be two, but of few lines up to a tenth are held back.
    assert len(held_back) == 4
    assert len(language_model.tuning_lines(tmp_path, unseen=True)) == 40
