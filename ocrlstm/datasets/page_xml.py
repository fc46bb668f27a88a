"""PAGE XML: what its TextLine elements say.

Schemas of 2010 to 2019, https://github.com/PRImA-Research-Lab/PAGE-XML: until 2010 points are
``<Point x= y=/>``, since 2013 they are the attribute ``points``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.etree.ElementTree import Element

import numpy as np

from ocrlstm.datasets.transcribed import (
    Points,
    TranscribedLine,
    TranscribedPage,
    parse_points,
    read_number,
)

__all__ = ["PAGE_ROOT", "page_from_elements"]

PAGE_ROOT = "PcGts"


def page_from_elements(elements: Iterable[Element]) -> TranscribedPage:
    """Make a page of the Page and TextLine elements of a file."""
    image, width, height = "", 0.0, 0.0
    lines = []
    for element in elements:
        if element.tag == "Page":
            image = element.get("imageFilename", "")
            width = read_number(element.get("imageWidth"), 0.0)
            height = read_number(element.get("imageHeight"), 0.0)
        elif element.tag == "TextLine":
            lines.append(_line(element))
    return TranscribedPage(image, width, height, lines)


def _line(element: Element) -> TranscribedLine:
    polygon = _points(element.find("Coords"))
    baseline = _points(element.find("Baseline"))
    return TranscribedLine(
        element.get("id", ""),
        _line_text(element),
        f"the polygon {polygon}" if isinstance(polygon, str) else polygon,
        None if isinstance(baseline, str) else baseline,
    )


def _line_text(line: Element) -> str:
    """Give the text of a line, or of its words where it has none of its own."""
    own = _text(line)
    if own:
        return own
    return " ".join(filter(None, map(_text, line.findall("Word"))))


def _text(element: Element) -> str:
    """Choose among the transcriptions: the lowest index, else the highest confidence."""
    readings = element.findall("TextEquiv")
    if not readings:
        return ""
    # Of equals `min` takes the first.
    chosen = min(readings, key=lambda reading: (_index(reading), -_confidence(reading)))
    return (chosen.findtext("Unicode") or "").strip()


def _index(reading: Element) -> float:
    return read_number(reading.get("index"), math.inf)


def _confidence(reading: Element) -> float:
    return read_number(reading.get("conf"), -1.0)


def _points(element: Element | None) -> Points | str:
    if element is None:
        return "is missing"
    points = element.get("points")
    if points is not None:
        return parse_points(points)
    corners = element.findall("Point")
    values = [read_number(corner.get(axis), math.nan) for corner in corners for axis in ("x", "y")]
    return np.array(values, np.float32).reshape(-1, 2) if corners else "has no points"
