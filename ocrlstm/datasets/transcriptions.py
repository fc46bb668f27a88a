"""Read the XML of a page, PAGE or ALTO, and find its image."""

from __future__ import annotations

import os
import re
from itertools import chain
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ocrlstm.datasets.alto import ALTO_ROOT, alto_from_elements
from ocrlstm.datasets.page_xml import PAGE_ROOT, page_from_elements
from ocrlstm.datasets.paths import image_beside, image_stem
from ocrlstm.datasets.safe_xml import MAX_XML_BYTES, read_elements
from ocrlstm.datasets.transcribed import TranscribedPage
from ocrlstm.errors import DatasetError

__all__ = ["NotAPageError", "find_page_image", "read_transcription"]

_WHOLE = frozenset({"TextLine", "MeasurementUnit", "fileName"})
_HEADS = frozenset({"Page"})
# Each glyph with its own outline is most of some files.
_SKIPPED = frozenset({"Glyph", "TextStyle", "UserDefined", "UserAttribute"})


class NotAPageError(DatasetError):
    """The XML is sound, but of another kind."""


def read_transcription(path: Path, max_bytes: int = MAX_XML_BYTES) -> TranscribedPage:
    """Read a PAGE or ALTO file.

    Parameters
    ----------
    path : Path
    max_bytes : int
        Larger files are refused.

    Returns
    -------
    TranscribedPage
        Its lines stand in the order of the file.

    Raises
    ------
    NotAPageError
        It is XML, but neither PAGE nor ALTO.
    DatasetError
        It cannot be read, or `read_elements` refuses it.
    """
    elements = read_elements(path, _WHOLE, _HEADS, _SKIPPED, max_bytes)
    root = next(elements)
    if root.tag == PAGE_ROOT:
        return page_from_elements(elements)
    if root.tag == ALTO_ROOT:
        return alto_from_elements(path, chain([root], elements))
    raise NotAPageError(
        f"{path}: is neither PAGE nor ALTO, its outermost element is {root.tag[:40]!r}"
    )


def find_page_image(path: Path, declared: str) -> Path:
    """Find the image of a page, which lies in the folder of its XML and nowhere else.

    Parameters
    ----------
    path : Path
        The XML.
    declared : str
        What it calls its image; of a path or an URL only the last part counts, so that a file of a
        stranger cannot have another file read.

    Returns
    -------
    Path
        A file of that name, or of that name with another image extension, or of the name of the
        XML.

    Raises
    ------
    DatasetError
        There is none.
    """
    name = _base_name(declared)
    if name:
        found = path.with_name(name)
        if os.path.isfile(found):
            return found
    for stem in dict.fromkeys((image_stem(Path(name)), path.stem)):
        beside = image_beside(path.parent, stem) if stem else None
        if beside is not None:
            return beside
    looked_for = f"{name!r}" if name else f"an image named {path.stem!r}, as the file names none"
    raise DatasetError(
        f"{path}: its page image is missing; put {looked_for} into the folder of the XML"
    )


def _base_name(declared: str) -> str:
    """Reduce what an XML calls its image to a name that cannot lead out of the folder."""
    if "://" in declared:
        try:
            declared = unquote(urlsplit(declared).path)
        except ValueError:  # brackets that are no IPv6 address
            return ""
    name = re.split(r"[/\\]", declared)[-1].strip()
    return "" if name in (".", "..") or "\0" in name else name
