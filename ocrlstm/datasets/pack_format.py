"""How a pack lies in its file, and the checks without which nothing of it is believed.

All numbers are little-endian. The file is

1. a preamble of 64 bytes: the magic, the version (u32), the size of the header (u32), its place
   (u64), the size of the whole file (u64), and the SHA-256 of all that follows the lines;
2. the lines, each squeezed by zlib, in any order;
3. the index, one entry a line (see `ENTRY`);
4. the texts, then the names of all lines, UTF-8, without anything between them;
5. the header, a JSON object.

The preamble is written last, so that a file that was not finished shows by its zeros.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.squeezed import SharedFile
from ocrlstm.errors import DatasetError

__all__ = [
    "ENTRY",
    "MAGIC",
    "MOST_PIXELS",
    "PREAMBLE",
    "VERSION",
    "PackHeader",
    "check_index",
    "pack_preamble",
    "read_header",
]

MAGIC = b"ocrpack\n"
VERSION = 1
PREAMBLE = struct.Struct("<8sIIQQ32s")

#: Place and size of the squeezed line in bytes, its width in columns, where its text and its name
#: end in their tables, and the digest of its picture.
ENTRY = np.dtype(
    [
        ("place", "<u8"),
        ("size", "<u4"),
        ("width", "<u4"),
        ("text_end", "<u8"),
        ("name_end", "<u8"),
        ("picture", "u1", (16,)),
    ]
)

#: A line of so many pixels is none: at the height of 48 it would be 1.4 million columns wide.
MOST_PIXELS = 2**26

_MOST_HEADER = 2**24
_PIECE = 2**20


@dataclass(frozen=True)
class PackHeader:
    """What a pack tells of itself.

    Attributes
    ----------
    lines : int
    form : LineForm
        How its lines and texts were made.
    complete : bool
        False where packing was interrupted: the rest of the pairs is lacking.
    program : str
        What wrote it.
    index, texts, names : int
        Where these tables begin in the file; each ends where the next begins, and the last at
        `end`.
    end : int
    digest : str
        SHA-256 of tables and header, hence of texts, names and the digests of all pictures.
    """

    lines: int
    form: LineForm
    complete: bool
    program: str
    index: int
    texts: int
    names: int
    end: int
    digest: str

    def to_json(self) -> bytes:
        """Return the JSON object of the file."""
        values = {
            "lines": self.lines,
            **self.form.to_dict(),
            "complete": self.complete,
            "program": self.program,
            "index": self.index,
            "texts": self.texts,
            "names": self.names,
        }
        return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()


def pack_preamble(place: int, header: bytes, digest: bytes) -> bytes:
    """Return the first bytes of a finished file."""
    size = place + len(header)
    return PREAMBLE.pack(MAGIC, VERSION, len(header), place, size, digest)


def read_header(file: SharedFile, size: int) -> PackHeader:
    """Read and check preamble and header.

    Parameters
    ----------
    file : SharedFile
    size : int
        Of the file, in bytes.

    Raises
    ------
    DatasetError
        If the file is no pack, not finished, damaged, or from a newer version.
    """
    name = file.name
    if size < PREAMBLE.size or file.read(0, len(MAGIC)) != MAGIC:
        raise DatasetError(_no_pack(file, size))
    _, version, length, place, whole, digest = PREAMBLE.unpack(file.read(0, PREAMBLE.size))
    if version != VERSION:
        raise DatasetError(
            f"{name}: a pack of version {version}, but this ocrlstm reads version {VERSION}; "
            "pack again, or install another ocrlstm"
        )
    if whole != size or not PREAMBLE.size <= place <= size or place + length != size:
        raise DatasetError(
            f"{name}: the pack is {size} bytes long, expected {whole}; it was cut short or "
            "damaged: copy it or pack again"
        )
    if length > _MOST_HEADER:
        raise DatasetError(f"{name}: the header of the pack has {length} bytes, more than any has")
    try:
        values = json.loads(file.read(place, length))
        if not isinstance(values, Mapping):
            raise ValueError("it is no object")
        header = _read_values(values, place, digest.hex())
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise DatasetError(
            f"{name}: the header of the pack is damaged ({error}); pack again"
        ) from error
    if _digest(file, header.index, size) != digest:
        raise DatasetError(
            f"{name}: the tables of the pack are damaged (their digest is another); copy it or "
            "pack again"
        )
    return header


def check_index(name: str, index: npt.NDArray[np.void], header: PackHeader) -> None:
    """Check that all entries point into the file, and no line is too large.

    Raises
    ------
    DatasetError
        Naming the first line at fault.
    """
    height = header.form.normalizer.height
    place, size = index["place"], index["size"].astype(np.uint64)
    width = index["width"].astype(np.uint64)
    bad = (place < PREAMBLE.size) | (place > header.index) | (size > header.index)
    bad |= np.minimum(place, header.index) + np.minimum(size, header.index) > header.index
    bad |= (width < 1) | (width > MOST_PIXELS // height)
    for ends, length in (
        (index["text_end"], header.names - header.texts),
        (index["name_end"], header.end - header.names),
    ):
        bad[1:] |= ends[1:] < ends[:-1]
        bad |= ends > length
    if bad.any():
        raise DatasetError(
            f"{name}: the index of the pack is damaged (line {int(np.argmax(bad))}); pack again"
        )


def _read_values(values: Mapping[str, Any], end: int, digest: str) -> PackHeader:
    numbers = {}
    for name in ("lines", "index", "texts", "names"):
        number = values.get(name)
        if type(number) is not int or number < 0:  # JSON's true would pass for a 1
            raise ValueError(f"{name} is {number!r}, not a number")
        numbers[name] = number
    if numbers["lines"] == 0:
        raise ValueError("it holds no lines")
    if type(values.get("complete")) is not bool or not isinstance(values.get("program"), str):
        raise ValueError("it does not tell whether and by what it was completed")
    index, texts, names = (numbers[name] for name in ("index", "texts", "names"))
    if not PREAMBLE.size <= index <= texts <= names <= end:
        raise ValueError("its tables do not lie one behind the other")
    if texts - index != numbers["lines"] * ENTRY.itemsize:
        raise ValueError(f"{texts - index} bytes are no index of {numbers['lines']} lines")
    form = LineForm.from_dict(values)
    return PackHeader(
        numbers["lines"],
        form,
        values["complete"],
        values["program"],
        index,
        texts,
        names,
        end,
        digest,
    )


def _digest(file: SharedFile, start: int, end: int) -> bytes:
    # Piece by piece and not from the mapped tables, which would all become resident.
    digest = hashlib.sha256()
    for place in range(start, end, _PIECE):
        digest.update(file.read(place, min(_PIECE, end - place)))
    return digest.digest()


def _no_pack(file: SharedFile, size: int) -> str:
    start = file.read(0, min(size, PREAMBLE.size))
    if size > PREAMBLE.size and not any(start):
        return f"{file.name}: packing was not finished; delete it and pack again"
    return f"{file.name}: not a pack of lines; expected a file written by ocrlstm pack"
