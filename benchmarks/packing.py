"""How fast lines are packed, and how much memory training on packs takes.

    bin/benchmark packing [--lines FOLDER] [--packed N] [--training-lines N ...] [--repeats N]

Packs the lines of a folder again and again, each in a process of its own, and prints lines a second
and the peak of resident memory. Then repeats them in packs of more and more lines, and prints for
each its size, the seconds until the first step of training, and the peak of resident memory after
some steps. The largest pack needs some gigabytes in the folder for temporary files (TMPDIR).
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from measuring import processes
from measuring.machine import describe_machine, warning
from measuring.options import SAMPLE
from measuring.processes import module
from measuring.spread import Spread
from measuring.tables import print_table

from ocrlstm.kernels.threads import available_cores

STEPS = 100


def main() -> None:
    arguments = parse()
    machine = describe_machine()
    print(f"{machine['processor']}, {arguments.threads} of {machine['cores']} cores")
    if busy := warning(machine["load"]):
        print(f"warning: {busy}")
    found = {"machine": machine, "packing": pack(arguments), "training": train(arguments)}
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def pack(arguments: argparse.Namespace) -> dict[str, Any]:
    """Print how fast a pack is written."""
    runs = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "lines.pack")
        for _ in range(arguments.repeats):
            command = module(
                "pack_memory", arguments.lines, path, arguments.packed, arguments.threads
            )
            runs.append(json.loads(processes.run(command).outputs[0]))
        size = path.stat().st_size
    seconds = Spread(tuple(run["seconds"] for run in runs))
    peak = Spread(tuple(run["peak"] / 1e6 for run in runs))
    row = [f"{arguments.packed:,}", seconds.rate(arguments.packed), peak, f"{size / 1e6:,.0f}"]
    print_table("Packing", ("lines", "lines/s", "peak MB", "MB on disk"), [row])
    return {"lines": arguments.packed, "bytes": size, "runs": runs}


def train(arguments: argparse.Namespace) -> dict[str, Any]:
    """Print the memory of the first steps of training on more and more packed lines."""
    rows, records = [], {}
    for count in arguments.training_lines:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name, "lines.pack")
            processes.run(module("repeated_pack", arguments.lines, path, count))
            size = path.stat().st_size
            command = module("training_memory", path, count, arguments.threads, STEPS)
            result = json.loads(processes.run(command).outputs[0])
        records[str(count)] = {**result, "bytes": size}
        rows.append(
            [
                f"{count:,}",
                f"{size / 1e6:,.0f}",
                Spread((result["seconds"],)),
                f"{result['peak'] / 1e6:,.0f}",
            ]
        )
    columns = ("lines", "MB on disk", "s to the first step", "peak MB")
    print_table(f"Training from packs ({STEPS} steps of the default net)", columns, rows)
    return records


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--lines", type=Path, default=SAMPLE, metavar="FOLDER",
        help="line images with texts; default: training-data/sample",
    )  # fmt: skip
    parser.add_argument("--packed", type=int, default=4_000, metavar="N", help="default: 4000")
    parser.add_argument(
        "--training-lines", type=int, nargs="*", default=[1_000, 400_000], metavar="N",
        help="default: 1000 400000",
    )  # fmt: skip
    parser.add_argument("--repeats", type=int, default=3, help="of packing; default: 3")
    parser.add_argument("--threads", type=int, default=available_cores(), help="default: all cores")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all values there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
