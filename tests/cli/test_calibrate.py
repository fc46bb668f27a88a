"""``ocrlstm calibrate``: other confidences, the same texts."""

import json

import pytest

from ocrlstm.network import load_model_file, model_bytes


@pytest.fixture
def folder(write_line, tmp_path):
    """Lines of which the model reads one character of four wrongly."""
    for number in range(24):
        write_line(tmp_path / "in", f"{number}", 1 + number % 3, "i" * (1 + number % 3))
        write_line(tmp_path / "in", f"x{number}", 2, "ij")
    return tmp_path / "in"


def test_the_model_is_less_sure(run, bar_model_file, folder, tmp_path):
    out = tmp_path / "out.safetensors"
    result = run("calibrate", bar_model_file, folder, "-o", out)
    assert result.exit_code == 0 and result.stderr == ""
    before, after = load_model_file(bar_model_file), load_model_file(out)
    assert after.temperature > 2
    assert after.metadata["calibration"] == {"lines": 48, "characters": 96, "wrong": 24}
    assert result.stdout.startswith(f"{out}\ttemperature {after.temperature:g}, fitted on 48 lines")
    assert before.temperature == 1.0
    one, two = (
        json.loads(run("evaluate", "-m", model, folder, "--json").stdout)
        for model in (bar_model_file, out)
    )
    errors = [each.pop("reliability")["ece_equal_width"] for each in (one, two)]
    assert errors[1] < errors[0]
    assert one == two
    assert f"temperature {after.temperature:g}" in run("models", "show", out).stdout


def test_in_its_own_place(run, bar_model_file, folder):
    run("calibrate", bar_model_file, folder, "-o", bar_model_file)
    first = bar_model_file.read_bytes()
    assert load_model_file(bar_model_file).temperature > 2
    run("calibrate", bar_model_file, folder, "-o", bar_model_file)
    # The fit begins with what the network says, not with the temperature it had.
    assert bar_model_file.read_bytes() == first


def test_few_lines_are_told(run, bar_model_file, write_line, tmp_path):
    write_line(tmp_path / "in", "a", 2, "ii")
    result = run("calibrate", bar_model_file, tmp_path / "in", "-o", tmp_path / "o.safetensors")
    assert result.exit_code == 0
    assert "only 1 lines: the temperature will stay near 1" in result.stderr
    assert 0.7 < load_model_file(tmp_path / "o.safetensors").temperature < 1.6


def test_bad_lines_are_left_out(run, bar_model_file, folder, tmp_path):
    (folder / "1.png").write_bytes(b"")
    (folder / "2.gt.txt").write_bytes(b"\xff")
    result = run("calibrate", bar_model_file, folder, "-o", tmp_path / "o.safetensors")
    assert result.exit_code == 1
    assert "left out: " in result.stderr and "1.png: is empty" in result.stderr
    assert "2.gt.txt: not UTF-8" in result.stderr
    assert load_model_file(tmp_path / "o.safetensors").metadata["calibration"]["lines"] == 46


def test_nothing_to_calibrate_on(run, bar_model_file, write_line, tmp_path):
    write_line(tmp_path / "in", "a", 2, " ")
    out = tmp_path / "o.safetensors"
    result = run("calibrate", bar_model_file, tmp_path / "in", "-o", out)
    assert result.exit_code == 2
    assert "nothing to calibrate on" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize("output", ["o.bin", "none/o.safetensors"])
def test_an_output_that_is_none(run, bar_model_file, folder, tmp_path, output):
    result = run("calibrate", bar_model_file, folder, "-o", tmp_path / output)
    assert result.exit_code == 2 and "with -o" in result.stderr


def test_only_the_temperature_changes(run, bar_model_file, folder, tmp_path):
    out = tmp_path / "out.safetensors"
    run("calibrate", bar_model_file, folder, "-o", out)
    before, after = load_model_file(bar_model_file), load_model_file(out)
    assert after.network.spec == before.network.spec and after.codec == before.codec
    weights = [next(iter(m.network.parameters().values())).tobytes() for m in (before, after)]
    assert weights[0] == weights[1]
    assert model_bytes(after) == out.read_bytes()
