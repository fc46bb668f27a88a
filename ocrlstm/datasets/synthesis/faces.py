"""Font files: where they lie, and what each says of itself.

A font is asked by its own tables (cmap, GSUB, GPOS) which characters and features it has: a drawn
character tells nothing, since fonts draw a box, a blank or another font's sign for what they lack.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocrlstm.errors import DatasetError

__all__ = ["FONT_SUFFIXES", "Face", "find_font_files", "read_faces", "require_font_tools"]

FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")

_MOST_BYTES = 2**26
_MOST_FACES = 64
_COLLECTIONS = (b"ttcf",)


@dataclass(frozen=True)
class Face:
    """One typeface of a font file.

    Attributes
    ----------
    path : str
    index : int
        Its number in the file, 0 but in collections.
    name : str
        The file's name without its suffix; in collections with ``#INDEX``.
    family : str
        The typeface's family: its weights and slopes share it.
    characters : frozenset of int
        Code points that its cmap has a glyph for.
    features : frozenset of str
        Tags of its GSUB and GPOS tables.
    """

    path: str
    index: int
    name: str
    family: str
    characters: frozenset[int]
    features: frozenset[str]

    def __repr__(self) -> str:
        """Name the face."""
        return f"Face({self.name!r}, {len(self.characters)} characters)"


def find_font_files(folders: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Find the font files among paths and in folders, searched through.

    Parameters
    ----------
    folders : iterable of path
        Folders, or font files themselves.

    Returns
    -------
    list of Path
        Sorted by name and each name once, so that a seed gives the same lines wherever the fonts
        lie.

    Raises
    ------
    DatasetError
        If a path does not exist or holds no font.
    """
    found: dict[str, Path] = {}
    searched = [Path(folder) for folder in folders]
    for folder in searched:
        if not folder.exists():
            raise DatasetError(
                f"{folder}: no such file or folder; expected a font or a folder of them"
            )
        files = sorted(folder.rglob("*")) if folder.is_dir() else [folder]
        for file in files:
            if file.suffix.lower() in FONT_SUFFIXES and file.is_file():
                found.setdefault(file.stem, file)
    if not found:
        places = ", ".join(map(str, searched)) or "no folder"
        raise DatasetError(
            f"no fonts found in {places}; bin/fetch-fonts RECIPE.toml FOLDER installs free ones"
        )
    return [found[name] for name in sorted(found)]


def read_faces(file: Path) -> list[Face]:
    """Read the tables of a font file.

    Parameters
    ----------
    file : Path

    Returns
    -------
    list of Face
        One, or those of a collection.

    Raises
    ------
    DatasetError
        If it is no font, or one without Unicode characters (a symbol font), or if fontTools, which
        reads the tables, is not installed.
    """
    tools = require_font_tools()
    try:
        return _read_file(file, tools)
    # What a damaged table raises is not told by fontTools: any of these.
    except (
        tools.TTLibError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        OSError,
        RecursionError,
        TypeError,
        ValueError,
        struct.error,
    ) as error:
        raise DatasetError(f"{file}: cannot be read as a font ({error})") from error


def require_font_tools() -> Any:
    """Return `fontTools.ttLib`.

    Raises
    ------
    DatasetError
        If it is not installed.
    """
    try:
        from fontTools import ttLib
    except ImportError:
        raise DatasetError(
            "to draw lines the tables of fonts are read with fontTools; install it by "
            "pip install 'ocrlstm[generate]'"
        ) from None
    return ttLib


def _read_file(file: Path, tools: Any) -> list[Face]:
    if file.stat().st_size > _MOST_BYTES:
        raise DatasetError(f"{file}: has more than {_MOST_BYTES >> 20} MB; no font of letters has")
    with open(file, "rb") as stream:
        start = stream.read(12)
    collection = start[:4] in _COLLECTIONS
    count = struct.unpack(">I", start[8:])[0] if collection else 1
    if not 1 <= count <= _MOST_FACES:
        raise DatasetError(f"{file}: says that it holds {count} faces; {_MOST_FACES} are the most")
    faces = []
    for index in range(count):
        number = index if collection else -1
        with tools.TTFont(file, lazy=True, fontNumber=number) as font:
            faces.append(_read_face(file, index, collection, font))
    return faces


def _read_face(file: Path, index: int, collection: bool, font: Any) -> Face:
    table = font.getBestCmap()
    if not table:
        raise DatasetError(f"{file}: has no table of Unicode characters: a symbol font")
    characters = frozenset(code for code, glyph in table.items() if glyph != ".notdef")
    name = f"{file.stem}#{index}" if collection else file.stem
    names = font["name"] if "name" in font else None
    family = (names and (names.getDebugName(16) or names.getDebugName(1))) or name
    features = frozenset(
        record.FeatureTag
        for tag in ("GSUB", "GPOS")
        if tag in font and font[tag].table.FeatureList is not None
        for record in font[tag].table.FeatureList.FeatureRecord
    )
    return Face(str(file), index, name, family, characters, features)
