"""Lines held for a run: the first in memory, the others squeezed in a temporary file."""

from __future__ import annotations

import tempfile
from array import array
from typing import BinaryIO, cast

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets.columns import TextColumn
from ocrlstm.datasets.line_set import PICTURE_BYTES, LineSet
from ocrlstm.datasets.making import MadeLine
from ocrlstm.datasets.sample import Pixels, Sample
from ocrlstm.datasets.squeezed import SharedFile, SqueezedPixels
from ocrlstm.errors import OutputError

__all__ = ["IN_MEMORY", "SpooledLines"]

#: Bytes of lines that are held in memory before the disk is used.
IN_MEMORY = 256 * 2**20


class SpooledLines(LineSet):
    """Keeps lines of one height; what is more than memory should hold goes into a file.

    The file has no name and goes when nothing refers to this any more, or with the process.
    Threads may read at the same time; one may add.

    Parameters
    ----------
    in_memory : int
        Bytes of lines held in memory.
    """

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._left = in_memory
        self._held: list[Pixels] = []
        self._file: SharedFile | None = None
        self._places = array("q")
        self._sizes = array("q")
        self._end = 0
        self._height = 0
        self._widths = array("q")
        self._pictures = bytearray()
        self._texts = TextColumn()
        self._names = TextColumn()

    @property
    def full(self) -> bool:
        """Tell whether the next line goes to the disk; never false again after that."""
        return self._left == 0

    def add(self, line: MadeLine) -> None:
        """Keep a line.

        Raises
        ------
        OutputError
            If the disk is full.
        """
        if self._left >= line.pixels.nbytes:
            self._left -= line.pixels.nbytes
            self._held.append(line.pixels)
        else:
            self._left = 0
            data = line.data
            self._write(data)
            self._places.append(self._end)
            self._sizes.append(len(data))
            self._end += len(data)
        self._height = line.pixels.shape[0]
        self._widths.append(line.pixels.shape[1])
        self._pictures += line.picture
        self._texts.append(line.text)
        self._names.append(line.name)

    @property
    def widths(self) -> npt.NDArray[np.int64]:
        """Widths of all lines, shape (N,)."""
        return np.array(self._widths, np.int64)

    @property
    def pictures(self) -> npt.NDArray[np.uint8]:
        """Digests of all pictures, shape (N, 16)."""
        return np.frombuffer(bytes(self._pictures), np.uint8).reshape(-1, PICTURE_BYTES)

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._widths)

    def sample(self, number: int) -> Sample:
        """Return line `number`."""
        return Sample(self.name(number), self._kept(number), self.text(number))

    def text(self, number: int) -> str:
        """Return the text of line `number`."""
        return self._texts[number]

    def name(self, number: int) -> str:
        """Return the name of line `number`."""
        return self._names[number]

    def _kept(self, number: int) -> Pixels | SqueezedPixels:
        if number < len(self._held):
            return self._held[number]
        entry = number - len(self._held)
        shape = (self._height, self._widths[number])
        file = cast(SharedFile, self._file)
        return SqueezedPixels(file, self._places[entry], self._sizes[entry], shape)

    def _write(self, data: bytes) -> None:
        try:
            if self._file is None:
                file = tempfile.TemporaryFile(prefix="ocrlstm-")  # noqa: SIM115 (lives as this)
                self._file = SharedFile(cast(BinaryIO, file), "the temporary file of lines")
            self._file.append(data)
        except OSError as error:
            raise OutputError(
                f"{tempfile.gettempdir()}: cannot hold the training lines "
                f"({error.strerror or error}); set TMPDIR to a folder with more room"
            ) from error
