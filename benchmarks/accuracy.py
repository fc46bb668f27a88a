"""Train on real lines from random weights for a fixed time, and read their test part.

    bin/benchmark accuracy fraktur19-archiscribe english-books-1900 --minutes 20

Each set is a folder SET/train and SET/test of image/text pairs below --data. The commands are the
ones a user gives: `ocrlstm train`, then `ocrlstm evaluate` on lines that training never saw.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring.data import LINES


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="Other options go to `ocrlstm train`."
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--data", type=Path, default=LINES)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--output", type=Path, help="keep models and logs in this folder")
    arguments, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.output or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in arguments.sets:
            model = folder / f"{name}.safetensors"
            begin = time.monotonic()
            run("train", arguments.data / name / "train", "-o", model, "--max-minutes",
                arguments.minutes, *options)  # fmt: skip
            seconds = time.monotonic() - begin
            report = json.loads(
                run("evaluate", "-m", model, arguments.data / name / "test", "--json")
            )
            low, high = report["cer_interval"]
            print(
                f"{name}: {seconds / 60:.1f} minutes, test CER {100 * report['cer']:.2f} % "
                f"(95 % interval {100 * low:.2f} to {100 * high:.2f}; {report['edits']} edits in "
                f"{report['characters']} characters, {report['exact_lines']} of "
                f"{report['lines']} lines exact)",
                flush=True,
            )


def run(*arguments: object) -> str:
    command = [sys.executable, "-m", "ocrlstm", *map(str, arguments)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode not in (0, 1):
        sys.exit(result.returncode)
    return result.stdout


if __name__ == "__main__":
    main()
