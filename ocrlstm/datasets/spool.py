"""Lines on disk: for more training lines than the memory holds."""

from __future__ import annotations

import os
import tempfile
import threading
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ocrlstm.errors import OutputError

__all__ = ["IN_MEMORY", "Pixels", "Spool", "SpooledPixels"]

Pixels = npt.NDArray[np.uint8]

#: Bytes of lines that are held in memory before the disk is used.
IN_MEMORY = 256 * 2**20


class Spool:
    """Keeps the first lines in memory and the others, squeezed, in a file without a name.

    The file goes when nothing refers to its lines any more, or with the process. Threads may read
    at the same time; one may write.

    Parameters
    ----------
    in_memory : int
        Bytes of lines held in memory.
    """

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._left = in_memory
        self._file: _SpoolFile | None = None

    def keep(self, pixels: Pixels) -> Pixels | SpooledPixels:
        """Return `pixels`, or where they can be read again.

        Raises
        ------
        OutputError
            If the disk is full.
        """
        if self._left >= pixels.nbytes:
            self._left -= pixels.nbytes
            return pixels
        self._left = 0
        if self._file is None:
            self._file = _SpoolFile()
        # The quickest level: most of a line is paper.
        squeezed = zlib.compress(pixels.tobytes(), 1)
        place = self._file.append(squeezed)
        return SpooledPixels(self._file, place, len(squeezed), (pixels.shape[0], pixels.shape[1]))


@dataclass(frozen=True)
class SpooledPixels:
    """One line of a spool's file.

    Attributes
    ----------
    shape : tuple of int
        (H, W).
    """

    _file: _SpoolFile
    _place: int
    _size: int
    shape: tuple[int, int]

    def read(self) -> Pixels:
        """Return the line, uint8 of shape (H, W)."""
        data = zlib.decompress(self._file.read(self._place, self._size))
        return np.frombuffer(data, np.uint8).reshape(self.shape)


class _SpoolFile:
    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="ocrlstm-")  # noqa: SIM115 (lives as this does)
        self._end = 0
        self._lock = threading.Lock()

    def append(self, data: bytes) -> int:
        place = self._end
        try:
            with self._lock:
                self._file.seek(place)
                self._file.write(data)
                self._file.flush()
        except OSError as error:
            raise OutputError(
                f"{tempfile.gettempdir()}: cannot hold the training lines "
                f"({error.strerror or error}); set TMPDIR to a folder with more room"
            ) from error
        self._end += len(data)
        return place

    def read(self, place: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), size, place)
        with self._lock:  # Windows has no pread
            self._file.seek(place)
            return self._file.read(size)
