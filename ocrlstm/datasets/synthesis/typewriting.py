"""Typewriting: every letter in a cell of the same width, none struck like the other."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from PIL import Image, ImageDraw, ImageFont

from ocrlstm.datasets.synthesis.ink import Ink, crop_ink
from ocrlstm.datasets.synthesis.type import X_HEIGHT, Type
from ocrlstm.text.graphemes import graphemes

__all__ = ["type_line"]

_ABOVE, _BELOW = 4 * X_HEIGHT, 3 * X_HEIGHT
_FAINTEST = np.float32(0.6)  # a fainter letter could not be read


def type_line(text: str, type_: Type, rng: Generator, unsteady: float = 0.05) -> Ink:
    """Draw a line as a typewriter does.

    Parameters
    ----------
    text : str
        From left to right; `type_` shows it.
    type_ : Type
        A typeface of fixed pitch; another is set as if it were.
    rng : numpy.random.Generator
        Draws the type bars of the machine, which put a letter always in the same wrong place, and
        each stroke.
    unsteady : float
        How far letters stand off their place, in heights of the small x.

    Returns
    -------
    Ink
    """
    letters = graphemes(text)
    pitch = _pitch(type_) * rng.uniform(0.97, 1.08)
    canvas = Image.new("L", (int(pitch * (len(letters) + 3)), _ABOVE + _BELOW), 0)
    font = type_.plain(type_.font.size)
    bars = {letter: rng.normal(0, unsteady, 3) for letter in sorted(set(letters))}
    strokes = rng.normal(0, unsteady / 3, (len(letters), 2)) * X_HEIGHT
    light = rng.uniform(0.0, 0.4)
    force = np.ones(canvas.width, np.float32)
    for number, letter in enumerate(letters):
        if letter.isspace():
            continue
        side, up, weak = bars[letter]
        x = pitch * (number + 1) + side * X_HEIGHT + strokes[number, 0]
        y = _ABOVE + 1.5 * up * X_HEIGHT + strokes[number, 1]
        cell = slice(int(pitch * (number + 1)), int(pitch * (number + 2)))
        force[cell] = max(1 - light * rng.random() - 3 * abs(weak), _FAINTEST)
        _strike(canvas, x, y, letter, type_, font, pitch)
    return crop_ink(np.asarray(canvas), _ABOVE, force)


def _strike(
    canvas: Image.Image,
    x: float,
    y: float,
    letter: str,
    type_: Type,
    font: ImageFont.FreeTypeFont,
    pitch: float,
) -> None:
    """Print one letter in the middle of its cell; what is there already stays."""
    pen = ImageDraw.Draw(canvas)
    made = type_.made(letter)
    if made is not None:  # a dead key: the sign first, the letter in the same cell
        letter, sign, _ = made
        left, top, right, bottom = font.getbbox(sign, anchor="ls")
        rise = min(0.0, font.getbbox(letter, anchor="ls")[1] - X_HEIGHT / 8 - bottom)
        pen.text((x + (pitch - left - right) / 2, y + rise), sign, 255, font, "ls")
    elif len(letter) > 1:  # a mark that the font has itself, which only raqm puts in its place
        pen.text((x, y), letter, 255, type_.font, "ls")
        return
    advance = font.getlength(letter)
    pen.text((x + (pitch - advance) / 2, y), letter, 255, font, "ls")


def _pitch(type_: Type) -> float:
    font = type_.plain(type_.font.size)
    narrow, wide = font.getlength("i"), font.getlength("n")
    return wide if narrow > 0.9 * wide else 1.15 * wide
