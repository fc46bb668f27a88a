"""Run the command line inside the test, and lay out folders of line images."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from ocrlstm.cli import command_line
from ocrlstm.kernels.threads import set_thread_count


@pytest.fixture
def run():
    """Call ``ocrlstm ARGUMENTS``; gives exit_code, stdout and stderr."""

    def call(*arguments):
        return CliRunner().invoke(command_line, [str(argument) for argument in arguments])

    yield call
    # --threads holds for the whole process.
    set_thread_count(None)


@pytest.fixture
def write_line(bars):
    """Write NAME.png with so many bars and, if there is a text, NAME.gt.txt."""

    def write(folder: Path, name: str, count: int, text: str | None = None) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        Image.fromarray(bars(count)).save(path)
        if text is not None:
            (folder / f"{name}.gt.txt").write_text(f"{text}\n", encoding="utf-8")
        return path

    return write
