"""That freed memory is used again, seen by the pages that the system had to hand out."""

import platform
import subprocess
import sys

import pytest

from ocrlstm.kernels.memory import reuse_memory

PAGES = """
import resource
import numpy as np
from ocrlstm.kernels.memory import reuse_memory
if {reuse}:
    reuse_memory()
def work():
    for _ in range(20):
        arrays = [np.ones(2**20) for _ in range(8)]
work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries decide alone")
def test_the_second_round_takes_no_new_pages() -> None:
    assert reuse_memory()
    pages = {}
    for reuse in (False, True):
        script = PAGES.format(reuse=reuse)
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        pages[reuse] = int(run.stdout)
    assert pages[True] < 1000 < pages[False]


def test_other_systems_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    reuse_memory.cache_clear()
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert reuse_memory() is False
    reuse_memory.cache_clear()
