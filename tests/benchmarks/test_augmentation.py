"""bin/benchmark augmentation from end to end, on lines drawn here."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from measuring.kept_run import KeptRun
from PIL import Image

from ocrlstm.lines import DISTORTIONS

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "augmentation.py"
SPEC = "[1,12,0,1 Lbx4 O1c]"


def benchmark(*arguments):
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Bars, each an "i", in SET/train and SET/test."""
    folder = tmp_path_factory.mktemp("data")
    for part, counts in (("train", range(1, 13)), ("test", (3, 5))):
        (folder / "bars" / part).mkdir(parents=True)
        for count in counts:
            image = np.full((32, 16 + 24 * count), 255, np.uint8)
            for n in range(count):
                image[2:-2, 8 + 24 * n : 16 + 24 * n] = 0
            Image.fromarray(image).save(folder / "bars" / part / f"{count}.png")
            (folder / "bars" / part / f"{count}.gt.txt").write_text("i" * count)
    return folder


def test_a_table_of_runs_that_are_kept(data, tmp_path):
    options = ["--data", data, "--sets", "bars", "--minutes", 0.02, "--output", tmp_path]
    result = benchmark(*options, "--spec", SPEC, "--distort", "blur=0")
    assert result.returncode == 0, result.stderr
    (line,) = re.findall(r"^ +bars +.*", result.stdout, re.MULTILINE)
    assert len(re.findall(r"[\d.]+ % \([\d.]+ to [\d.]+\)", line)) == 2
    assert re.search(r"[+-]\d+ %$", line)
    commands = {
        kind: (tmp_path / f"bars-{kind}.command").read_text() for kind in ("with", "without")
    }
    assert commands["without"].endswith("--distort blur=0 --augment 0")
    assert commands["with"].endswith("--distort blur=0")

    written = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.safetensors")}
    assert len(written) == 2
    again = benchmark(*options, "--spec", SPEC, "--distort", "blur=0")
    assert again.stdout == result.stdout
    assert written == {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.safetensors")}

    other = benchmark(*options, "--spec", SPEC)
    assert other.returncode != 0 and "of a run with other options" in other.stderr


def test_a_stopped_run_goes_on(data, tmp_path):
    paths = [data / "bars" / "train"]
    run = KeptRun(tmp_path / "a", paths, "--spec", SPEC, "--epochs", 2, "--threads", 1)
    run.train()
    (tmp_path / "a.done").unlink()
    (tmp_path / "a.safetensors").unlink()
    run.train()
    assert "going on after 2 epochs" in (tmp_path / "a.log").read_text()
    assert run.epochs() == 2
    assert 0 <= run.read(data / "bars" / "test")["cer"]
    assert (tmp_path / "a.json").exists()


def test_speed_of_each():
    result = benchmark("--speed")
    assert result.returncode == 0, result.stderr
    rows = re.findall(r"^ +(\w+) +.*\(.*-.*\) +([\d.]+)$", result.stdout, re.MULTILINE)
    assert [name for name, _ in rows] == ["all", *DISTORTIONS]
    assert all(0 < float(mean) < 1000 for _, mean in rows)


def test_asks_for_a_folder():
    result = benchmark("--sets", "bars")
    assert result.returncode == 2 and "--output" in result.stderr
