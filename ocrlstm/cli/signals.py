"""Ctrl-C for commands that have something to finish first."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

__all__ = ["stopped_by_signals"]


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Turn the first Ctrl-C or SIGTERM into a request to stop; a second one interrupts at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def request(number: int, frame: FrameType | None) -> None:
        stop.set()
        for each in before:
            signal.signal(each, signal.default_int_handler)
        # Past all buffers and locks, in the midst of which a signal may come. On a terminal the
        # bar is wiped out first; it is drawn anew below.
        wipe = b"\r\x1b[K" if sys.stderr.isatty() else b""
        with suppress(OSError):
            os.write(2, wipe + b"ocrlstm: stopping after this step; once more to stop at once\n")

    for number in before:
        signal.signal(number, request)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
