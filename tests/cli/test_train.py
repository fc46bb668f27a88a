"""``ocrlstm train``: what it prints, what it refuses, and how it is stopped."""

import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from safetensors import safe_open

from ocrlstm.cli import training_console
from ocrlstm.network import load_model_file
from ocrlstm.training import TrainingConfig

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--spec", "[1,16,0,1 Lbx4 Do0.2 O1c]", "--batch-size", 4)


@pytest.fixture
def pairs(write_line, tmp_path):
    """Twelve lines of one to six bars."""
    for number in range(12):
        write_line(tmp_path / "pairs", str(number), 1 + number // 2, "i" * (1 + number // 2))
    return tmp_path / "pairs"


@pytest.fixture
def train(run, pairs, tmp_path):
    """Train on the twelve lines into model.safetensors."""
    return lambda *more: run("train", pairs, "-o", tmp_path / "model.safetensors", *SMALL, *more)


@pytest.fixture
def start(pairs, tmp_path):
    """Start ``ocrlstm train ARGUMENTS`` as a process; on one thread, which is enough."""

    def call(*arguments, **more):
        words = [sys.executable, "-m", "ocrlstm", "train", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        return subprocess.Popen(
            words,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **more,
        )

    processes = []

    def started(*arguments, **more):
        processes.append(call(*arguments, **more))
        return processes[-1]

    yield started
    for process in processes:
        process.kill()
        process.communicate()


def header_of(model: Path) -> dict:
    with safe_open(model, framework="numpy") as file:
        return json.loads(file.metadata()["ocrlstm"])


def test_what_it_prints(train, tmp_path):
    result = train("--epochs", 2, "--seed", 4)
    assert result.exit_code == 0
    assert re.fullmatch(rf"{tmp_path}/model\.safetensors\tvalidation CER [\d.]+ %\n", result.stdout)
    lines = result.stderr.splitlines()
    assert lines[0] == "ocrlstm: training on 11 lines, validating on 1; 1 characters"
    assert lines[1].split() == "epoch loss validation CER lines/s learning rate time".split()
    assert [line.split()[0] for line in lines[2:]] == ["1", "2"]
    config = header_of(tmp_path / "model.safetensors")["metadata"]["config"]
    assert (config["epochs"], config["seed"], config["batch_size"]) == (2, 4, 4)


def test_a_sign_of_life(train, monkeypatch):
    """Without a terminal a line now and then shows that a long epoch goes on."""
    monkeypatch.setattr(training_console, "_QUIET_SECONDS", -1.0)
    lines = train("--epochs", 1).stderr.splitlines()
    assert re.fullmatch(r"epoch 1, step 2 of 3: loss [\d.]+, \d+ lines/s, \d+:\d\d left", lines[2])


def test_a_bar_on_a_terminal(pairs, tmp_path):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ocrlstm", "train", pairs, "-o", tmp_path / "m.safetensors"]
        + [*map(str, SMALL), "--epochs", "60"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"},
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(
        r"epoch \d+ ━+.* \d+% loss [\d.]+  \d+ lines/s  CER [\d.]+ %  left \d+:\d\d", text
    )
    assert text.rstrip().splitlines()[-1].startswith(f"{tmp_path}/m.safetensors\tvalidation CER")


# Every setting there is but those of fine-tuning, none at its default.
SETTINGS = {
    "spec": "[1,16,0,1 Lbx4 Do0.2 O1c]",
    "height": 20,
    "normalizer": "scale",
    "range": 3.5,
    "unit": "codepoint",
    "normal_form": "NFD",
    "direction": "rtl",
    "ctc": "ocropus",
    "optimizer": "momentum",
    "learning_rate": 0.001,
    "momentum": 0.8,
    "weight_decay": 0.1,
    "schedule": "cosine",
    "warmup": 0.2,
    "clip": 1.5,
    "average": 0.9,
    "batch_size": 2,
    "epochs": 1,
    "max_minutes": 5.0,
    "validation_share": 0.25,
    "patience": 3,
    "augment": 0.5,
    "distortions": {"blur": 0.5, "scale": 0.0},
    "text_rules": ["long_s", "quotes"],
    "text_table": [["1", "i"]],
    "seed": 7,
    "provenance": "drawn bars",
    "licence": "CC0-1.0",
}


def test_every_setting_has_its_option(run, pairs, tmp_path):
    defaults = TrainingConfig().to_dict()
    for name in ("charset", "freeze", "protect"):
        defaults.pop(name)
    assert SETTINGS.keys() == defaults.keys()
    assert not any(SETTINGS[name] == defaults[name] for name in defaults)
    (tmp_path / "table.tsv").write_text("1\ti\n", encoding="utf-8")
    plain = {name: value for name, value in SETTINGS.items() if not isinstance(value, list | dict)}
    options = [(f"--{name.replace('_', '-')}", value) for name, value in plain.items()]
    options += [("--distort", f"{name}={value}") for name, value in SETTINGS["distortions"].items()]
    options += [("--text-rule", name) for name in SETTINGS["text_rules"]]
    options += [("--text-table", tmp_path / "table.tsv")]
    model = tmp_path / "model.safetensors"
    result = run("train", pairs, "-o", model, *itertools.chain(*options))
    assert result.exit_code == 0, result.stderr
    assert "training on 9 lines, validating on 3;" in result.stderr
    header = header_of(model)
    config = header["metadata"]["config"]
    assert {name: config[name] for name in SETTINGS} == SETTINGS
    assert header["metadata"]["provenance"] == "drawn bars"
    assert header["metadata"]["licence"] == "CC0-1.0"
    assert header["spec"] == "[1,20,0,1 Lbx4 Do0.2 O1c2]"
    assert {**header["normalizer"], "kind": "scale", "height": 20, "range": 3.5} == (
        header["normalizer"]
    )
    codec = {name: header["codec"][name] for name in ("unit", "normal_form", "direction")}
    assert codec == {name: SETTINGS[name] for name in codec}


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--batch-size", "0", "--batch-size is 0; it must lie in 1 to 4096"),
        ("--learning-rate", "nan", "--learning-rate is nan; it must lie in 0 to 100"),
        ("--validation-share", "2", "--validation-share is 2.0; it must lie in 0 to 0.9"),
        ("--max-minutes", "-1", "--max-minutes is -1.0; it must lie in 0 to"),
        ("--height", "2", "--height is 2; it must lie in 4 to 1000"),
        ("--spec", "[1,16,0,1 Lbx4]", "network spec '[1,16,0,1 Lbx4]': must end with an output"),
    ],
)
def test_settings_out_of_range(train, tmp_path, option, value, message):
    result = train(option, value)
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"ocrlstm: error: {message}")
    assert not list(tmp_path.glob("model*"))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["pairs"],
        ["-o", "m.safetensors"],
        ["--resume", "m.ckpt", "pairs"],
        ["--resume", "m.ckpt", "-o", "m.safetensors"],
        ["--resume", "m.ckpt", "--epochs", "3"],
        ["--resume", "m.ckpt", "--validation", "pairs"],
        ["--resume", "m.ckpt", "--max-pixels", "1000"],
        ["pairs", "-o", "m.safetensors", "--optimizer", "magic"],
        ["pairs", "-o", "m.safetensors", "--threads", "0"],
    ],
)
def test_bad_use(run, arguments):
    result = run("train", *arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith("Usage: ")


def test_resume_with_threads(train, run, tmp_path):
    assert train("--epochs", 2).exit_code == 0
    before = (tmp_path / "model.safetensors").read_bytes()
    result = run("train", "--resume", tmp_path / "model.ckpt", "--threads", 1)
    assert result.exit_code == 0
    assert "ocrlstm: going on after 2 epochs and 0 steps" in result.stderr
    assert (tmp_path / "model.safetensors").read_bytes() == before


def test_validation_and_ending(run, pairs, write_line, tmp_path):
    write_line(tmp_path / "more", "a", 3, "iii")
    write_line(tmp_path / "else", "b", 4, "iiii")
    result = run(
        *("train", pairs, "-o", tmp_path / "m", *SMALL, "--epochs", 1),
        *("--validation", tmp_path / "more", "--validation", tmp_path / "else"),
    )
    assert result.exit_code == 0
    assert "training on 12 lines, validating on 2;" in result.stderr
    assert result.stdout.startswith(f"{tmp_path}/m.safetensors\t")
    load_model_file(tmp_path / "m.safetensors")


def test_interrupted_while_reading(train, run, tmp_path, monkeypatch):
    """It ends at the next pair, and resuming begins from there."""
    import ocrlstm.cli.train as module

    begin = module.train
    handler = signal.getsignal(signal.SIGINT)  # a shell's background job ignores it, for one

    def interrupt(*arguments, reading, **more):
        def read(done, total):
            if done == 3:
                os.kill(os.getpid(), signal.SIGINT)
            reading(done, total)

        return begin(*arguments, reading=read, **more)

    monkeypatch.setattr(module, "train", interrupt)
    result = train("--epochs", 1)
    assert result.exit_code == 130
    assert "ocrlstm: interrupted" in result.stderr
    assert signal.getsignal(signal.SIGINT) is handler
    assert run("train", "--resume", tmp_path / "model.ckpt").exit_code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(start, run, pairs, tmp_path, number):
    model = tmp_path / "my model.safetensors"
    process = start(pairs, "-o", model, *SMALL, "--epochs", 100_000, "--threads", 1)
    for line in process.stderr:
        if line.startswith("    3"):
            break
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout.startswith(f"{model}\tvalidation CER ")
    first, last = (line for line in stderr.splitlines() if line.startswith("ocrlstm: "))
    assert first == "ocrlstm: stopping after this step; once more to stop at once"
    assert last.endswith(f"Go on with: ocrlstm train --resume '{tmp_path}/my model.ckpt'")
    assert len(load_model_file(model).metadata["history"]) >= 3


def test_a_second_signal_stops_at_once(start, pairs, tmp_path):
    model = tmp_path / "m.safetensors"
    # A step of a wide network takes long enough for the second signal to come in it.
    process = start(pairs, "-o", model, "--spec", "[1,48,0,1 Lbx1024 Lbx1024 O1c]", "--threads", 1)
    for line in process.stderr:
        if "training on" in line:
            break
    process.send_signal(signal.SIGINT)
    for line in process.stderr:
        if "stopping" in line:
            break
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == "ocrlstm: interrupted"
    assert not model.exists() and (tmp_path / "m.ckpt").exists()


def test_killed_and_resumed(start, pairs, tmp_path):
    """Kill -9 at three moments; the model is bit for bit that of a run nobody disturbed."""
    settings = (*SMALL, "--augment", 1, "--epochs", 80, "--patience", 0, "--threads", 1)
    undisturbed, model = tmp_path / "undisturbed.safetensors", tmp_path / "model.safetensors"
    checkpoint = tmp_path / "model.ckpt"
    assert start(pairs, "-o", undisturbed, *settings).wait(timeout=60) == 0
    rng = random.Random(5)
    process = start(pairs, "-o", model, *settings)
    killed = 0
    for _ in range(3):
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        # The next checkpoint shows that the process has come as far as training.
        while process.poll() is None:
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns > before:
                break
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.2))
        killed += process.poll() is None
        process.kill()
        process.wait(timeout=60)
        process = start("--resume", checkpoint)
    assert process.wait(timeout=60) == 0
    assert killed > 0
    assert model.read_bytes() == undisturbed.read_bytes()
    suffixes = {path.suffix for path in tmp_path.iterdir() if path.stem == "model"}
    assert suffixes == {".ckpt", ".csv", ".safetensors"}
    assert not list(tmp_path.glob(".*.tmp"))
