"""``import ocrlstm``: quick, and all its names are there."""

import subprocess
import sys

import pytest

import ocrlstm


@pytest.mark.parametrize("name", ocrlstm.__all__)
def test_every_name_is_there(name):
    assert getattr(ocrlstm, name) is not None
    assert name in dir(ocrlstm)


def test_a_wrong_name():
    with pytest.raises(AttributeError, match="recognise"):
        _ = ocrlstm.recognise


@pytest.mark.parametrize(
    "code",
    [
        "import ocrlstm",
        "from ocrlstm.cli import command_line; command_line(['--help'], standalone_mode=False)",
    ],
)
def test_importing_and_help_load_nothing_heavy(code):
    check = f"""
import sys, threading
{code}
heavy = {{"numpy", "numba", "scipy", "PIL", "rich"}} & set(sys.modules)
if heavy or threading.active_count() > 1:
    sys.exit(f"loaded: {{heavy}}, threads: {{threading.active_count()}}")
"""
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
