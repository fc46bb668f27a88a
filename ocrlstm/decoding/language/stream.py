"""Texts as one long stream of symbols, of any length, on disk."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language.alphabet import Alphabet
from ocrlstm.text import Codec

__all__ = ["SymbolStream"]

# Symbols that are kept in memory at once: 16 MB while they are counted.
_BLOCK = 1 << 21
_SPACE = " "


class SymbolStream:
    """Lines as symbols, one after another with a space between; a context manager.

    Symbols are numbered as they are met, since only the last line tells the whole alphabet, and
    kept in a temporary file. `close_alphabet` gives them their final numbers.

    Parameters
    ----------
    settings : Alphabet
        Unit, normal form, direction and text rules; its characters do not matter.
    """

    def __init__(self, settings: Alphabet) -> None:
        self._settings = settings
        self._file = tempfile.TemporaryFile(prefix="ocrlstm-")
        self._met: dict[str, int] = {_SPACE: 0}
        self._counts: Counter[int] = Counter()
        self._waiting: list[int] = []
        self._final: NDArray[np.uint16] | None = None
        self.length = 0

    def __enter__(self) -> SymbolStream:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the temporary file."""
        self._file.close()

    def add(self, line: str) -> None:
        """Add a line in logical order; one without characters adds nothing."""
        met = self._met
        symbols = [met.setdefault(c, len(met)) for c in self._settings.split(line)]
        if symbols:
            self._waiting += symbols
            self._waiting.append(0)
            if len(self._waiting) > _BLOCK:
                self._write()

    def close_alphabet(self, most: int) -> tuple[Alphabet, list[str]]:
        """End the stream and number the characters by their code points.

        Parameters
        ----------
        most : int
            So many characters may be in the alphabet; of more the rarest become unknown.

        Returns
        -------
        alphabet : Alphabet
        dropped : list of str
            What became unknown.
        """
        self._write()
        names = list(self._met)
        by_count = sorted(range(1, len(names)), key=lambda i: (-self._counts[i], names[i]))
        kept = sorted([_SPACE, *(names[i] for i in by_count[: most - 1])])
        codec = self._settings.codec
        labels = ("", *kept)
        alphabet = replace(
            self._settings,
            codec=Codec(labels, codec.unit, codec.normal_form, codec.direction),
        )
        self._final = np.array([alphabet.symbol(name) for name in names], np.uint16)
        return alphabet, sorted(names[i] for i in by_count[most - 1 :])

    def blocks(self, context: int) -> Iterator[NDArray[np.uint16]]:
        """Yield the symbols in blocks, each but the first with the end of the one before.

        Parameters
        ----------
        context : int
            So many symbols are repeated.
        """
        if self._final is None:
            raise ValueError("close_alphabet must be called first")
        self._file.seek(0)
        tail = np.zeros(0, np.uint16)
        while content := self._file.read(4 * _BLOCK):
            block = np.concatenate([tail, self._final[np.frombuffer(content, np.uint32)]])
            yield block
            tail = block[max(0, len(block) - context) :]

    def _write(self) -> None:
        symbols = np.array(self._waiting, np.uint32)
        self._waiting = []
        self._file.write(symbols.tobytes())
        self.length += len(symbols)
        numbers, counts = np.unique(symbols, return_counts=True)
        self._counts.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))
