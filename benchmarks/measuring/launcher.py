"""Runs a command and writes its seconds and its peak memory into a file: FILE COMMAND ...

A process of its own, small and started anew each time: the peak memory that the system tells of a
child is never less than that of the process which started it.
"""

import json
import resource
import subprocess
import sys
import time


def main() -> int:
    begin = time.perf_counter()
    code = subprocess.call(sys.argv[2:])
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    unit = 1 if sys.platform == "darwin" else 1024
    with open(sys.argv[1], "w") as file:
        json.dump({"seconds": seconds, "peak": peak * unit}, file)
    return code


if __name__ == "__main__":
    sys.exit(main())
