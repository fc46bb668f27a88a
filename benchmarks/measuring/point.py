"""A process that times one network on one size of batch: SPEC CLASSES WIDTH LINES THREADS REPEATS.

Prints JSON: seconds of inference and of a training step, and the peak memory in bytes when the
network was built, after inference, and after training. Each point of a growth curve has a process
of its own, because a peak never falls.
"""

import json
import resource
import sys
from pathlib import Path

from measuring import subjects, turns
from measuring.machine import threads
from measuring.subjects import INFERENCE, TRAINING

STATUS = Path("/proc/self/status")
# A label a 15 columns of the line.
COLUMNS_A_LABEL = 15


def main() -> None:
    spec = sys.argv[1]
    classes, width, lines, count, repeats = map(int, sys.argv[2:])
    with threads(count):
        network = subjects.build(spec, classes)
        batch = subjects.draw_batch(
            network.height, width, lines, classes, max(1, width // COLUMNS_A_LABEL)
        )
        peaks = {"built": peak_memory()}
        actions = subjects.actions(network, batch)
        seconds = {}
        for work in (INFERENCE, TRAINING):
            measured = turns.in_turns({work: actions[work]}, repeats)
            seconds[work] = measured[work].values
            peaks[work] = peak_memory()
    json.dump({"seconds": seconds, "peaks": peaks}, sys.stdout)


def peak_memory() -> int:
    """Return the peak memory of this process in bytes, without that of the one that started it."""
    if STATUS.is_file():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
