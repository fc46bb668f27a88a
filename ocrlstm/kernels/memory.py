"""Memory that is freed is kept for the next array of its size.

Each training step frees its large arrays and allocates the same sizes again. The C library of Linux
gives arrays above a few megabytes back to the system at once and takes them anew, and the system
then clears every page anew: an eighth of a training step.
"""

from __future__ import annotations

import ctypes
import platform
from functools import lru_cache

__all__ = ["reuse_memory"]

# Parameters of mallopt(3), from <malloc.h>.
_TRIM_THRESHOLD = -1
_MMAP_THRESHOLD = -3
# The most that glibc takes for it; larger arrays still go back to the system when freed.
_LARGEST_KEPT = 32 * 2**20
# So much may lie free before memory is given back.
_MOST_KEPT = 2**30


@lru_cache(maxsize=1)
def reuse_memory() -> bool:
    """Let this process keep the memory it frees, up to a gigabyte, for its next arrays.

    Returns
    -------
    bool
        Whether it does: only glibc, the C library of most Linux systems, can be told.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    set_to = (
        library.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT),
        library.mallopt(_TRIM_THRESHOLD, _MOST_KEPT),
    )
    return all(set_to)
