"""Pairs cut from pages: the lines of a PAGE or ALTO file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ocrlstm.datasets.page_images import PageImages
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.transcribed import Points, TranscribedPage
from ocrlstm.datasets.transcriptions import find_page_image, read_transcription
from ocrlstm.errors import ImageError
from ocrlstm.image import MAX_PIXELS, check_polygon, cut_line

__all__ = ["Page", "PageContent", "PageLine", "read_page_lines"]

# Width and height of a scaled image are rounded, each by itself.
_SAME_PROPORTION = 0.01


@dataclass(frozen=True, eq=False, slots=True)
class Page:
    """What the lines of a page share.

    Attributes
    ----------
    xml, image : Path
    real : str
        The real path of the XML.
    width, height : float
        Of the page in the coordinates of the XML; 0 where it does not tell.
    images : PageImages
        Reads the image.
    """

    xml: Path
    image: Path
    real: str
    width: float
    height: float
    images: PageImages


@dataclass(frozen=True, eq=False, slots=True)
class PageLine:
    """A line on a page and its text; a `LinePair`.

    Attributes
    ----------
    page : Page
    id : str
        No other line of the page has the same.
    text : str
        Never empty.
    polygon : float32 array of shape (N, 2)
        Corners x, y in the coordinates of the XML.
    baseline : float32 array of shape (M, 2) or None
    """

    page: Page
    id: str
    text: str
    polygon: Points
    baseline: Points | None

    @property
    def name(self) -> str:
        """The XML and the line: ``page.xml#line1``."""
        return f"{self.page.xml}#{self.id}"

    @property
    def text_name(self) -> str:
        """The name of the line."""
        return self.name

    @property
    def identity(self) -> str:
        """The real path of the XML, and the line."""
        return f"{self.page.real}#{self.id}"

    def read_text(self) -> str:
        """Give the text; see `LinePair`."""
        return self.text

    def read_ink(self, max_pixels: int = MAX_PIXELS) -> np.ndarray:
        """Cut the line out of its page; see `LinePair` and `ocrlstm.image.cut_line`."""
        try:
            pixels = self.page.images.read(self.page.image, max_pixels)
            scale = self._scale(pixels.shape[1], pixels.shape[0])
            baseline = None if self.baseline is None else self.baseline * scale
            return cut_line(pixels, self.polygon * scale, baseline)
        except ImageError as error:
            raise ImageError(f"{self.name}: {error}") from error

    def _scale(self, width: int, height: int) -> np.ndarray:
        """Tell how many pixels of the image are one unit of the XML, (2,) for x and y."""
        page = self.page
        if not (page.width > 0 and page.height > 0):
            return np.ones(2)
        scale = np.array([width / page.width, height / page.height])
        if abs(scale[0] - scale[1]) > _SAME_PROPORTION * scale.max():
            raise ImageError(
                f"the XML is of a page of {page.width:g} x {page.height:g}, but {page.image} has "
                f"{width} x {height} pixels (upright, as its EXIF tells); give the image that the "
                "XML was made from"
            )
        return scale


@dataclass(frozen=True, eq=False)
class PageContent:
    """What the XML of a page gives.

    Attributes
    ----------
    image : Path
        The image of the page.
    lines : list of PageLine
        In the order of the file.
    problems : list of Problem
        Lines with a text, but without a polygon of some area.
    without_text : list of Path
        Names of the lines that are not transcribed.
    """

    image: Path
    lines: list[PageLine]
    problems: list[Problem]
    without_text: list[Path]


def read_page_lines(path: Path, images: PageImages) -> PageContent:
    """Read the XML of a page.

    Parameters
    ----------
    path : Path
        PAGE or ALTO.
    images : PageImages
        Will read the image, when a line is asked for its pixels.

    Raises
    ------
    DatasetError
        The XML cannot be read, or its image is missing.
    """
    transcribed = read_transcription(path)
    image = find_page_image(path, transcribed.image)
    content = PageContent(image, [], [], [])
    real = os.path.realpath(path)
    page = Page(path, image, real, transcribed.width, transcribed.height, images)
    for line, name in zip(transcribed.lines, _unique_ids(transcribed), strict=True):
        title = Path(f"{path}#{name}")
        if not line.text:
            content.without_text.append(title)
        elif isinstance(line.polygon, str):
            content.problems.append(Problem(title, line.polygon))
        elif (fault := _fault(line.polygon)) is not None:
            content.problems.append(Problem(title, fault))
        else:
            content.lines.append(PageLine(page, name, line.text, line.polygon, line.baseline))
    images.expect(image, len(content.lines))
    return content


def _fault(polygon: Points) -> str | None:
    try:
        check_polygon(polygon)
    except ImageError as error:
        return str(error)
    return None


def _unique_ids(page: TranscribedPage) -> list[str]:
    """Name the lines: by their ids, else by number; an id that comes again gets one too."""
    names: dict[str, None] = {}
    for number, line in enumerate(page.lines, 1):
        name = re.sub(r"\s+", "_", line.id.strip()) or str(number)
        while name in names:
            name = f"{name}~{number}"
        names[name] = None
    return list(names)
