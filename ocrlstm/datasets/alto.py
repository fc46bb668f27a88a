"""ALTO 2, 3 and 4: what its TextLine elements say.

Schemas: https://www.loc.gov/standards/alto. A TextLine holds String (a word, or a whole line), SP
(a space) and HYP (the hyphen at the end of a line).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from ocrlstm.datasets.transcribed import (
    Points,
    TranscribedLine,
    TranscribedPage,
    parse_points,
    read_number,
)
from ocrlstm.errors import DatasetError

__all__ = ["ALTO_ROOT", "alto_from_elements"]

ALTO_ROOT = "alto"

_SOFT_HYPHEN = "\u00ad"


def alto_from_elements(path: Path, elements: Iterable[Element]) -> TranscribedPage:
    """Make a page of the MeasurementUnit, fileName, Page and TextLine elements of a file.

    Raises
    ------
    DatasetError
        The file is not measured in pixels, or holds several pages.
    """
    image, width, height = "", 0.0, 0.0
    pages = 0
    lines = []
    for element in elements:
        text = (element.text or "").strip()
        if element.tag == "MeasurementUnit" and text.lower() not in ("pixel", "pixels", "px", ""):
            raise DatasetError(
                f"{path}: is measured in {text[:40]!r}, expected MeasurementUnit pixel; "
                "export it again in pixels"
            )
        if element.tag == "fileName":
            image = image or text
        elif element.tag == "Page":
            pages += 1
            width, height = (read_number(element.get(name), 0.0) for name in ("WIDTH", "HEIGHT"))
        elif element.tag == "TextLine":
            lines.append(_line(element))
    if pages > 1:
        raise DatasetError(f"{path}: holds {pages} pages, expected a file for each page and image")
    return TranscribedPage(image, width, height, lines)


def _line(element: Element) -> TranscribedLine:
    box = _box(element)
    polygon = _polygon(element, box)
    baseline = _baseline(element.get("BASELINE"), box)
    return TranscribedLine(element.get("ID", ""), _text(element), polygon, baseline)


def _text(line: Element) -> str:
    """Put the text of a line together as it is printed.

    SUBS_CONTENT is the whole of a word that is broken over two lines; what this line shows of it is
    CONTENT.
    """
    spaced = line.find("SP") is not None
    text = ""
    for element in line:
        if element.tag == "String":
            if text and not spaced:
                text += " "
            text += element.get("CONTENT", "")
        elif element.tag == "SP":
            text += " "
        elif element.tag == "HYP":
            # A soft hyphen says what it is for; on the page there is a plain one.
            hyphen = (element.get("CONTENT") or "-").replace(_SOFT_HYPHEN, "-")
            text = text.rstrip()
            if not text.endswith(hyphen):
                text += hyphen
    return text.strip()


def _polygon(line: Element, box: Points | None) -> Points | str:
    polygon = line.find("Shape/Polygon")
    if polygon is not None:
        points = parse_points(polygon.get("POINTS", ""))
        return f"the polygon {points}" if isinstance(points, str) else points
    return "there is neither a polygon nor a box" if box is None else box


def _box(line: Element) -> Points | None:
    """Give the corners of the box of a line, or of that around its words."""
    own = _edges(line)
    words = map(_edges, line.findall("String"))
    edges = [edge for edge in words if edge is not None] if own is None else [own]
    if not edges:
        return None
    left, top = np.min(edges, axis=0)[:2]
    right, bottom = np.max(edges, axis=0)[2:]
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def _edges(element: Element) -> tuple[float, float, float, float] | None:
    left, top, width, height = (
        read_number(element.get(name), math.nan) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")
    )
    if math.isnan(left + top + width + height):
        return None
    # The last pixel of a box of width 10 at 0 is 9.
    return left, top, left + width - 1, top + height - 1


def _baseline(text: str | None, box: Points | None) -> Points | None:
    """Read the points of ALTO 4, or the one height of the versions before it."""
    if not text:
        return None
    try:
        height = float(text)
    except ValueError:
        points = parse_points(text)
        return None if isinstance(points, str) else points
    if box is None:
        return None
    return np.array([[box[0, 0], height], [box[1, 0], height]], np.float32)
