"""Image/text pairs drawn with fonts: lines of print whose text is known for certain.

`english_lines` of `sentences` supplies texts, `print_and_scan` of `degradation` the wear.
`bin/make-training-data` writes the pairs to files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, features

from ocrlstm.datasets.degradation import print_and_scan
from ocrlstm.errors import DatasetError

__all__ = ["Font", "covers", "find_fonts", "generate", "missing_characters", "render_line"]

Font = ImageFont.FreeTypeFont
FONT_SUFFIXES = {".ttf", ".otf", ".ttc"}
NO_CHARACTER = "\U0010ffff"  # never assigned: every font draws its sign for "I have no such glyph"
CHECKING_SIZE = 24
MOST_UNUSABLE = 1000


def find_fonts(paths: Iterable[str | Path], pattern: str = "") -> list[Path]:
    """Find the font files among paths and in folders, searched through.

    Parameters
    ----------
    paths : iterable of path
        Font files and folders of them.
    pattern : str, default=""
        Regular expression that a file's name without its suffix must match as a whole; empty: any.

    Returns
    -------
    list of Path
        Sorted by name, so that a seed gives the same lines wherever the fonts lie.

    Raises
    ------
    DatasetError
        If a path does not exist or no font is found.
    """
    searched = [Path(path) for path in paths]
    found: dict[str, Path] = {}
    for path in searched:
        if not path.exists():
            raise DatasetError(
                f"{path}: no such file or folder; expected a font or a folder of them"
            )
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix.lower() in FONT_SUFFIXES and re.fullmatch(pattern or ".*", file.stem):
                found.setdefault(file.stem, file)
    if not found:
        places = ", ".join(map(str, searched)) or "no folder"
        raise DatasetError(
            f"no fonts found in {places}; bin/fetch-fonts installs Debian's free ones"
        )
    return [found[stem] for stem in sorted(found)]


def load_font(path: str | Path, size: int = CHECKING_SIZE) -> Font:
    """Open a font file, with ligatures where Pillow can shape text.

    Raises
    ------
    DatasetError
        If the file is no font that FreeType reads.
    """
    layout = ImageFont.Layout.RAQM if features.check("raqm") else ImageFont.Layout.BASIC
    try:
        return ImageFont.truetype(str(path), size, layout_engine=layout)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read as a font ({error})") from error


def missing_characters(font: Font, text: str) -> set[str]:
    """Find the characters of a text that a font has no glyph for.

    A character is missing if it is drawn like one that no font has, or, white space aside, not
    drawn at all.
    """
    unknown = _drawing(font, NO_CHARACTER)
    drawings = ((character, _drawing(font, character)) for character in set(text))
    return {
        character
        for character, drawing in drawings
        if not character.isspace() and (drawing == unknown or not any(drawing[1]))
    }


def covers(font: Font, text: str) -> bool:
    """Tell whether a font has a glyph for every character of a text."""
    return not missing_characters(font, text)


def _drawing(font: Font, character: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(character, mode="L")
    return mask.size, bytes(mask)


def render_line(
    text: str,
    font: Font,
    rng: Generator,
    *,
    height: int | None = None,
    strength: float = 1.0,
) -> Image.Image:
    """Draw one line of print.

    Parameters
    ----------
    text : str
        What the line says, in logical order.
    font : PIL.ImageFont.FreeTypeFont
        The typeface, of any size.
    rng : numpy.random.Generator
        Decides size, margins and wear.
    height : int, optional
        Height of the image in pixels; 40 to 70 if not given.
    strength : float, default=1.0
        Wear: 0 for a faultless print, 1 for what old books show.

    Returns
    -------
    PIL.Image.Image
        Grey ("L"), dark on light.
    """
    height = int(rng.integers(40, 71)) if height is None else height
    margin = rng.uniform(0.08, 0.25) * height
    reference = text + ("Ahgp" if rng.random() < 0.75 else "Ah")
    drawn_at_100 = font.font_variant(size=100)
    top, bottom = drawn_at_100.getbbox(reference)[1::2]
    scale = 2 * (height - margin) / (bottom - top)
    sized = font.font_variant(size=max(8, round(100 * scale)))
    y = 2 * margin * rng.uniform(0.2, 0.8) - scale * top
    ink = _draw_words(text, sized, rng, y, 2 * height)
    grey = print_and_scan(ink, rng, strength)
    return Image.fromarray(np.round(grey * 255).astype(np.uint8))


def _draw_words(
    text: str, font: Font, rng: Generator, y: float, height: int
) -> NDArray[np.float32]:
    """Draw the words one by one, the spaces between them wider or narrower than the font's."""
    left, right = rng.uniform(0.05, 0.35, 2) * height
    space = font.getlength(" ") * rng.uniform(0.8, 1.7)
    x, places = left, []
    for word in text.split():
        places.append((x, word))
        x += font.getlength(word) + space
    canvas = Image.new("L", (max(8, int(x - space + right)), height), 0)
    pen = ImageDraw.Draw(canvas)
    for x, word in places:
        pen.text((x, y), word, 255, font)
    return np.asarray(canvas, np.float32) / np.float32(255)


def generate(
    count: int,
    fonts: Sequence[str | Path],
    texts: Iterable[str],
    seed: int = 0,
    *,
    strength: float = 1.0,
) -> Iterator[tuple[Image.Image, str]]:
    """Yield pairs of a line image and its text.

    Parameters
    ----------
    count : int
        How many pairs to make at most; it ends earlier when the texts do.
    fonts : sequence of path
        Font files; each line takes one at random that has all of its characters.
    texts : iterable of str
        The lines. One that no font has all characters of is left out.
    seed : int, default=0
        The same seed, fonts and texts give the same pairs.
    strength : float, default=1.0
        Wear, as for `render_line`.

    Raises
    ------
    DatasetError
        If the fonts lack characters of very many lines in a row.
    """
    if not fonts:
        raise ValueError("generate needs at least one font")
    opened = lru_cache(maxsize=None)(load_font)
    has_character = lru_cache(maxsize=None)(covers)
    made = unusable = 0
    for text in texts:
        if made >= count:
            return
        rng = default_rng([seed, made])
        for index in rng.permutation(len(fonts)):
            font = opened(fonts[index])
            if all(has_character(font, character) for character in set(text)):
                yield render_line(text, font, rng, strength=strength), text
                made, unusable = made + 1, 0
                break
        else:
            unusable += 1
            if unusable == MOST_UNUSABLE:
                raise DatasetError(
                    f"none of the {len(fonts)} fonts has all characters of {unusable} lines in a "
                    f"row, the last of them {text!r}; give fonts that have them"
                )
