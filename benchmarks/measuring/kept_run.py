"""A training whose files are kept, so that a benchmark of hours goes on where it was stopped."""

import json
import shlex
import subprocess
import sys
from pathlib import Path


class KeptRun:
    """A model, trained by ``ocrlstm train`` and scored by ``ocrlstm evaluate``.

    Parameters
    ----------
    stem : Path
        All files of the run have this name: .safetensors, .ckpt, .csv, .log, and .command and .json
        of the benchmark.
    paths : list of str or Path
        What it is trained on.
    options : str or number
        Other options of ``ocrlstm train``.
    """

    def __init__(self, stem: Path, paths: list[str | Path], *options: object) -> None:
        self.stem = stem
        self.model = stem.with_suffix(".safetensors")
        self._command = ["train", *map(str, paths), "-o", str(self.model), *map(str, options)]

    def train(self) -> None:
        """Train to the end, from a checkpoint if there is one; do nothing if that was done.

        Exits if the files are those of a run with another command.
        """
        self._check_command()
        if self._file(".done").exists():
            return
        checkpoint = self._file(".ckpt")
        if checkpoint.exists():
            self._run(["train", "--resume", str(checkpoint)])
        else:
            self._run(self._command)
        self._file(".done").touch()

    def read(self, test: Path) -> dict:
        """Return the report of the test lines, which is made once."""
        kept = self._file(".json")
        if not kept.exists():
            text = self._run(["evaluate", "-m", str(self.model), str(test), "--json"])
            kept.write_text(text, encoding="utf-8")
        return json.loads(kept.read_text(encoding="utf-8"))

    def epochs(self) -> int:
        """Return the epochs it has gone through."""
        return len(self._file(".csv").read_text(encoding="utf-8").splitlines()) - 1

    def _file(self, suffix: str) -> Path:
        return self.stem.with_suffix(suffix)

    def _check_command(self) -> None:
        kept, command = self._file(".command"), shlex.join(self._command)
        if kept.exists() and kept.read_text(encoding="utf-8") != command:
            sys.exit(
                f"{kept}: is of a run with other options ({kept.read_text(encoding='utf-8')}); "
                "name another folder with --output, or remove its files"
            )
        kept.write_text(command, encoding="utf-8")

    def _run(self, arguments: list[str]) -> str:
        command = [sys.executable, "-m", "ocrlstm", *arguments]
        log = self._file(".log")
        with open(log, "a", encoding="utf-8") as file:
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=file, text=True)
        # 1 tells of some lines that could not be read, or of a mishap that wrote nothing.
        if result.returncode not in (0, 1) or (result.returncode and not result.stdout):
            last = log.read_text("utf-8", "replace").strip().splitlines()[-1:]
            sys.exit(f"{shlex.join(command)} ended with {result.returncode}: {''.join(last)}")
        return result.stdout
