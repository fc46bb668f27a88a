"""bin/benchmark speed from end to end, with its quickest sections."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "speed.py"


def speed(*arguments):
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_prints_and_writes_what_was_measured(tmp_path):
    file = tmp_path / "speed.json"
    spec = "[1,8,0,1 Cr3,3,4 Mp2,2 S1(1x0)1,3 Lbx5 O1c9]"
    result = speed(
        "--only", "latency", "profile", "--repeats", 2, "--threads", 1, "--json", file,
        "--profile", spec, "--profile-width", 200,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "One line of 600x" in result.stdout
    found = json.loads(file.read_text())
    assert found["threads"] == 1
    assert set(found["sections"]) == {"latency", "profile"}
    latency = found["sections"]["latency"]["milliseconds_by_threads"]["1"]
    assert len(latency["values"]) == 2
    assert 0 < latency["median"] < 10_000

    layers = found["sections"]["profile"]["layers"]["milliseconds_per_line"]
    names = ["Cr_0", "Mp_1", "S_2", "Lbx_3", "O_4", "CTC", "Adam", "rest", "all"]
    assert list(layers) == names
    parts = sum(layers[name]["forward"]["median"] for name in names if "forward" in layers[name])
    whole = layers["all"]["forward"]["median"]
    assert parts - whole == pytest.approx(whole, rel=0.2)  # they sum up to it


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "nonsense"], "invalid choice: 'nonsense'"),
        (["--repeats", "0"], "must be at least 1, not 0"),
    ],
)
def test_refuses_bad_arguments(arguments, message):
    result = speed(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
