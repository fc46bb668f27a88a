"""How fast networks train and read, and how long the commands take. Medians, with the spread.

    bin/benchmark speed

Networks run on random lines of a fixed width. The first run is that of a new installation: an
empty cache of compiled code.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ocrlstm.kernels.threads import set_thread_count, thread_count
from ocrlstm.losses import LOSSES
from ocrlstm.network import Network
from ocrlstm.optimizers import OPTIMIZERS
from ocrlstm.training import DEFAULT_SPEC

CLASSES = 100
NETWORKS = {
    "OCRopus net, 600 frames": ("[1,48,0,1 Lbx100 O1c]", 600),
    "default net, 900 columns": (DEFAULT_SPEC, 900),
}
SAMPLE = Path(__file__).parents[1] / "training-data" / "sample"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, help="default: all cores of the process")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--batch-size", type=int, default=8)
    arguments = parser.parse_args()
    set_thread_count(arguments.threads)
    print(f"{thread_count()} threads, batches of {arguments.batch_size}")
    for name, (spec, width) in NETWORKS.items():
        train, read = time_network(spec, width, arguments.batch_size, arguments.repeats)
        show(f"{name}: training", train, "lines/s")
        show(f"{name}: reading", read, "lines/s")
    time_commands(arguments.repeats)


def time_network(spec: str, width: int, lines: int, repeats: int) -> tuple[list, list]:
    """Return lines per second of training steps and of reading, one value a repeat."""
    rng = np.random.default_rng(0)
    network = Network(spec, CLASSES, rng)
    optimizer = OPTIMIZERS["adamw"]()
    x = rng.random((lines, network.height, width, 1), dtype=np.float32)
    widths = np.full(lines, width)
    targets = [rng.integers(1, CLASSES, 60) for _ in range(lines)]

    def step() -> None:
        posteriors, frames = network.forward(x, widths, training=True)
        _, gradient = LOSSES["ctc"](posteriors, frames, targets)
        network.backward(gradient / lines)
        optimizer.update(network.parameters(), network.gradients(), 1e-4)

    training = [lines / seconds for seconds in measure(step, repeats)]
    reading = [lines / seconds for seconds in measure(lambda: network.forward(x, widths), repeats)]
    return training, reading


def measure(function: Callable[[], object], repeats: int) -> list[float]:
    function()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return times


def time_commands(repeats: int) -> None:
    line = sorted(SAMPLE.glob("*.png"))[0]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        first = command_seconds(["recognize", line], environment)
        print(f"ocrlstm recognize LINE, first run after installing: {first:.2f} s")
        warm = [command_seconds(["recognize", line], environment) for _ in range(repeats)]
        show("ocrlstm recognize LINE, warm", warm, "s")
    show("ocrlstm --help", [command_seconds(["--help"]) for _ in range(repeats)], "s")


def command_seconds(arguments: list, environment: dict[str, str] | None = None) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "ocrlstm", *map(str, arguments)],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - begin


def show(name: str, values: list[float], unit: str) -> None:
    print(
        f"{name}: {statistics.median(values):.3g} {unit} "
        f"({min(values):.3g} to {max(values):.3g} in {len(values)} repeats)",
        flush=True,
    )


if __name__ == "__main__":
    main()
