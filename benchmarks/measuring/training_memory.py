"""A process that begins to train on many lines: FOLDER|PACK LINES THREADS [STEPS].

The images of FOLDER are repeated, a pack is taken as it is; a few steps are made. Prints JSON:
seconds until the first step, and the peak memory in bytes.
"""

import json
import sys
import time
from pathlib import Path

from measuring.machine import threads
from measuring.point import peak_memory
from ocrlstm.datasets import LinePair, find_pairs
from ocrlstm.training import Step, TrainingConfig, train

STEPS = 20


def main() -> None:
    source, lines, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else STEPS  # noqa: PLR2004
    pairs = source if Path(source).is_file() else repeated_pairs(source, lines)
    config = TrainingConfig(epochs=1)
    begin = time.perf_counter()
    ends: list[float] = []

    def report(event: object) -> None:
        if isinstance(event, Step):
            ends.append(time.perf_counter())

    with threads(count):
        train(pairs, config, report=report, should_stop=lambda: len(ends) >= steps)
    json.dump({"seconds": ends[0] - begin, "peak": peak_memory()}, sys.stdout)


def repeated_pairs(folder: str, lines: int | None) -> list[tuple[LinePair, str]]:
    """Return images and texts of a folder, so many as wanted, the first again after the last."""
    found = [(pair, pair.read_text()) for pair in find_pairs([folder]).pairs]
    return [found[i % len(found)] for i in range(len(found) if lines is None else lines)]


if __name__ == "__main__":
    main()
