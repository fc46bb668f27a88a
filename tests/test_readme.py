"""Every command of README and docs and the script of README work when pasted.

`test_docs` runs the scripts of docs.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def indented_commands(page: Path) -> list[str]:
    """Lines of indented blocks that call ocrlstm; what stands behind a prompt is not meant."""
    return re.findall(r"^    (ocrlstm .+)$", page.read_text(encoding="utf-8"), re.MULTILINE)


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    here = [argument.replace("/tmp/", f"{folder}/") for argument in arguments]
    return subprocess.run(
        [sys.executable, *here], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_work_in_the_order_they_stand(page, tmp_path):
    for command in indented_commands(page):
        result = run(["-m", *shlex.split(command)], tmp_path)
        assert result.returncode == 0, f"{command}\n{result.stderr}"


def test_script_works(tmp_path):
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    result = run(["-c", script], tmp_path)
    assert result.returncode == 0, result.stderr


def test_refused_spec_is_refused_as_the_page_says(tmp_path):
    page = (ROOT / "docs" / "networks.md").read_text(encoding="utf-8")
    shown = re.search(r"^    \$ ocrlstm (train .+)\n    (ocrlstm: error: .+)$", page, re.MULTILINE)
    command, message = shown.groups()
    head, spec = command.split(" --spec ")
    result = run(["-m", "ocrlstm", *head.split(), "--spec", spec.strip('"')], tmp_path)
    assert result.returncode == 2
    assert result.stderr.strip() == message


def test_readme_shows_the_two_commands_of_set_up():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("bin/quickstart", "bin/test"):
        assert f"    {command}\n" in text
        assert os.access(ROOT / command, os.X_OK)
