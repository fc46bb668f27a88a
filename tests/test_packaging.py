"""The sdist, and the wheel made of it, carry all that an installation needs."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = (".*cache*", ".git", ".venv", "__pycache__", "*.egg-info", "build", "dist")


def build(kind: str, source: Path, target: Path) -> Path:
    """Build as pip does, with the setuptools that is there."""
    code = f"import setuptools.build_meta as b, sys; print(b.build_{kind}(sys.argv[1]))"
    result = subprocess.run(
        [sys.executable, "-c", code, target], cwd=source, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return target / result.stdout.splitlines()[-1]


def test_sdist_and_wheel(bar_model_file, tmp_path):
    pytest.importorskip("setuptools", minversion="77")
    copy = tmp_path / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_OURS))
    shutil.copy(bar_model_file, copy / "models" / "bars.safetensors")
    (copy / "models" / "bars.md").write_text("# Bars\n", "utf-8")

    with tarfile.open(build("sdist", copy, tmp_path)) as archive:
        archive.extractall(tmp_path / "unpacked")
    (source,) = (tmp_path / "unpacked").iterdir()
    for name in ("README.md", "LICENSE", "bin/quickstart", "tests/conftest.py", "docs/networks.md"):
        assert (source / name).is_file()
    assert len(list(source.glob("training-data/sample/*.png"))) == 40

    site = tmp_path / "site"
    with zipfile.ZipFile(build("wheel", source, tmp_path)) as archive:
        archive.extractall(site)
    installed = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    modules = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("ocrlstm/**/*.py")}
    models = {f"ocrlstm/pretrained/{path.name}" for path in (copy / "models").glob("bars.*")}
    assert {"ocrlstm/py.typed", "ocrlstm/pretrained/__init__.py"} | modules | models <= installed
    assert {name.split("/")[0].split("-")[0] for name in installed} == {"ocrlstm"}

    code = "import ocrlstm as o; print(o.__file__, o.load_model('bars').model.metadata['note'])"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    assert result.stderr == ""
    assert result.stdout == f"{site}/ocrlstm/__init__.py made by hand\n"
