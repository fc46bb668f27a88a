"""The file of a pack, line by line as they come, and its tables at the end."""

from __future__ import annotations

import hashlib
import struct

from ocrlstm.datasets.columns import encode_text
from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.pack_format import PREAMBLE, PackHeader, pack_preamble
from ocrlstm.network import PendingFile
from ocrlstm.version import __version__

__all__ = ["PackWriter"]

_ENTRY = struct.Struct("<QIIQQ16s")  # as `pack_format.ENTRY`


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

    def add(self, name: str, text: str, width: int, picture: bytes, data: bytes) -> None:
        """Write a line.

        Parameters
        ----------
        name, text : str
        width : int
            In columns.
        picture : bytes
            See `picture_digest`.
        data : bytes
            The squeezed pixels.

        Raises
        ------
        OutputError
            If the disk is full.
        """
        # The index last: a Ctrl-C in between leaves something that no entry points to.
        self._pending.write(data)
        self._texts += encode_text(text)
        self._names += encode_text(name)
        self._index += _ENTRY.pack(
            self._place, len(data), width, len(self._texts), len(self._names), picture
        )
        self._place += len(data)
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
