"""From the posteriors of one line to its text and the places of its characters in the image."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ocrlstm.decoding import Symbol, cut_characters, decode_tempered, line_confidence
from ocrlstm.document import Character, Line
from ocrlstm.lines import NormalizedLine
from ocrlstm.text import Codec, normalize_text

__all__ = ["read_line"]

Decoder = Callable[[npt.NDArray[np.floating]], list[Symbol]]


def read_line(
    log_posteriors: npt.NDArray[np.floating],
    line: NormalizedLine,
    width: int,
    codec: Codec,
    decoder: Decoder,
    source: str,
    temperature: float = 1.0,
) -> Line:
    """Decode a line and put its characters into the source image.

    Parameters
    ----------
    log_posteriors : float array of shape (T, C)
        What the network says of this line, without the frames of longer neighbours.
    line : NormalizedLine
        What the network saw.
    width : int
        Columns that the frames cover; more than the line has where it was too narrow.
    codec : Codec
        Tells what the labels mean.
    decoder : callable
        One of `ocrlstm.decoding.DECODERS`.
    source : str
        Name of the image.
    temperature : float
        That of the model, by which its confidences are calibrated.

    Returns
    -------
    Line
        Blanks at the ends and doubled blanks are left out of text and characters alike.
    """
    symbols = _without_idle_blanks(decode_tempered(decoder, log_posteriors, temperature), codec)
    text = normalize_text(codec.decode([symbol.label for symbol in symbols]), codec.normal_form)
    ink = np.zeros(width)
    ink[: line.pixels.shape[1]] = line.pixels.sum(axis=0)
    cuts = cut_characters(symbols, ink, len(log_posteriors))
    characters = []
    for symbol, (start, end) in zip(symbols, cuts, strict=True):
        x0, x1 = line.source_x(start), line.source_x(end)
        characters.append(Character(codec.labels[symbol.label], x0, x1, symbol.confidence))
    return Line(text, line_confidence(symbols), tuple(characters), source)


def _without_idle_blanks(symbols: Sequence[Symbol], codec: Codec) -> list[Symbol]:
    kept: list[Symbol] = []
    after_blank = True
    for symbol in symbols:
        blank = codec.labels[symbol.label].isspace()
        if not (blank and after_blank):
            kept.append(symbol)
        after_blank = blank
    if kept and after_blank:
        kept.pop()
    return kept
