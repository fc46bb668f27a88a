"""A process that packs lines: FOLDER PACK LINES THREADS.

The lines of FOLDER are repeated. Prints JSON: seconds from the first image to the finished file,
and the peak memory in bytes.
"""

import json
import sys
import time

from measuring.machine import threads
from measuring.point import peak_memory
from measuring.training_memory import repeated_pairs
from ocrlstm.datasets import LineForm, MemoryPair, write_pack
from ocrlstm.training import TrainingConfig
from ocrlstm.training.material import check_spec


def main() -> None:
    folder, path, lines, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    form = LineForm(check_spec(TrainingConfig())[1])
    pairs = [
        MemoryPair(image, text, f"line {number}")
        for number, (image, text) in enumerate(repeated_pairs(folder, lines))
    ]
    with threads(count):
        write_pack(path, pairs[:8], form)  # compiles what is not compiled yet
        begin = time.perf_counter()
        write_pack(path, pairs, form)
        seconds = time.perf_counter() - begin
    json.dump({"seconds": seconds, "peak": peak_memory()}, sys.stdout)


if __name__ == "__main__":
    main()
