"""From the posteriors of one line to its text and the places of its characters in the image."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ocrlstm.decoding import (
    BeamDecoder,
    Symbol,
    cut_characters,
    decode_tempered,
    find_alternatives,
    line_confidence,
    place_labels,
    temper,
)
from ocrlstm.document import Character, Line, Reading
from ocrlstm.lines import NormalizedLine
from ocrlstm.text import Codec, normalize_text

__all__ = ["Decoder", "read_line"]

Decoder = Callable[[npt.NDArray[np.floating]], list[Symbol]]


def read_line(
    log_posteriors: npt.NDArray[np.floating],
    line: NormalizedLine,
    width: int,
    codec: Codec,
    decoder: Decoder,
    source: str,
    temperature: float = 1.0,
    n_best: int = 0,
    alternatives: int = 0,
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
        One of `ocrlstm.decoding.DECODERS`, or the like; a `BeamDecoder` for `n_best`.
    source : str
        Name of the image.
    temperature : float
        That of the model, by which its confidences are calibrated.
    n_best : int
        Likeliest texts that the line tells.
    alternatives : int
        Most alternatives that each character tells.

    Returns
    -------
    Line
        Blanks at the ends and doubled blanks are left out of text and characters alike.
    """
    readings: tuple[Reading, ...] = ()
    if n_best and isinstance(decoder, BeamDecoder):
        tempered = temper(log_posteriors, temperature)
        hypotheses = decoder.hypotheses(tempered, n_best)
        symbols = place_labels(tempered, hypotheses[0].labels)
        texts = [(_text(hypothesis.labels, codec), hypothesis.score) for hypothesis in hypotheses]
        # Idle blanks make several of one text; the best of them comes first.
        best = {text: score for text, score in reversed(texts)}
        ranked = sorted(best.items(), key=lambda item: -item[1])
        readings = tuple(Reading(text, score) for text, score in ranked)
    else:
        symbols = decode_tempered(decoder, log_posteriors, temperature)
    symbols = _without_idle_blanks(symbols, codec)
    text = _text([symbol.label for symbol in symbols], codec)
    others: Sequence[Sequence[tuple[int, float]]] = [()] * len(symbols)
    if alternatives:
        tempered = temper(log_posteriors, temperature)
        others = find_alternatives(symbols, tempered, alternatives)
    ink = np.zeros(width)
    ink[: line.pixels.shape[1]] = line.pixels.sum(axis=0)
    cuts = cut_characters(symbols, ink, len(log_posteriors))
    characters = []
    for symbol, (start, end), found in zip(symbols, cuts, others, strict=True):
        x0, x1 = line.source_x(start), line.source_x(end)
        spelt = tuple((codec.labels[label], confidence) for label, confidence in found)
        characters.append(Character(codec.labels[symbol.label], x0, x1, symbol.confidence, spelt))
    return Line(text, line_confidence(symbols), tuple(characters), source, readings=readings)


def _text(labels: Sequence[int], codec: Codec) -> str:
    return normalize_text(codec.decode(labels), codec.normal_form)


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
