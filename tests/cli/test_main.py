"""The frame around the commands: help, version, errors, exit codes."""

import re
import subprocess
import sys

import click
import pytest

from ocrlstm.cli import COMMANDS, command_line
from ocrlstm.cli.lazy import LazyGroup
from ocrlstm.errors import ImageError
from ocrlstm.version import __version__


def test_version(run):
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"ocrlstm {__version__}\n")


def test_help_lists_every_command(run):
    result = run("--help")
    assert result.exit_code == 0
    for name, (_, text) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(text)}$", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command(run, name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "--debug" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["recognise"], "No such command 'recognise'"),
        (["recognize"], "Missing argument"),
        (["recognize", "a.png", "--threads", "0"], "0 is not in the range x>=1"),
        (["recognize", "a.png", "-f", "pdf"], "'pdf' is not one of"),
        (["recognize", "--no-such-option"], "No such option"),
    ],
)
def test_bad_use(run, arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def group_that_raises(error: BaseException) -> LazyGroup:
    @click.command()
    def command() -> None:
        raise error

    class Group(LazyGroup):
        def get_command(self, ctx, cmd_name):
            return command

    return Group({"fail": ("", "")}, params=[])


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ImageError("a.png: is\nempty"), 2, "ocrlstm: error: a.png: is empty\n"),
        (ImageError("\udce4.png: is empty"), 2, "ocrlstm: error: \\udce4.png: is empty\n"),
        (OSError(28, "No space left on device"), 2, "ocrlstm: error: No space left on device\n"),
        (OSError(13, "Denied", "x.txt"), 2, "ocrlstm: error: x.txt: Denied\n"),
        (KeyboardInterrupt(), 130, "ocrlstm: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 1, ""),
    ],
)
def test_errors_become_one_line(error, code, message):
    result = click.testing.CliRunner().invoke(group_that_raises(error), ["fail"])
    assert (result.exit_code, result.stderr) == (code, message)


@pytest.mark.parametrize("arguments", [["--debug", "{}"], ["{}", "--debug"]])
def test_debug_shows_the_traceback_before_or_after_the_command(run, arguments, tmp_path):
    missing = str(tmp_path / "no.png")
    line = [word.format("recognize") for word in arguments]
    result = run(*line, missing)
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("ocrlstm: error:")


def test_as_a_module(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "ocrlstm", "recognize", str(tmp_path / "no.png")],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    assert result.stderr == f"ocrlstm: error: {tmp_path}/no.png: no such file or folder\n"


def test_without_command_the_help_is_shown(run):
    assert "Commands:" in run().output


def test_the_group_is_the_entry_point():
    assert isinstance(command_line, LazyGroup)
