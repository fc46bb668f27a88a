"""How the kernels with long loops of arithmetic are compiled."""

from __future__ import annotations

from typing import Any

from numba import njit

__all__ = ["compiled"]


def compiled(function: Any) -> Any:
    """Compile a kernel: no GIL, cached on disk, multiply and add in one instruction where it pays.

    Nothing else of "fast math": infinities and NaN must stay visible to the trainer's guard, and
    sums keep their order, so that the same input gives the same bytes.

    Numba's cache looks at the file of the kernel alone: after a change of a function from another
    file that a kernel calls, as those of `squash`, touch the kernel's file too.
    """
    return njit(nogil=True, cache=True, fastmath={"contract", "nsz"}, error_model="numpy")(function)
