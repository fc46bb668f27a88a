"""Run commands, one or several side by side, and tell their time, peak memory and output."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1]
LAUNCHER = Path(__file__).with_name("launcher.py")

Command = Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Finished:
    """Processes that ran side by side.

    `seconds` go from the first start to the last end, `peak` is the sum of their peak memories in
    bytes, `outputs` is what each wrote to stdout.
    """

    seconds: float
    peak: int
    outputs: tuple[str, ...]

    @property
    def megabytes(self) -> float:
        return self.peak / 1e6


def ocrlstm(*arguments: object) -> list[str]:
    """Return the command line of ``ocrlstm``."""
    return [sys.executable, "-m", "ocrlstm", *map(str, arguments)]


def module(name: str, *arguments: object) -> list[str]:
    """Return the command line of a module beside this one, which prints what it measured."""
    return [sys.executable, "-m", f"measuring.{name}", *map(str, arguments)]


def run(command: Command, environment: Mapping[str, str] | None = None) -> Finished:
    """Run one command; its seconds are those of the command alone."""
    return run_side_by_side([command], environment)


def run_side_by_side(
    commands: Sequence[Command], environment: Mapping[str, str] | None = None
) -> Finished:
    """Run commands at the same time.

    Raises
    ------
    RuntimeError
        If one fails, with the end of what it wrote to stderr.
    """
    variables = variables_with(environment or {})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begin = time.perf_counter()
        processes = [
            _start(command, folder / str(i), variables) for i, command in enumerate(commands)
        ]
        codes = [process.wait() for process in processes]
        seconds = time.perf_counter() - begin
        for i, code in enumerate(codes):
            if code:
                errors = (folder / f"{i}.err").read_text("utf-8", "replace").strip()
                raise RuntimeError(f"{' '.join(map(str, commands[i]))[:200]}: {errors[-500:]}")
        usage = [json.loads((folder / f"{i}.json").read_text()) for i in range(len(commands))]
        outputs = [(folder / f"{i}.out").read_text("utf-8") for i in range(len(commands))]
    if len(commands) == 1:
        seconds = usage[0]["seconds"]
    return Finished(seconds, sum(one["peak"] for one in usage), tuple(outputs))


def _start(command: Command, stem: Path, variables: dict[str, str]) -> subprocess.Popen[bytes]:
    launcher = [sys.executable, "-I", "-S", str(LAUNCHER), f"{stem}.json"]
    with open(f"{stem}.out", "wb") as out, open(f"{stem}.err", "wb") as err:
        return subprocess.Popen([*launcher, *command], env=variables, stdout=out, stderr=err)


def variables_with(more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with some variables more.

    The modules beside this one find each other in it.
    """
    path = os.pathsep.join(filter(None, [str(BENCHMARKS), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, **more}
