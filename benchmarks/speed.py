"""How fast networks and commands are, against others and by size. Medians, with the spread.

    bin/benchmark speed [--json FILE] [--only SECTION ...] [--repeats N] [--threads N]

Sections: networks (against PyTorch), peak (share of the matrix-product peak), programs (against
tesseract, RapidOCR and kraken), latency (one line), commands (start-up and memory), growth (with
widths, batches, states, classes, threads, lines), profile (by layer and stage). What is compared is
measured by turns in one loop; docs/performance.md tells how. Peers that are not installed are left
out with a word.
"""

import argparse
import json
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from measuring import commands, growth, latency, networks, peak, profiling, programs
from measuring.machine import describe_machine, threads, warning
from measuring.options import SAMPLE, Options
from measuring.subjects import DEFAULT, SUBJECTS

from ocrlstm.kernels.threads import available_cores

SECTIONS: dict[str, Callable[[Options], dict[str, Any]]] = {
    "networks": networks.run,
    "peak": peak.run,
    "programs": programs.run,
    "latency": latency.run,
    "commands": commands.run,
    "growth": growth.run,
    "profile": profiling.run,
}
TRAINING_LINES = (1_000, 8_000)


def main() -> None:
    arguments = parse()
    options = Options(
        repeats=arguments.repeats,
        threads=arguments.threads,
        subjects=tuple(SUBJECTS[name] for name in arguments.networks),
        lines=arguments.lines,
        training_lines=tuple(arguments.training_lines),
        spec=arguments.profile,
        width=arguments.profile_width,
        kraken_model=arguments.kraken_model,
    )
    machine = describe_machine()
    packages = ", ".join(f"{name} {found}" for name, found in machine["packages"].items())
    print(f"{machine['processor']}, {options.threads} of {machine['cores']} cores; {packages}")
    if busy := warning(machine["load"]):
        print(f"warning: {busy}")
    begin = time.perf_counter()
    found = {
        "date": datetime.now().astimezone().isoformat(timespec="minutes"),
        "machine": machine,
        "threads": options.threads,
        "repeats": options.repeats,
        "sections": {},
    }
    with threads(options.threads):
        for name in (name for name in SECTIONS if name in arguments.only):
            found["sections"][name] = SECTIONS[name](options)
            if arguments.json:  # after every section, so that an interrupted run leaves something
                arguments.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(f"\n{time.perf_counter() - begin:.0f} s in all")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all values there")
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION",
        help=f"of {', '.join(SECTIONS)}; default: all",
    )  # fmt: skip
    parser.add_argument("--repeats", type=positive, default=5, help="default: 5")
    parser.add_argument(
        "--threads", type=positive, default=available_cores(), help="default: all cores"
    )
    parser.add_argument(
        "--networks", nargs="+", choices=SUBJECTS, default=list(SUBJECTS), metavar="NETWORK",
        help=f"of networks and peak: {', '.join(SUBJECTS)}; default: all",
    )  # fmt: skip
    parser.add_argument(
        "--lines", type=Path, default=SAMPLE, metavar="FOLDER",
        help="line images for programs, latency and reading; default: training-data/sample",
    )  # fmt: skip
    parser.add_argument(
        "--training-lines", type=positive, nargs="+", default=TRAINING_LINES, metavar="N",
        help=f"of growth; default: {' '.join(map(str, TRAINING_LINES))}",
    )  # fmt: skip
    parser.add_argument(
        "--profile", default=DEFAULT.spec, metavar="SPEC", help="network of the section profile"
    )
    parser.add_argument("--profile-width", type=positive, default=DEFAULT.width, metavar="COLUMNS")
    parser.add_argument(
        "--kraken-model", type=Path, metavar="FILE", help="for programs; kraken brings none"
    )
    return parser.parse_args()


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {value}")
    return value


if __name__ == "__main__":
    main()
