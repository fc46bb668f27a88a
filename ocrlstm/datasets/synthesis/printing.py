"""Type set by hand or machine: a line drawn word by word on a canvas."""

from __future__ import annotations

import re

import numpy as np
from numpy.random import Generator
from PIL import Image, ImageDraw

from ocrlstm.datasets.synthesis.ink import Ink, crop_ink
from ocrlstm.datasets.synthesis.layout import Setting
from ocrlstm.datasets.synthesis.type import X_HEIGHT, Type
from ocrlstm.text.direction import has_right_to_left
from ocrlstm.text.graphemes import graphemes

__all__ = ["print_line"]

_ABOVE, _BELOW = 4 * X_HEIGHT, 3 * X_HEIGHT
_SIDE = X_HEIGHT
_WIDEST = 12_000
# Cast as one piece of type, and not spaced even in a letter-spaced word of Fraktur.
_ONE_TYPE = re.compile("ch|ck|ſt|tz")
_OVER = X_HEIGHT / 8


def print_line(text: str, type_: Type, setting: Setting, rng: Generator) -> Ink:
    """Draw a line of print.

    Parameters
    ----------
    text : str
        In logical order; `type_` shows it.
    type_ : Type
    setting : Setting
    rng : numpy.random.Generator
        Moves words off the baseline.

    Returns
    -------
    Ink
    """
    words = [text] if has_right_to_left(text) else text.split()
    space = type_.length(" ") * setting.word_space
    canvas = Image.new("L", (_WIDEST, _ABOVE + _BELOW), 0)
    pen = ImageDraw.Draw(canvas)
    unsteady = rng.normal(0, 1, len(words)) * (setting.unsteady * X_HEIGHT)
    x = float(_SIDE)
    for number, word in enumerate(words):
        y = _ABOVE + float(unsteady[number])
        spacing = setting.spacing * X_HEIGHT if number in setting.spaced else 0.0
        x = _draw_word(pen, x, y, word, type_, setting, spacing) + space
        if x > _WIDEST:
            break
    # Only what was drawn on is copied: the canvas is as wide as the longest line may be.
    used = canvas.crop((0, 0, min(int(x) + 2 * _SIDE, _WIDEST), canvas.height))
    return crop_ink(np.asarray(used), _ABOVE)


def _draw_word(
    pen: ImageDraw.ImageDraw,
    x: float,
    y: float,
    word: str,
    type_: Type,
    setting: Setting,
    spacing: float,
) -> float:
    """Draw a word from x on; returns where it ends."""
    clusters = graphemes(word)
    making = [type_.made(cluster) is not None for cluster in clusters]
    if spacing:
        pieces = _pieces_of_type(word)
    elif any(making):
        pieces = _runs(clusters, making)
    else:
        pieces = [word]
    features = setting.features
    if spacing:
        features = (*features, "-liga", "-clig", "-dlig")
    for piece in pieces:
        made = type_.made(piece) if spacing or any(making) else None
        if made is None:
            type_.draw(pen, x, y, piece, _for(piece, features))
            x += type_.length(piece, _for(piece, features))
        else:
            x += _draw_made(pen, x, y, made, type_)
        x += spacing
    return x - spacing


def _for(piece: str, features: tuple[str, ...]) -> tuple[str, ...]:
    """Leave the ligatures of a piece that is one type."""
    if _ONE_TYPE.fullmatch(piece):
        return tuple(feature for feature in features if feature not in ("-liga", "-clig"))
    return features


def _draw_made(
    pen: ImageDraw.ImageDraw, x: float, y: float, made: tuple[str, str, float], type_: Type
) -> float:
    """Draw a letter and a sign above it; returns how far it moves the pen."""
    letter, sign, scale = made
    pen.text((x, y), letter, 255, type_.font, "ls")
    left, top, right, _ = type_.font.getbbox(letter, anchor="ls")
    small = type_.plain(round(type_.font.size * scale, 1))
    box = small.getbbox(sign, anchor="ls")
    middle = x + (left + right) / 2 - (box[0] + box[2]) / 2
    # The lower edge of the sign stands a little above the letter.
    pen.text((middle, y + top - _OVER - box[3]), sign, 255, small, "ls")
    return type_.length(letter)


def _pieces_of_type(word: str) -> list[str]:
    pieces: list[str] = []
    end = 0
    for match in _ONE_TYPE.finditer(word):
        pieces += [*graphemes(word[end : match.start()]), match.group()]
        end = match.end()
    return pieces + graphemes(word[end:])


def _runs(clusters: list[str], making: list[bool]) -> list[str]:
    """Join what is drawn together, so that it keeps ligatures and kerning."""
    runs: list[str] = []
    open_run = False
    for cluster, made in zip(clusters, making, strict=True):
        if open_run and not made:
            runs[-1] += cluster
        else:
            runs.append(cluster)
        open_run = not made
    return runs
