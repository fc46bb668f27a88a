"""The file of a pack, line by line as they come, and its tables at the end."""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

from ocrlstm.datasets.columns import encode_text
from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.pack_format import PREAMBLE, PackHeader, pack_preamble
from ocrlstm.network import PendingFile
from ocrlstm.version import __version__

__all__ = ["PackEntry", "PackWriter"]

_ENTRY = struct.Struct("<QIIQQ16s")  # as `pack_format.ENTRY`


class PackEntry(NamedTuple):
    """One line as a pack keeps it.

    Attributes
    ----------
    name, text : str
    width : int
        In columns.
    picture : bytes
        See `picture_digest`.
    data : bytes
        The squeezed pixels.
    """

    name: str
    text: str
    width: int
    picture: bytes
    data: bytes


class PackWriter:
    """Writes one pack.

    Parameters
    ----------
    pending : PendingFile
        At its beginning.

    Attributes
    ----------
    lines : int
        Lines written so far.
    """

    def __init__(self, pending: PendingFile) -> None:
        self.lines = 0
        self._pending = pending
        self._place = PREAMBLE.size
        self._index = bytearray()
        self._texts = bytearray()
        self._names = bytearray()
        pending.write(bytes(PREAMBLE.size))

    def add(self, entry: PackEntry) -> None:
        """Write a line.

        Raises
        ------
        OutputError
            If the disk is full.
        """
        # The index last: a Ctrl-C in between leaves something that no entry points to.
        size = len(entry.data)
        self._pending.write(entry.data)
        self._texts += encode_text(entry.text)
        self._names += encode_text(entry.name)
        ends = len(self._texts), len(self._names)
        self._index += _ENTRY.pack(self._place, size, entry.width, *ends, entry.picture)
        self._place += size
        self.lines = len(self._index) // _ENTRY.size

    def finish(self, form: LineForm, complete: bool) -> None:
        """Write tables, header and preamble.

        Parameters
        ----------
        form : LineForm
            Of all lines.
        complete : bool
            See `PackHeader`.

        Raises
        ------
        OutputError
            If the disk is full.
        """
        index = self._pending.file.tell()
        texts = index + len(self._index)
        names = texts + len(self._texts)
        end = names + len(self._names)
        lines = len(self._index) // _ENTRY.size
        program = f"ocrlstm {__version__}"
        header = PackHeader(lines, form, complete, program, index, texts, names, end, "").to_json()
        digest = hashlib.sha256()
        for part in (self._index, self._texts, self._names, header):
            self._pending.write(part)
            digest.update(part)
        self._pending.file.seek(0)
        self._pending.write(pack_preamble(end, header, digest.digest()))
