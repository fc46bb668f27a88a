"""``ocrlstm crossfold``: what it prints, and that kills and Ctrl-C cost nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Dropout and distortions are on, so that every source of randomness has its part.
SMALL = ("--spec", "[1,16,0,1 Lbx4 Do0.2 O1c]", "--batch-size", 4, "--augment", 1)


@pytest.fixture
def pairs(write_line, tmp_path):
    """Twelve lines of one to six bars."""
    for number in range(12):
        write_line(tmp_path / "pairs", str(number), 1 + number // 2, "i" * (1 + number // 2))
    return tmp_path / "pairs"


@pytest.fixture
def cross(run, pairs, tmp_path):
    """Train three folds of the twelve lines."""
    return lambda *more: run("crossfold", pairs, "-o", tmp_path / "f", "-k", 3, *SMALL, *more)


@pytest.fixture
def start():
    """Start ``ocrlstm crossfold ARGUMENTS`` as a process."""
    processes = []

    def started(*arguments):
        words = [sys.executable, "-m", "ocrlstm", "crossfold", *map(str, arguments)]
        processes.append(
            subprocess.Popen(
                words,
                env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        return processes[-1]

    yield started
    for process in processes:
        process.kill()
        process.communicate()


def model_bytes(folder):
    return [path.read_bytes() for path in sorted(folder.glob("*.safetensors"))]


def test_what_it_prints(cross, tmp_path, run, pairs):
    result = cross("--epochs", 2)
    assert result.exit_code == 0, result.stderr
    lines = result.stderr.splitlines()
    assert lines[0] == "ocrlstm: fold 1: training on 8 lines, validating on 4; 1 characters"
    assert lines[1].split()[:3] == ["fold", "epoch", "loss"]
    assert [line.split()[:2] for line in lines[2:4]] == [["1", "1"], ["1", "2"]]
    assert lines[4].startswith("ocrlstm: fold 1: finished, validation CER ")
    header, *rows, summary, command = result.stdout.splitlines()
    assert header.split()[0] == "fold"
    assert [row.split()[:3] for row in rows] == [[str(n), "8", "4"] for n in (1, 2, 3)]
    assert summary.startswith("mean ") and ", standard deviation " in summary
    models = [str(tmp_path / "f" / f"fold-{n}.safetensors") for n in (1, 2, 3)]
    assert (
        command == f"let them vote: ocrlstm recognize {' '.join(f'-m {m}' for m in models)} PATH..."
    )
    words = command.partition("ocrlstm ")[2].split()[:-1]
    assert run(*words, pairs / "0.png").exit_code == 0


def test_the_same_command_again_does_nothing(cross, tmp_path):
    first = cross("--epochs", 1)
    before = model_bytes(tmp_path / "f")
    again = cross("--epochs", 1)
    assert again.stdout == first.stdout and again.exit_code == 0
    assert again.stderr.count("finished, validation CER") == 3 and "training on" not in again.stderr
    assert model_bytes(tmp_path / "f") == before


def test_one_fold_after_another_by_hand(cross):
    result = cross("--epochs", 1, "--fold", 2, "--fold", 3)
    assert result.exit_code == 0
    assert "   1  not finished" in result.stdout
    assert "mean " in result.stdout
    assert "mean " not in cross("--epochs", 2).stdout  # refused: other settings


def test_settings_from_a_file(run, pairs, tmp_path):
    (tmp_path / "run.toml").write_text(
        'paths = "pairs"\noutput = "f"\nfolds = 2\nby = "file"\nspec = "[1,16,0,1 Lbx4 O1c]"\n'
        "epochs = 1\nthreads = 1\n",
        encoding="utf-8",
    )
    result = run("crossfold", "--config", tmp_path / "run.toml")
    assert result.exit_code == 0, result.stderr
    assert len(model_bytes(tmp_path / "f")) == 2
    refused = run("crossfold", "--config", tmp_path / "run.toml", "--by", "line")
    assert refused.exit_code == 2
    assert "crossfold.json: these folds were begun with by 'file' (now 'line')" in refused.stderr


def test_from_a_model(run, pairs, tmp_path):
    model = tmp_path / "m.safetensors"
    assert run("train", pairs, "-o", model, *SMALL, "--epochs", 1).exit_code == 0
    result = run("crossfold", pairs, "-o", tmp_path / "f", "-k", 2, "--from", model, "--epochs", 1)
    assert result.exit_code == 0, result.stderr


def test_a_fold_that_fails(cross, tmp_path):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "fold-2.ckpt").write_bytes(b"")
    result = cross("--epochs", 1)
    assert result.exit_code == 1
    assert "ocrlstm: fold 2: failed: " in result.stderr
    assert "   2  failed" in result.stdout and "mean " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pairs"], "give PATH... and -o FOLDER"),
        (["-o", "f"], "give PATH... and -o FOLDER"),
        (["pairs", "-o", "f", "-k", 3, "--fold", 4], "--fold 4: there are only 3 folds"),
        (["pairs", "-o", "f", "--fold", 0], "0 is not in the range"),
        (["pairs", "-o", "f", "--validation-share", 0.1], "No such option"),
    ],
)
def test_bad_use(run, arguments, message):
    result = run("crossfold", *arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith("Usage: ") and message in result.stderr


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("jobs = 0", "run.toml: jobs is 0; it must be 1 or more"),
        ('validation = "x"', "run.toml: validation is for train"),
        ("fold = 3", "the nearest is 'folds'"),
        ("folds = 13", "12 lines are too few for 13 folds; take -k smaller"),
        ("folds = 1", "1 folds; there must be 2 to 1000"),
        ("batch_size = 0", "run.toml: batch_size is 0"),
    ],
)
def test_bad_settings(run, pairs, tmp_path, file, message):
    (tmp_path / "run.toml").write_text(file, encoding="utf-8")
    result = run("crossfold", pairs, "-o", tmp_path / "f", "--config", tmp_path / "run.toml")
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("ocrlstm: error: ") and message in line
    assert not (tmp_path / "f").exists()


def wait_for_epochs(folder, process, epochs):
    """Wait until all folds under way together have done so many more epochs."""

    def done():
        return sum(len(path.read_text().splitlines()) - 1 for path in folder.glob("fold-*.csv"))

    first = None
    while process.poll() is None:
        first = done() if first is None else first
        if done() >= first + epochs:
            return
        time.sleep(0.005)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for children in /proc")
def test_killed_and_interrupted_side_by_side(start, run, pairs, tmp_path):
    """Ctrl-C, then kill -9: nobody is left behind, and the models are bit for bit those of
    folds that nobody disturbed, one after another.
    """
    settings = [pairs, "-k", 2, *SMALL, "--epochs", 60, "--patience", 0]
    result = run("crossfold", *settings, "-o", tmp_path / "undisturbed", "--threads", 1)
    assert result.exit_code == 0
    side_by_side = [*settings, "-o", tmp_path / "f", "--jobs", 2, "--threads", 2]
    rng, disturbed = random.Random(3), 0
    for number in (signal.SIGINT, signal.SIGKILL):
        process = start(*side_by_side)
        wait_for_epochs(tmp_path / "f", process, rng.randint(1, 12))
        workers = children(process.pid)
        disturbed += process.poll() is None
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode in (0, {signal.SIGINT: 130, signal.SIGKILL: -9}[number])
        wait_until_gone(workers)
    process = start(*side_by_side)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert disturbed > 0
    assert model_bytes(tmp_path / "f") == model_bytes(tmp_path / "undisturbed")
    assert not list((tmp_path / "f").glob(".*.tmp"))


def children(parent):
    """Return the processes that a process has started."""
    numbers = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [number for number in numbers if parent_of(number) == parent]


def parent_of(process):
    """Return the parent of a process; None if it has ended, though nobody may know yet."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def wait_until_gone(processes, seconds=20):
    """Wait until none of some processes of others runs any more."""
    end = time.monotonic() + seconds
    for process in processes:
        while parent_of(process) is not None:
            assert time.monotonic() < end, f"process {process} goes on without its parent"
            time.sleep(0.02)
