"""Section ``commands``: start-up of the commands, the first run, and memory of a run."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from measuring import processes
from measuring.line_files import repeat_images
from measuring.options import Options
from measuring.processes import Command, Finished, ocrlstm
from measuring.spread import Spread, spread
from measuring.tables import print_table

FIRST_RUN = "ocrlstm recognize LINE, first run after installing"
MANY = 200


def run(options: Options) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        images = folder / "images"
        images.mkdir()
        line, *_ = repeat_images(options.lines, images, MANY)
        cache = {"NUMBA_CACHE_DIR": str(folder / "cache")}
        first = processes.run(ocrlstm("recognize", line), cache)
        commands: dict[str, Command] = {
            "ocrlstm --help": ocrlstm("--help"),
            'python -c "import ocrlstm"': [sys.executable, "-c", "import ocrlstm"],
            "ocrlstm recognize LINE, warm": ocrlstm("recognize", line),
            f"ocrlstm recognize, {MANY} lines": ocrlstm("recognize", images),
        }
        results: dict[str, list[Finished]] = {name: [] for name in commands}
        for _ in range(options.repeats):
            for name, command in commands.items():
                results[name].append(processes.run(command, cache))
    results[FIRST_RUN] = [first]
    rows, records = [], {}
    for name, runs in results.items():
        seconds = spread(one.seconds for one in runs)
        memory = spread(one.megabytes for one in runs)
        rows.append([name, seconds, memory])
        records[name] = record(seconds, memory)
    print_table("Commands, of processes that start anew", ("", "s", "peak MB"), rows)
    return records


def record(seconds: Spread, memory: Spread) -> dict[str, Any]:
    return {"seconds": seconds.record(), "peak_megabytes": memory.record()}
