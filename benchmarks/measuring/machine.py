"""The machine: what it is, how many threads are used, and the peak of its matrix product."""

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from ocrlstm.kernels.threads import available_cores, set_thread_count

PEAK_SIZE = 2048
PEAK_FLOPS = 2 * PEAK_SIZE**3

_CPUINFO = Path("/proc/cpuinfo")
# Running processes beside this one, on average over the last minute, that spoil the figures.
_BUSY = 0.5


def describe_machine() -> dict[str, object]:
    packages = ("ocrlstm", "numpy", "numba", "torch", "rapidocr", "onnxruntime")
    return {
        "processor": _processor(),
        "cores": available_cores(),
        "load": os.getloadavg()[0],
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: found for name in packages if (found := version_of(name))},
    }


def warning(load: float) -> str | None:
    """Say if the machine is busy with other things."""
    if load < _BUSY:
        return None
    return (
        f"{load:.1f} other processes were running: figures are worse than they should be, most of "
        "all those of PyTorch, whose threads wait for each other"
    )


def version_of(package: str) -> str | None:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Let ocrlstm and NumPy's matrix products use so many threads."""
    set_thread_count(count)
    with threadpool_limits(count):
        yield


def matrix_product() -> Callable[[], object]:
    """Return the float32 product by which the peak is measured: 2048 rows, columns and sums."""
    rng = np.random.default_rng(0)
    left, right = rng.random((2, PEAK_SIZE, PEAK_SIZE), dtype=np.float32)
    result = np.empty_like(left)
    return lambda: np.matmul(left, right, out=result)


def _processor() -> str:
    if _CPUINFO.is_file():
        for line in _CPUINFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
