"""Look at one pair from all sides, without stopping at the first fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets.data_report import DataFinding
from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.line_set import picture_digest
from ocrlstm.datasets.pack import PackedLine
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.sample import Pixels
from ocrlstm.errors import (
    CodecError,
    DatasetError,
    EncodingError,
    ImageError,
    OversizedImageError,
    SeveralLinesError,
)
from ocrlstm.image import MAX_PIXELS, source_name
from ocrlstm.kernels.frames import minimum_frames
from ocrlstm.lines import normalize_line
from ocrlstm.text import Codec

__all__ = ["Expectations", "Inspected", "inspect_pair"]

# Nobody cuts a line with a megapixel that is not even four times as wide as high; at 1200 dpi and
# 14 point a line has 300 rows.
_PAGE_PIXELS = 1_000_000
_PAGE_PROPORTION = 4


@dataclass(frozen=True)
class Expectations:
    """What lines are checked for.

    Attributes
    ----------
    form : LineForm
        How lines and texts are made.
    frames : callable
        Widths of normalised lines (N,) -> frames of the network (N,).
    codec : Codec or None
        Of the model; None lets all characters pass.
    unit : {"grapheme", "codepoint"}
        What needs a frame, where there is no codec.
    max_pixels : int
        Of an image.
    """

    form: LineForm
    frames: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]
    codec: Codec | None = None
    unit: str = "grapheme"
    max_pixels: int = MAX_PIXELS


@dataclass(frozen=True, slots=True)
class Inspected:
    """What was seen of one pair.

    Attributes
    ----------
    pair : LinePair
    raw : str or None
        The text as it stands in its file; None if it cannot be read.
    text : str
        The text as labels are made of it.
    findings : tuple of (str, DataFinding)
        With their kinds.
    height : int
        Of the image; 0 if it cannot be read, is that of a page, or lies in a pack, which does not
        tell it.
    picture : bytes
        See `picture_digest`; b"" for a blank image or none.
    """

    pair: LinePair
    raw: str | None
    text: str
    findings: tuple[tuple[str, DataFinding], ...]
    height: int
    picture: bytes


def inspect_pair(pair: LinePair, expected: Expectations) -> Inspected:
    """Read text and image of a pair and note what is wrong; may be called from any thread.

    Parameters
    ----------
    pair : LinePair
    expected : Expectations

    Returns
    -------
    Inspected
    """
    found: list[tuple[str, DataFinding]] = []
    raw, text = _inspect_text(pair, expected, found)
    height, pixels = _inspect_image(pair, expected, found)
    odd = any(kind in ("page", "blank") for kind, _ in found)
    if text and pixels is not None and not odd and _fits(pair, expected.form):
        _inspect_length(pair, text, pixels.shape[1], expected, found)
    picture = picture_digest(pixels) if pixels is not None and pixels.any() else b""
    return Inspected(pair, raw, text, tuple(found), height, picture)


def _inspect_text(
    pair: LinePair, expected: Expectations, found: list[tuple[str, DataFinding]]
) -> tuple[str | None, str]:
    name = pair.text_name
    try:
        raw = pair.read_text()
    except DatasetError as error:
        kinds = {EncodingError: "not_utf8", SeveralLinesError: "several_lines"}
        kind = kinds.get(type(error), "unreadable_text")
        found.append((kind, DataFinding(name, str(error).removeprefix(f"{name}: "))))
        return None, ""
    text = expected.form.spell(raw)
    if not text:
        found.append(("empty_text", DataFinding(name, "the text is empty")))
    elif expected.codec is not None:
        try:
            expected.codec.encode(text)
        except CodecError as error:
            found.append(("missing_characters", DataFinding(name, str(error))))
    return raw, text


def _inspect_image(
    pair: LinePair, expected: Expectations, found: list[tuple[str, DataFinding]]
) -> tuple[int, Pixels | None]:
    name = pair.name
    try:
        ink = pair.read_ink(expected.max_pixels)
        if isinstance(pair, PackedLine):
            return 0, np.rint(ink * 255.0).astype(np.uint8)
        line = normalize_line(ink, expected.form.normalizer)
    except ImageError as error:
        # Names in messages of images are made printable, the others are not.
        reason = str(error).removeprefix(f"{name}: ").removeprefix(f"{source_name(name)}: ")
        kind = "oversized_image" if _is_oversized(error) else "unreadable_image"
        found.append((kind, DataFinding(name, reason)))
        return 0, None
    height, width = ink.shape
    pixels = np.rint(line.pixels * 255.0).astype(np.uint8)
    if height * width >= _PAGE_PIXELS and width < _PAGE_PROPORTION * height:
        found.append(("page", DataFinding(name, f"{width} x {height} pixels; cut it into lines")))
        return 0, pixels
    if not pixels.any():
        found.append(("blank", DataFinding(name, f"no ink on {width} x {height} pixels")))
    elif line.inverted:
        found.append(("inverted", DataFinding(name, "white on black; it is read all the same")))
    return height, pixels


def _inspect_length(
    pair: LinePair,
    text: str,
    width: int,
    expected: Expectations,
    found: list[tuple[str, DataFinding]],
) -> None:
    codec = expected.codec
    unit = expected.unit if codec is None else codec.unit
    # A codec of its own, since that of the model may lack characters.
    labels = Codec.from_texts([text], unit, expected.form.normal_form).encode(text)
    needed, there = minimum_frames(labels), int(expected.frames(np.array([width]))[0])
    if there < needed:
        detail = (
            f"{len(labels)} characters need {needed} frames, the line gives {there} ({width} "
            "pixels wide after normalisation); is the text another line's?"
        )
        found.append(("too_long", DataFinding(pair.name, detail)))


def _fits(pair: LinePair, form: LineForm) -> bool:
    """Tell whether the widths of a line say something of its frames."""
    return not isinstance(pair, PackedLine) or pair.pack.form.normalizer == form.normalizer


def _is_oversized(error: BaseException | None) -> bool:
    # A pair may have raised it anew under its own name.
    while error is not None:
        if isinstance(error, OversizedImageError):
            return True
        error = error.__cause__
    return False
