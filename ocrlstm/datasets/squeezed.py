"""Lines squeezed with zlib, in files that many threads read at once."""

from __future__ import annotations

import os
import threading
import zlib
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from ocrlstm.datasets.sample import Pixels
from ocrlstm.errors import DatasetError

__all__ = ["SharedFile", "SqueezedPixels", "squeeze"]


def squeeze(pixels: Pixels) -> bytes:
    """Return the squeezed bytes of a line; a quarter to a half, as most of a line is paper."""
    # Looking for runs only takes three fifths of the time of zlib's quickest level and gives no
    # more bytes: nothing in a line but its paper is the same twice.
    squeezer = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_RLE)
    return squeezer.compress(pixels.tobytes()) + squeezer.flush()


class SharedFile:
    """A file open for reading at any place, from any number of threads.

    The pages that are read this way are the system's, not this process's: they do not count as
    its memory, as those of a mapped file would.

    Parameters
    ----------
    file : binary file
        Closed when nothing refers to this any more.
    name : str
        What messages call it.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file = file
        self.name = name
        self._lock = threading.Lock()

    def append(self, data: bytes) -> None:
        """Write bytes at the end; threads may read meanwhile.

        Raises
        ------
        OSError
            If the disk is full.
        """
        with self._lock:
            self.file.seek(0, os.SEEK_END)
            self.file.write(data)
            self.file.flush()

    def read(self, place: int, size: int) -> bytes:
        """Return `size` bytes from `place` on.

        Raises
        ------
        DatasetError
            If they cannot be read, or there are fewer.
        """
        try:
            if hasattr(os, "pread"):
                data = os.pread(self.file.fileno(), size, place)
            else:  # Windows
                with self._lock:
                    self.file.seek(place)
                    data = self.file.read(size)
        except OSError as error:
            raise DatasetError(f"{self.name}: cannot be read ({error.strerror})") from error
        if len(data) < size:
            raise DatasetError(self._too_short(place + len(data), place + size))
        return data

    def require(self, size: int) -> None:
        """See that the file still has `size` bytes: to touch a mapped one beyond its end kills.

        Raises
        ------
        DatasetError
            If it is shorter.
        """
        found = os.fstat(self.file.fileno()).st_size
        if found < size:
            raise DatasetError(self._too_short(found, size))

    def _too_short(self, found: int, needed: int) -> str:
        return (
            f"{self.name}: ends at byte {found}, {needed} are needed; it was cut short or "
            "overwritten while in use"
        )


@dataclass(frozen=True, slots=True)
class SqueezedPixels:
    """Where one squeezed line lies.

    Attributes
    ----------
    file : SharedFile
    place, size : int
        In bytes.
    shape : tuple of int
        (H, W).
    """

    file: SharedFile
    place: int
    size: int
    shape: tuple[int, int]

    def data(self) -> bytes:
        """Return the squeezed bytes as they are."""
        return self.file.read(self.place, self.size)

    def read(self) -> Pixels:
        """Return the line, uint8 of shape (H, W).

        Raises
        ------
        DatasetError
            If the bytes are damaged or make a line of another size.
        """
        height, width = self.shape
        expander = zlib.decompressobj()
        try:
            # One byte more shows that there is more, and a bomb goes no further.
            data = expander.decompress(self.data(), height * width + 1)
        except zlib.error as error:
            raise DatasetError(self._damaged(str(error))) from error
        if len(data) != height * width or not expander.eof:
            raise DatasetError(self._damaged(f"it does not hold {height} x {width} pixels"))
        return np.frombuffer(data, np.uint8).reshape(self.shape)

    def _damaged(self, reason: str) -> str:
        return f"{self.file.name}: the line at byte {self.place} is damaged ({reason}); pack again"
