"""Which lines of a batch a kernel that goes through the frames still has to look at."""

from __future__ import annotations

from ocrlstm.kernels.compiled import compiled

__all__ = ["unfinished"]


@compiled
def unfinished(lengths, t):  # type: ignore[no-untyped-def]
    """Return the number of lines up to the last that has a step t."""
    count = len(lengths)
    while count > 0 and lengths[count - 1] <= t:
        count -= 1
    return count
