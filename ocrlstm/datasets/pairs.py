"""A line image and its text, wherever they come from; the text beside an image.

The text of ``NAME.png`` is ``NAME.gt.txt``; NAME may hold dots.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from ocrlstm.datasets.paths import StrPath, image_stem
from ocrlstm.errors import DatasetError, EncodingError, ImageError, SeveralLinesError
from ocrlstm.image import MAX_PIXELS, ImageSource, read_image, source_name

__all__ = [
    "TEXT_SUFFIX",
    "LinePair",
    "MemoryPair",
    "Pair",
    "missing_texts",
    "read_text",
    "text_of_image",
]

TEXT_SUFFIX = ".gt.txt"

# OCRopus writes the binarised and the grey variant of a line as NAME.bin.png and NAME.nrm.png,
# and one text NAME.gt.txt for both.
OCROPUS_VARIANTS = (".bin", ".nrm")


class LinePair(Protocol):
    """What all pairs offer, so that nobody need know where a line comes from.

    Each is an `ocrlstm.image.InkSource` too: `read_image` and `Recognizer` take it as it is.
    """

    @property
    def name(self) -> str:
        """What messages call the image; no other pair of a run has the same."""
        ...

    @property
    def text_name(self) -> str:
        """What messages call the text."""
        ...

    @property
    def identity(self) -> str:
        """The same for two pairs of one line, by whatever path each was found."""
        ...

    def read_text(self) -> str:
        """Give the text as it stands in its file, without a line end.

        Raises
        ------
        DatasetError
            The message begins with `text_name`.
        """
        ...

    def read_ink(self, max_pixels: int = MAX_PIXELS) -> np.ndarray:
        """Give the image of the line, (H, W) float32, ink 1.0; may be called from any thread.

        Raises
        ------
        ImageError
            The message begins with `name`.
        """
        ...


@dataclass(frozen=True, slots=True, init=False)
class Pair:
    """A line image and the file that holds its text.

    Parameters
    ----------
    image, text : path
        The two files.

    Attributes
    ----------
    name, text_name : str
        Their paths. There may be hundreds of thousands of pairs, and a Path takes as much memory as
        seven strings.
    """

    name: str
    text_name: str

    def __init__(self, image: StrPath, text: StrPath) -> None:
        object.__setattr__(self, "name", os.fspath(image))
        object.__setattr__(self, "text_name", os.fspath(text))

    @property
    def image(self) -> Path:
        """The path of the image."""
        return Path(self.name)

    @property
    def text(self) -> Path:
        """The path of the text."""
        return Path(self.text_name)

    @property
    def identity(self) -> str:
        """The real path of the image."""
        return os.path.realpath(self.name)

    def read_text(self) -> str:
        """Read the text; see `LinePair`."""
        return read_text(self.text_name)

    def read_ink(self, max_pixels: int = MAX_PIXELS) -> np.ndarray:
        """Read the image; see `LinePair`."""
        return read_image(self.name, max_pixels=max_pixels)


@dataclass(frozen=True, eq=False, slots=True)
class MemoryPair:
    """A line image and its text that a script holds.

    Attributes
    ----------
    image : path, bytes, PIL image or ndarray
        See `ocrlstm.image.read_image`.
    text : str
    name : str
        What messages call it; no other pair of a run has the same.
    """

    image: ImageSource
    text: str
    name: str

    def __post_init__(self) -> None:
        """Refuse what is no text, such as the path of one."""
        if not isinstance(self.text, str):
            raise TypeError(f"{self.name}: the text is a {type(self.text).__name__}, not a str")

    @property
    def text_name(self) -> str:
        """The name of the pair."""
        return self.name

    @property
    def identity(self) -> str:
        """The name of the pair."""
        return self.name

    def read_text(self) -> str:
        """Give the text; see `LinePair`."""
        return self.text

    def read_ink(self, max_pixels: int = MAX_PIXELS) -> np.ndarray:
        """Read the image; see `LinePair`."""
        try:
            return read_image(self.image, max_pixels=max_pixels)
        except ImageError as error:
            reason = str(error).removeprefix(f"{source_name(self.image)}: ")
            raise ImageError(f"{self.name}: {reason}") from error


def text_of_image(image: Path) -> Path | None:
    """Find the text beside an image: NAME.gt.txt, of OCRopus' NAME.bin.png too."""
    return next((text for text in _text_candidates(image) if text.is_file()), None)


def missing_texts(images: Sequence[Path]) -> DatasetError:
    """Make the error that none of these images has a text."""
    first, count = images[0], len(images)
    return DatasetError(
        f"{first.parent}: found {count} image{'s'[: count > 1]} but no text; the text of "
        f"{first.name} is expected beside it as {image_stem(first)}{TEXT_SUFFIX}"
    )


def read_text(path: StrPath) -> str:
    """Read the text of one line.

    Parameters
    ----------
    path : str or path
        A UTF-8 file, with or without byte order mark, of one line.

    Returns
    -------
    str
        The line without its line end; may be empty.

    Raises
    ------
    DatasetError
        The file cannot be read, is not UTF-8, or holds several lines.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{path}: not UTF-8 (byte 0x{raw[error.start]:02x} at offset {error.start}); "
            "save the text as UTF-8"
        ) from error
    if "\0" in text:
        raise EncodingError(
            f"{path}: a zero byte at offset {raw.index(0)}; save the text as UTF-8, not UTF-16"
        )
    text = text.removeprefix("\ufeff").strip("\r\n")
    lines = len(re.split("\r\n|\r|\n", text))
    if lines > 1:
        raise SeveralLinesError(f"{path}: holds {lines} lines of text, expected one line per image")
    return text


def _text_candidates(image: Path) -> Iterator[Path]:
    stem = image_stem(image)
    yield image.with_name(stem + TEXT_SUFFIX)
    for variant in OCROPUS_VARIANTS:
        shorter = stem.removesuffix(variant)
        if shorter not in ("", stem):
            yield image.with_name(shorter + TEXT_SUFFIX)
