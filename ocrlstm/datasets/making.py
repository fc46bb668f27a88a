"""From one pair to one line, or to the reason why there is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.line_set import picture_digest
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.sample import Pixels
from ocrlstm.datasets.squeezed import squeeze
from ocrlstm.errors import OcrError
from ocrlstm.image import source_name
from ocrlstm.lines import normalize_line

__all__ = ["MadeLine", "make_line"]


class MadeLine:
    """A line on its way to where it is kept, with what is worth computing in a worker thread.

    Parameters
    ----------
    name, text : str
    pixels : uint8 array of shape (H, W)
    squeezed : bool
        Squeeze it at once; else `data` does it when asked.

    Attributes
    ----------
    picture : bytes
        See `picture_digest`.
    """

    __slots__ = ("_data", "name", "picture", "pixels", "text")

    def __init__(self, name: str, text: str, pixels: Pixels, squeezed: bool = False) -> None:
        self.name = name
        self.text = text
        self.pixels = pixels
        self.picture = picture_digest(pixels)
        self._data = squeeze(pixels) if squeezed else None

    @property
    def data(self) -> bytes:
        """The pixels, squeezed."""
        return squeeze(self.pixels) if self._data is None else self._data


def make_line(
    pair: LinePair, form: LineForm, max_pixels: int, squeezed: bool = False
) -> MadeLine | Problem:
    """Read a pair; may be called from any thread.

    Parameters
    ----------
    pair : LinePair
    form : LineForm
    max_pixels : int
        Of the image.
    squeezed : bool
        See `MadeLine`.

    Returns
    -------
    MadeLine or Problem
        A pair that is of no use is told, not raised.
    """
    at_fault = Path(pair.text_name)
    try:
        text = form.spell(pair.read_text())
        if not text:
            return Problem(at_fault, "the text is empty")
        at_fault = Path(pair.name)
        line = normalize_line(pair.read_ink(max_pixels), form.normalizer)
    except OcrError as error:
        # Names in messages of images are made printable, the others are not.
        reason = str(error).removeprefix(f"{at_fault}: ")
        return Problem(at_fault, reason.removeprefix(f"{source_name(at_fault)}: "))
    pixels = np.rint(line.pixels * 255.0).astype(np.uint8)
    return MadeLine(pair.name, text, pixels, squeezed)
