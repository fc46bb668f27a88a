"""What the letters of a font look like: real letters, small capitals, or pictures.

No table tells for certain. A font of dingbats may say that it has the letter a, and a face of
capitals that it has small letters; what is drawn with them would teach wrong characters.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

__all__ = ["CAPITALS", "LETTERS", "PICTURES", "look_of"]

#: What `look_of` may answer.
LETTERS, CAPITALS, PICTURES = "letters", "capitals", "pictures"

_SIZE = 48
_CELLS = 12
_CHARACTERS = string.ascii_letters + string.digits
# Small letters of another form than their capitals; c, o, s, v, w, x, z tell nothing.
_TELLING = "abdeghnqrt"
# So many of 62 characters are nearest to the very same one of a plain face.
_FEWEST = 9
_ALIKE = 0.85
_MOSTLY = 0.7
# Tangents of the slants that are taken out of italics.
_SLANTS = (0.0, 0.12, 0.25, 0.38)

Font = ImageFont.FreeTypeFont
Vector = NDArray[np.float32]


def look_of(font: Font, has: Callable[[str], bool]) -> str:
    """Tell what the Latin letters of a font look like.

    Parameters
    ----------
    font : PIL.ImageFont.FreeTypeFont
        Of about 48 pixels.
    has : callable
        Tells whether the font has a character.

    Returns
    -------
    str
        `CAPITALS` if the small letters are capitals, smaller or not; `PICTURES` if hardly any
        character resembles that of a plain face; else `LETTERS`, also for fonts of other scripts.
    """
    there = [character for character in _CHARACTERS if has(character)]
    if len(there) < len(_CHARACTERS) // 2:
        return LETTERS
    upright = _shapes(font, there, 0.0)
    pairs = [(small, small.upper()) for small in _TELLING]
    alike = [
        float(upright[small] @ upright[capital]) > _ALIKE
        for small, capital in pairs
        if small in upright and capital in upright
    ]
    if len(alike) > len(_TELLING) // 2 and np.mean(alike) > _MOSTLY:
        return CAPITALS
    plain = _plain_shapes()
    if plain is None:
        return LETTERS
    known = any(_count_same(_shapes(font, there, slant), plain) >= _FEWEST for slant in _SLANTS)
    return LETTERS if known else PICTURES


def _count_same(shapes: dict[str, Vector], plain: dict[str, Vector]) -> int:
    """Count the characters that resemble the same one of the plain face more than any other."""
    names = list(plain)
    likeness = np.stack(list(shapes.values())) @ np.stack([plain[name] for name in names]).T
    nearest = (names[place] for place in likeness.argmax(axis=1))
    return sum(
        found.lower() == wanted.lower() for found, wanted in zip(nearest, shapes, strict=True)
    )


def _shapes(font: Font, characters: list[str], slant: float) -> dict[str, Vector]:
    return {character: _shape(font, character, slant) for character in characters}


def _shape(font: Font, character: str, slant: float) -> Vector:
    """Return the ink of a character, fitted into a square, as a vector of mean 0 and length 1."""
    picture = Image.new("L", (4 * _SIZE, 3 * _SIZE), 0)
    ImageDraw.Draw(picture).text((_SIZE, 2 * _SIZE), character, 255, font, "ls")
    if slant:
        # Rows above move to the left, those below to the right.
        matrix = (1, -slant, slant * 2 * _SIZE, 0, 1, 0)
        picture = picture.transform(picture.size, Image.Transform.AFFINE, matrix)
    box = picture.getbbox()
    if box is None:
        return np.zeros(_CELLS * _CELLS, np.float32)
    small = picture.crop(box).resize((_CELLS, _CELLS), Image.Resampling.BOX)
    shape = np.asarray(small, np.float32).ravel()
    shape -= shape.mean()
    return shape / max(float(np.linalg.norm(shape)), 1.0)


@lru_cache(maxsize=1)
def _plain_shapes() -> dict[str, Vector] | None:
    """Return the shapes of the font inside Pillow, a plain sans-serif."""
    font = ImageFont.load_default(_SIZE)
    if not isinstance(font, ImageFont.FreeTypeFont):  # a Pillow built without FreeType
        return None
    return _shapes(font, list(_CHARACTERS), 0.0)
