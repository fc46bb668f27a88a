"""A pack: one file of normalised lines with their texts, read line by line as training needs them.

The tables are mapped into memory, so that a pack of any size is open at once and several runs
share them; the lines themselves are read from the file (see `squeezed`). `packing` writes packs.
"""

from __future__ import annotations

import mmap
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets.columns import decode_text
from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.line_set import LineSet
from ocrlstm.datasets.pack_format import ENTRY, MAGIC, PackHeader, check_index, read_header
from ocrlstm.datasets.paths import StrPath
from ocrlstm.datasets.sample import Sample
from ocrlstm.datasets.squeezed import SharedFile, SqueezedPixels
from ocrlstm.errors import DatasetError, ImageError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.lines import LineNormalizer, NormalizedLine

__all__ = ["PACK_SUFFIX", "Pack", "PackedLine", "is_pack", "open_pack"]

PACK_SUFFIX = ".pack"


class Pack(LineSet):
    """The lines of a pack; made by `open_pack`.

    Attributes
    ----------
    path : Path
    header : PackHeader
    """

    def __init__(self, path: Path, file: SharedFile, header: PackHeader, tables: mmap.mmap) -> None:
        self.path = path
        self.header = header
        self._file = file
        start = header.index - header.index % mmap.ALLOCATIONGRANULARITY
        self._tables = memoryview(tables)[header.index - start :]
        index = np.frombuffer(self._tables, ENTRY, header.lines)
        check_index(file.name, index, header)
        self._index = index
        self._widths = index["width"].astype(np.int64)
        self._texts = header.texts - header.index
        self._names = header.names - header.index

    def __repr__(self) -> str:
        """Name the file and its lines."""
        return f"Pack({str(self.path)!r}, {len(self)} lines)"

    def __fspath__(self) -> str:
        """Return the path: whatever takes paths takes a pack."""
        return str(self.path)

    @property
    def form(self) -> LineForm:
        """How its lines and texts were made."""
        return self.header.form

    @property
    def digest(self) -> str:
        """A digest of its content; see `PackHeader`."""
        return self.header.digest

    @property
    def complete(self) -> bool:
        """Tell whether packing came to its end."""
        return self.header.complete

    @property
    def widths(self) -> npt.NDArray[np.int64]:
        """Widths of all lines, shape (N,)."""
        return self._widths

    @property
    def pictures(self) -> npt.NDArray[np.uint8]:
        """Digests of all pictures, shape (N, 16)."""
        return self._index["picture"]

    def pairs(self) -> list[PackedLine]:
        """Return its lines as pairs, to be put among others."""
        identity = os.path.realpath(self.path)
        return [PackedLine(self, number, identity) for number in range(len(self))]

    def sample(self, number: int) -> Sample:
        """Return line `number`; its pixels are read when they are asked for."""
        return Sample(self.name(number), self.squeezed(number), self.text(number))

    def squeezed(self, number: int) -> SqueezedPixels:
        """Return where line `number` lies in the file."""
        self._file.require(self.header.end)
        entry = self._index[number]
        shape = (self.form.normalizer.height, int(entry["width"]))
        return SqueezedPixels(self._file, int(entry["place"]), int(entry["size"]), shape)

    def text(self, number: int) -> str:
        """Return the text of line `number`.

        Raises
        ------
        DatasetError
            If it is not UTF-8.
        """
        return self._string("text_end", self._texts, number)

    def name(self, number: int) -> str:
        """Return the name of line `number`; see `text`."""
        return self._string("name_end", self._names, number)

    def require(self, form: LineForm) -> None:
        """See that lines and texts were made as a run needs them.

        Raises
        ------
        DatasetError
            With what was found, what was expected, and what to do.
        """
        different = self.form.differences(form)
        if different:
            raise DatasetError(
                f"{self.path}: packed with {', '.join(different)}; pack again with the settings "
                "of the run, or train with those of the pack"
            )

    def _string(self, ends: str, start: int, number: int) -> str:
        self._file.require(self.header.end)
        first = int(self._index[ends][number - 1]) if number else 0
        data = bytes(self._tables[start + first : start + int(self._index[ends][number])])
        try:
            return decode_text(data)
        except UnicodeDecodeError as error:
            raise DatasetError(
                f"{self.path}: the text or name of line {number} is not UTF-8; pack again"
            ) from error


class PackedLine:
    """A line of a pack as a `LinePair`.

    Parameters
    ----------
    pack : Pack
    number : int
    path : str
        Real path of the pack.
    """

    __slots__ = ("_path", "number", "pack")

    def __init__(self, pack: Pack, number: int, path: str) -> None:
        self.pack = pack
        self.number = number
        self._path = path

    @property
    def name(self) -> str:
        """The name of the pair that was packed."""
        return self.pack.name(self.number)

    @property
    def text_name(self) -> str:
        """The same name."""
        return self.name

    @property
    def identity(self) -> str:
        """Pack and number."""
        return f"{self._path}#{self.number}"

    def read_text(self) -> str:
        """Give the text; see `LinePair`."""
        return self.pack.text(self.number)

    def read_ink(self, max_pixels: int = MAX_PIXELS) -> npt.NDArray[np.float32]:
        """Give the normalised line; see `LinePair`."""
        try:
            pixels = self.pack.squeezed(self.number).read()
        except DatasetError as error:
            raise ImageError(f"{self.name}: {error}") from error
        return pixels * np.float32(1 / 255)

    def read_line(self, normalizer: LineNormalizer) -> NormalizedLine:
        """Give the line as a network reads it, as if it had just been normalised.

        Parameters
        ----------
        normalizer : LineNormalizer
            The one it has to be made by.

        Returns
        -------
        NormalizedLine
            The source image is the line without its padding, as the pack knows no other.

        Raises
        ------
        DatasetError
            If the pack was made by another normaliser.
        """
        form = self.pack.form
        if different := form.differences(replace(form, normalizer=normalizer)):
            raise DatasetError(
                f"{self.pack.path}: packed with {', '.join(different)}, as the model reads lines; "
                "give the images themselves, or pack them again"
            )
        pixels, padding = self.read_ink(), normalizer.padding
        return NormalizedLine(pixels, pixels.shape[1] - 2 * padding, padding, False)


def is_pack(path: StrPath) -> bool:
    """Tell whether a file says of itself that it is a pack, by name or by its first bytes."""
    if not os.path.isfile(path):
        return False
    if os.fspath(path).lower().endswith(PACK_SUFFIX):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def open_pack(path: StrPath) -> Pack:
    """Open a pack of lines.

    Parameters
    ----------
    path : path
        Written by `write_pack` or ``ocrlstm pack``.

    Returns
    -------
    Pack
        A sequence of `Sample`; `ocrlstm.training.train` takes it as it is.

    Raises
    ------
    DatasetError
        If the file is missing, no pack, not finished, damaged, or from a newer version. All
        numbers in it are checked against its size before anything is allocated.
    """
    path = Path(path)
    if not path.is_file():
        raise DatasetError(f"{path}: no such pack; name a file written by ocrlstm pack")
    try:
        opened = open(path, "rb")  # noqa: SIM115 (the pack keeps it)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be opened ({error.strerror})") from error
    file = SharedFile(opened, str(path))
    try:
        size = os.fstat(opened.fileno()).st_size
        header = read_header(file, size)
        start = header.index - header.index % mmap.ALLOCATIONGRANULARITY
        tables = mmap.mmap(opened.fileno(), size - start, access=mmap.ACCESS_READ, offset=start)
        return Pack(path, file, header, tables)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from error
