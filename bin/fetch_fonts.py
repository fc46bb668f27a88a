"""Fetch the fonts that a recipe names into a folder. Called by bin/fetch-fonts.

Debian's packages are downloaded and unpacked, not installed, so that no root is needed and only the
fonts of the recipe are in the folder. A package that is there already is left alone.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ocrlstm.datasets.synthesis import read_recipe
from ocrlstm.errors import OcrError


def main() -> None:
    parser = argparse.ArgumentParser(prog="fetch-fonts", description=__doc__.split("\n")[0])
    parser.add_argument("recipe", type=Path, metavar="RECIPE.toml")
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("build/fonts"), help="build/fonts"
    )
    arguments = parser.parse_args()
    try:
        packages = read_recipe(arguments.recipe).packages
        debian, npm = arguments.folder / "debian", arguments.folder / "npm"
        fetch_debian([n for n in packages.debian if not (debian / n).is_dir()], debian)
        fetch_npm([n for n in packages.npm if not (npm / "node_modules" / n).is_dir()], npm)
    except (OcrError, OSError) as error:
        print(f"fetch-fonts: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{len(packages.debian)} Debian and {len(packages.npm)} npm packages: {arguments.folder}")


def fetch_debian(names: list[str], folder: Path) -> None:
    """Download packages and unpack each into a folder of its name."""
    if not names:
        return
    require("apt-get", "dpkg-deb")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as downloads:
        # Tells of a package that there is none of before anything is unpacked. Run by root, apt
        # warns that its own user may not write here, which is no matter.
        run(["apt-get", "download", "--quiet", *names], downloads)
        for name in names:
            (archive,) = Path(downloads).glob(f"{name}_*.deb")
            part = Path(downloads) / "unpacked"
            run(["dpkg-deb", "--extract", str(archive), str(part)], downloads)
            part.rename(folder / name)


def fetch_npm(names: list[str], folder: Path) -> None:
    """Install packages without running any code of theirs."""
    if not names:
        return
    require("npm")
    folder.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    run(["npm", "install", *quiet, "--prefix", str(folder.absolute()), *names], folder)


def require(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            raise OcrError(
                f"needs {program}; without it put fonts into a folder by hand and give it to "
                "ocrlstm generate --fonts FOLDER"
            )


def run(command: list[str], folder: str | Path) -> None:
    if subprocess.run(command, cwd=folder).returncode != 0:
        raise OcrError(f"{command[0]} {command[1]} failed; the lines above tell why")


if __name__ == "__main__":
    main()
