"""A text file that names line images and their texts: ``name<TAB>text`` a line."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ocrlstm.datasets.pairs import TEXT_SUFFIX
from ocrlstm.datasets.paths import StrPath, image_beside
from ocrlstm.datasets.problems import Problem
from ocrlstm.errors import DatasetError
from ocrlstm.image import MAX_PIXELS, read_image

__all__ = ["TableLine", "is_table_name", "read_table"]

_EXTENSIONS = (".txt", ".tsv")

# A longer one is no line of text but a file of another kind.
_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line image and its text, named together in a table; a `LinePair`.

    Attributes
    ----------
    name : str
        The path of the image: a Path takes as much memory as seven strings.
    table : str
    number : int
        Line of the table, from 1.
    text : str
        May be empty.
    """

    name: str
    table: str
    number: int
    text: str

    @property
    def text_name(self) -> str:
        """The table and the line: ``lines.txt:12``."""
        return f"{self.table}:{self.number}"

    @property
    def identity(self) -> str:
        """The real path of the image."""
        return os.path.realpath(self.name)

    def read_text(self) -> str:
        """Give the text; see `LinePair`."""
        return self.text

    def read_ink(self, max_pixels: int = MAX_PIXELS) -> np.ndarray:
        """Read the image; see `LinePair`."""
        return read_image(self.name, max_pixels=max_pixels)


def is_table_name(path: StrPath) -> bool:
    """Tell whether a file may be a table: a .txt or .tsv that is not the text of one image."""
    stem, extension = os.path.splitext(path)
    if extension.lower() not in _EXTENSIONS or os.fspath(path).endswith(TEXT_SUFFIX):
        return False
    # Programs write what they read in NAME.png to NAME.txt.
    return image_beside(Path(stem).parent, Path(stem).name) is None


def read_table(path: Path) -> tuple[list[TableLine], list[Problem]]:
    """Read a file of lines ``name<TAB>text``.

    Parameters
    ----------
    path : Path
        UTF-8, with or without byte order mark. A name is that of an image in the folder of the
        table or below it, with or without its extension. Empty lines are passed over.

    Returns
    -------
    lines : list of TableLine
        In the order of the file.
    problems : list of Problem
        A line without a tab, a name that leads out of the folder, that is no image, or that comes
        again, a text that is not UTF-8.

    Raises
    ------
    DatasetError
        The file cannot be read, or none of its lines is of use.
    """
    lines: list[TableLine] = []
    problems: list[Problem] = []
    seen: dict[Path, int] = {}
    table = str(path)
    for number, raw in _raw_lines(path):
        try:
            name, text = _split(raw)
            image = _find_image(path.parent, name)
            if image in seen:
                raise DatasetError(f"{name} is named again, as in line {seen[image]}")
        except DatasetError as error:
            problems.append(Problem(Path(f"{path}:{number}"), str(error)))
        else:
            seen[image] = number
            lines.append(TableLine(str(image), table, number, text))
    if not lines:
        first = f"; the first: {problems[0]}" if problems else ""
        raise DatasetError(
            f"{path}: none of its {len(problems)} lines is an image name, a tab and a text{first}"
        )
    return lines, problems


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            number = 0
            while raw := stream.readline(_LONGEST):
                number += 1
                if number == 1:
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                if len(raw) == _LONGEST:
                    raise DatasetError(
                        f"{path}: line {number} has more than {_LONGEST} bytes; expected lines "
                        "of an image name, a tab and a text"
                    )
                if raw.strip():
                    yield number, raw.rstrip(b"\r\n")
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from error


def _split(raw: bytes) -> tuple[str, str]:
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"not UTF-8 (byte 0x{raw[error.start]:02x} at offset {error.start}); "
            "save the file as UTF-8"
        ) from error
    if "\0" in line:
        raise DatasetError("a zero byte in the line; save the file as UTF-8, not UTF-16")
    if "\r" in line:
        raise DatasetError("a carriage return in the line; save the file with line ends of Unix")
    name, tab, text = line.partition("\t")
    if not tab or not name.strip():
        raise DatasetError("expected an image name, a tab and a text")
    return name.strip(), text


def _find_image(folder: Path, name: str) -> Path:
    r"""Find the image that a table names.

    Parameters
    ----------
    folder : Path
        Where the table lies.
    name : str
        Relative to it; with ``/`` or ``\\``.

    Raises
    ------
    DatasetError
        It is outside, or there is none.
    """
    relative = posixpath.normpath(name.replace("\\", "/"))
    absolute = relative.startswith("/") or os.path.splitdrive(relative)[0]
    if absolute or relative.split("/")[0] == "..":
        raise DatasetError(f"{name} leads out of the folder of the table; move the image into it")
    path = folder / relative
    found = path if os.path.isfile(path) else image_beside(path.parent, path.name)
    if found is None:
        raise DatasetError(f"there is no image {name} in the folder of the table")
    return found
