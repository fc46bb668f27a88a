"""A process that begins to train on many lines: FOLDER LINES THREADS.

The images of FOLDER are repeated; a few steps are made. Prints JSON: seconds until the first step,
and the peak memory in bytes.
"""

import json
import sys
import time

from measuring.machine import threads
from measuring.point import peak_memory
from ocrlstm.datasets import find_pairs
from ocrlstm.training import Step, TrainingConfig, train

STEPS = 20


def main() -> None:
    folder, lines, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found = [(pair, pair.read_text()) for pair in find_pairs([folder]).pairs]
    pairs = [found[i % len(found)] for i in range(lines)]
    config = TrainingConfig(epochs=1)
    begin = time.perf_counter()
    ends: list[float] = []

    def report(event: object) -> None:
        if isinstance(event, Step):
            ends.append(time.perf_counter())

    with threads(count):
        train(pairs, config, report=report, should_stop=lambda: len(ends) >= STEPS)
    json.dump({"seconds": ends[0] - begin, "peak": peak_memory()}, sys.stdout)


if __name__ == "__main__":
    main()
