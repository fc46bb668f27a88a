"""`ocrlstm check-data`: what it prints, its exit codes, and Ctrl-C."""

import json
import os
import signal

import pytest

from ocrlstm.cli import check_data as check_command


@pytest.fixture
def folder(write_line, tmp_path):
    for count in (4, 5, 6):
        write_line(tmp_path / "lines", f"n{count}", count, "i" * count)
    return tmp_path / "lines"


def test_clean(run, folder):
    result = run("check-data", folder)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == "3 pairs, 3 of them without errors"
    assert "errors" not in result.stdout.splitlines()[1:]


def test_notes_are_no_errors(run, folder, write_line):
    write_line(folder, "bare", 1)
    result = run("check-data", folder)
    assert result.exit_code == 0
    assert "notes\n  1 image without a text\n" in result.stdout


def test_errors(run, folder):
    (folder / "n4.gt.txt").write_bytes(b"\xff")
    result = run("check-data", folder)
    assert result.exit_code == 1
    assert f"  1 text that is not UTF-8\n      {folder / 'n4.gt.txt'}: not UTF-8" in result.stdout
    assert str(folder) not in run("check-data", folder, "--show", 0).stdout


def test_nothing_of_use(run, folder, tmp_path):
    for text in folder.glob("*.txt"):
        text.write_text("")
    assert run("check-data", folder).exit_code == 2
    result = run("check-data", tmp_path / "no")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no: no such file or folder" in result.stderr


def test_json(run, folder):
    (folder / "n4.gt.txt").write_text("")
    result = run("check-data", folder, "--json")
    assert result.exit_code == 1
    values = json.loads(result.stdout)
    assert (values["pairs"], values["usable"], values["complete"]) == (3, 2, True)
    assert values["findings"]["empty_text"]["items"][0]["name"] == str(folder / "n4.gt.txt")
    assert values["texts"]["characters"][0]["character"] == "i"


def test_with_a_model(run, folder, write_line, bar_model_file):
    write_line(folder, "swapped", 4, "i" * 12)
    write_line(folder, "other", 7, "iiiiiix")
    result = run("check-data", folder, "-m", bar_model_file)
    assert result.exit_code == 1
    assert "the model reads 5 lines with a CER of" in result.stdout
    assert "1 suspected mispair" in result.stdout
    assert "CER 67 %: the text is 'iiiiiiiiiiii', the model reads 'iiii'" in result.stdout
    assert "other.gt.txt: the codec lacks 1 character: 'x' (U+0078)" in result.stdout


def test_settings_are_those_of_train(run, folder):
    (folder / "n4.gt.txt").write_text("i" * 40)
    assert "too long for the frames" in run("check-data", folder).stdout
    spec = "[1,16,0,1 Lbx2 O1c]"
    # A frame for each column is enough.
    assert run("check-data", folder, "--spec", spec, "--normalizer", "scale").exit_code == 0
    (folder / "n4.gt.txt").write_text("ſi")
    rules = run("check-data", folder, "--text-rule", "long_s", "--json")
    characters = [use["character"] for use in json.loads(rules.stdout)["texts"]["characters"]]
    assert characters == ["i", "s"]


def test_settings_are_those_of_the_model(run, folder, bar_model_file):
    result = run("check-data", folder, "-m", bar_model_file, "--height", 40)
    assert result.exit_code == 2
    assert "--height is the model's own" in result.stderr


def test_histogram(run, folder):
    result = run("check-data", folder, "--histogram")
    assert "      15       3  'i' U+0069 LATIN SMALL LETTER I" in result.stdout


def test_ctrl_c_shows_what_was_found(run, folder, monkeypatch):
    check = check_command.check_data

    def interrupted(*arguments, progress, **more):
        def signalled(done, total):
            progress(done, total)
            if done == 2:
                os.kill(os.getpid(), signal.SIGINT)

        return check(*arguments, progress=signalled, **more)

    monkeypatch.setattr(check_command, "check_data", interrupted)
    result = run("check-data", folder)
    assert result.exit_code == 130
    assert result.stdout.startswith("2 pairs (stopped before the end), 2 of them without errors")
