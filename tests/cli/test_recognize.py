"""``ocrlstm recognize``: forms of output, folders, failures."""

import json
import os
import subprocess
import sys

import pytest

from ocrlstm.recognition import Recognizer


@pytest.fixture
def recognize(run, bar_model_file):
    return lambda *arguments: run("recognize", "-m", bar_model_file, *arguments)


def test_one_image_is_its_text(recognize, write_line, tmp_path):
    result = recognize(write_line(tmp_path, "a", 3))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "iii\n", "")


def test_several_are_path_and_text(recognize, write_line, tmp_path):
    for count in (2, 10, 1):
        write_line(tmp_path, f"line{count}", count)
    result = recognize(tmp_path, "--threads", 2, "--batch-size", 2)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{tmp_path}/line{count}.png\t{'i' * count}" for count in (1, 2, 10)
    ]


def test_json_of_one(recognize, write_line, tmp_path):
    path = write_line(tmp_path, "a", 2)
    values = json.loads(recognize("-f", "json", path).stdout)
    assert values["text"] == "ii"
    assert values["source"] == str(path)
    assert set(values["characters"][0]) == {"text", "x0", "x1", "confidence"}
    assert values["confidence"] == 1.0


def test_json_of_several_is_one_object_a_line(recognize, write_line, tmp_path):
    write_line(tmp_path, "a", 2)
    write_line(tmp_path, "b", 1)
    lines = recognize("-f", "json", tmp_path).stdout.splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["ii", "i"]


def test_tsv(recognize, write_line, tmp_path):
    a = write_line(tmp_path, "a", 2)
    assert recognize("-f", "tsv", a).stdout.splitlines()[0] == "text\tx0\tx1\tconfidence"
    b = write_line(tmp_path, "b", 1)
    header, *rows = recognize("-f", "tsv", a, b).stdout.splitlines()
    assert header == "source\ttext\tx0\tx1\tconfidence"
    assert [row.split("\t")[:2] for row in rows] == [[str(a), "i"], [str(a), "i"], [str(b), "i"]]


@pytest.mark.parametrize("decoder", ["greedy", "threshold"])
def test_decoders(recognize, write_line, tmp_path, decoder):
    assert recognize("--decoder", decoder, write_line(tmp_path, "a", 3)).stdout == "iii\n"


@pytest.mark.parametrize("kind", ["txt", "json", "tsv"])
def test_output_folder(recognize, write_line, tmp_path, kind):
    write_line(tmp_path / "in", "a.1", 2)
    write_line(tmp_path / "in", "b", 3)
    out = tmp_path / "deep" / "out"
    result = recognize(tmp_path / "in", "-o", out, "-f", kind)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert sorted(path.name for path in out.iterdir()) == [f"a.1.{kind}", f"b.{kind}"]
    if kind == "txt":
        assert (out / "b.txt").read_bytes() == b"iii\n"


def test_same_names_in_different_folders_keep_them_apart(recognize, write_line, tmp_path):
    write_line(tmp_path / "book" / "p1", "1", 1)
    write_line(tmp_path / "book" / "p2", "1", 2)
    write_line(tmp_path / "book" / "p2", "2", 3)
    recognize(tmp_path / "book", "-o", tmp_path / "out")
    texts = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_text()
        for path in (tmp_path / "out").rglob("*.txt")
    }
    assert texts == {"p1/1.txt": "i\n", "p2/1.txt": "ii\n", "p2/2.txt": "iii\n"}


def test_same_names_in_one_folder_are_refused(recognize, write_line, tmp_path):
    path = write_line(tmp_path / "in", "a", 1)
    path.with_suffix(".tif").write_bytes(path.read_bytes())
    result = recognize(tmp_path / "in", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "both results would be a.txt" in result.stderr
    assert not (tmp_path / "out").exists()


def test_max_pixels(recognize, write_line, tmp_path):
    result = recognize(write_line(tmp_path, "a", 3), "--max-pixels", 100)
    assert result.exit_code == 2
    assert "more than the limit of 100" in result.stderr


def test_some_bad_lines_give_exit_code_1(recognize, write_line, tmp_path):
    write_line(tmp_path, "a", 1)
    (tmp_path / "b.png").touch()
    write_line(tmp_path, "c", 2)
    result = recognize(tmp_path)
    assert result.exit_code == 1
    assert result.stdout == f"{tmp_path}/a.png\ti\n{tmp_path}/c.png\tii\n"
    first, second = result.stderr.splitlines()
    assert first.startswith(f"ocrlstm: {tmp_path}/b.png: is empty")
    assert second == "ocrlstm: 1 of 3 images could not be read"


def test_only_bad_lines_give_exit_code_2(recognize, tmp_path):
    (tmp_path / "a.png").touch()
    (tmp_path / "b.png").touch()
    result = recognize(tmp_path, "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert list((tmp_path / "out").iterdir()) == []


def test_ctrl_c_keeps_what_was_done(recognize, write_line, tmp_path, monkeypatch):
    for name in "abc":
        write_line(tmp_path / "in", name, 1)
    real = Recognizer.recognize_lines

    def interrupted(self, images, *, threads=None):
        lines = real(self, images, threads=threads)
        yield next(lines)
        raise KeyboardInterrupt

    monkeypatch.setattr(Recognizer, "recognize_lines", interrupted)
    result = recognize(tmp_path / "in", "-o", tmp_path / "out")
    assert result.exit_code == 130
    assert result.stderr.splitlines() == [
        "ocrlstm: 1 of 3 images were done",
        "ocrlstm: interrupted",
    ]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]


def test_names_that_are_no_utf8_come_out_as_they_are(bar_model_file, write_line, tmp_path):
    odd = os.path.join(os.fsencode(tmp_path), b"b\xe4.png")
    os.rename(write_line(tmp_path, "a", 2), odd)
    write_line(tmp_path, "c", 1)
    # A real pipe and an old locale: click's test runner has a stdout of its own.
    result = subprocess.run(
        [sys.executable, "-m", "ocrlstm", "recognize", "-m", bar_model_file, tmp_path],
        capture_output=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert result.stdout.splitlines()[0] == odd + b"\tii"
    assert result.returncode == 0
