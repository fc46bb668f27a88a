"""Sequences of samples that hold no object a line: hundreds of thousands take some ten megabytes.

A `LineSet` makes a `Sample` whenever it is asked for one. What is asked of all lines at once,
their widths and pictures, it has as arrays.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets.columns import encode_text
from ocrlstm.datasets.sample import Pixels, Sample

__all__ = ["LineSet", "fingerprint", "join_lines", "picture_digest"]

PICTURE_BYTES = 16


class LineSet(ABC, Sequence[Sample]):
    """Normalised lines of one height, with their texts."""

    @property
    @abstractmethod
    def widths(self) -> npt.NDArray[np.int64]:
        """Widths of all lines, shape (N,)."""

    @property
    @abstractmethod
    def pictures(self) -> npt.NDArray[np.uint8]:
        """Digests of all pictures, shape (N, 16): equal for equal pixels, whatever the text."""

    @abstractmethod
    def sample(self, number: int) -> Sample:
        """Return line `number` of 0 to N - 1."""

    @abstractmethod
    def text(self, number: int) -> str:
        """Return the text of line `number` of 0 to N - 1."""

    @abstractmethod
    def name(self, number: int) -> str:
        """Return the name of line `number` of 0 to N - 1."""

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.widths)

    @overload
    def __getitem__(self, number: int) -> Sample: ...
    @overload
    def __getitem__(self, number: slice) -> LineSet: ...

    def __getitem__(self, number: int | slice) -> Sample | LineSet:
        """Return one line, or some as a set that holds but their numbers."""
        if isinstance(number, slice):
            return self.select(np.arange(len(self))[number])
        lines = len(self)
        if not -lines <= number < lines:
            raise IndexError(f"line {number} of {lines}")
        return self.sample(int(number) % lines)

    def __iter__(self) -> Iterator[Sample]:
        """Return all lines in turn."""
        return (self.sample(number) for number in range(len(self)))

    def texts(self) -> Iterator[str]:
        """Return the texts of all lines in turn."""
        return (self.text(number) for number in range(len(self)))

    def names(self) -> Iterator[str]:
        """Return the names of all lines in turn."""
        return (self.name(number) for number in range(len(self)))

    def select(self, numbers: npt.ArrayLike) -> LineSet:
        """Return some of the lines, in the order given.

        Parameters
        ----------
        numbers : array_like of int, shape (M,)
            Of 0 to N - 1; a line may come several times.
        """
        return _SelectedLines(self, np.asarray(numbers, np.int64))


class _SelectedLines(LineSet):
    def __init__(self, lines: LineSet, numbers: npt.NDArray[np.int64]) -> None:
        self._lines = lines
        self._numbers = numbers
        self._widths = lines.widths[numbers]

    @property
    def widths(self) -> npt.NDArray[np.int64]:
        return self._widths

    @property
    def pictures(self) -> npt.NDArray[np.uint8]:
        return self._lines.pictures[self._numbers]

    def select(self, numbers: npt.ArrayLike) -> LineSet:
        # Of the lines themselves, so that no chain of selections grows.
        return self._lines.select(self._numbers[np.asarray(numbers, np.int64)])

    def sample(self, number: int) -> Sample:
        return self._lines.sample(int(self._numbers[number]))

    def text(self, number: int) -> str:
        return self._lines.text(int(self._numbers[number]))

    def name(self, number: int) -> str:
        return self._lines.name(int(self._numbers[number]))


class _JoinedLines(LineSet):
    def __init__(self, parts: Sequence[LineSet]) -> None:
        self._parts = parts
        self._starts = np.cumsum([0, *(len(part) for part in parts)])
        self._widths = np.concatenate([part.widths for part in parts])

    @property
    def widths(self) -> npt.NDArray[np.int64]:
        return self._widths

    @property
    def pictures(self) -> npt.NDArray[np.uint8]:
        return np.concatenate([part.pictures for part in self._parts])

    def sample(self, number: int) -> Sample:
        part, number = self._find(number)
        return part.sample(number)

    def text(self, number: int) -> str:
        part, number = self._find(number)
        return part.text(number)

    def name(self, number: int) -> str:
        part, number = self._find(number)
        return part.name(number)

    def _find(self, number: int) -> tuple[LineSet, int]:
        place = int(np.searchsorted(self._starts, number, side="right")) - 1
        return self._parts[place], number - int(self._starts[place])


def join_lines(parts: Sequence[LineSet]) -> LineSet:
    """Return the lines of all parts, of which there is one or more, one part after another."""
    filled = [part for part in parts if len(part)] or parts[:1]
    return filled[0] if len(filled) == 1 else _JoinedLines(filled)


def picture_digest(pixels: Pixels) -> bytes:
    """Return 16 bytes that two lines have in common if all their pixels are equal."""
    digest = hashlib.blake2b(np.array(pixels.shape, "<i8").tobytes(), digest_size=PICTURE_BYTES)
    digest.update(pixels.tobytes())
    return digest.digest()


def fingerprint(parts: Iterable[LineSet]) -> str:
    """Return a digest of all lines, by which the same lines are known again.

    It does not depend on how and where they are kept: pictures are known by their digests, so that
    none is read. Names have no part in it.
    """
    digest = hashlib.sha256()
    for part in parts:
        for text in part.texts():
            data = encode_text(text)
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        digest.update(part.pictures.tobytes())
    return f"lines-{digest.hexdigest()}"
