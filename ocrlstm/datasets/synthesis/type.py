"""An open typeface: which texts it shows, and how its words are drawn.

Pillow with raqm shapes text: ligatures, kerning, marks, right-to-left scripts, features. Without
raqm it sets one character beside the other; texts that need more are then left to no font.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from string import ascii_lowercase

from PIL import Image, ImageDraw, ImageFont, features

from ocrlstm.datasets.synthesis.faces import Face
from ocrlstm.datasets.synthesis.looks import look_of
from ocrlstm.datasets.synthesis.marks import split_mark
from ocrlstm.errors import DatasetError
from ocrlstm.text.graphemes import graphemes

__all__ = ["X_HEIGHT", "Type", "can_shape"]

#: Height of the small x in pixels with which type is drawn, before it is scanned in any size.
X_HEIGHT = 20

_PROBE = 96
_SIZES = (8.0, 200.0)
_LOOK = 48

# Old types may show both alike: the picture then does not tell which was meant.
_TWINS = {"s": "ſ", "ſ": "sf"}
_RARE = ("dlig", "hlig")
_USUAL = ("liga", "clig", "calt", "rlig")
# In some fonts "oe" becomes œ, "..." an ellipsis, "->" an arrow.
_MISTAKABLE = "oe ae OE AE ij IJ ss sz vv (c) (r) (p) ... -- --- -> <- != <= >= == Nr No 1st 1/2 tm"
_PRINTERS_PAIRS = frozenset("ct st sp ff fi fl fj ft fb fh fk tt ch ck tz th".split())


def can_shape() -> bool:
    """Tell whether this Pillow has raqm."""
    return bool(features.check("raqm"))


class Type:
    """A typeface, opened once.

    Parameters
    ----------
    face : Face
    shaped : bool
        With raqm.

    Attributes
    ----------
    face : Face
    font : PIL.ImageFont.FreeTypeFont
        In the size that makes the small x `X_HEIGHT` pixels high.

    Raises
    ------
    DatasetError
        If FreeType cannot read the file.
    """

    def __init__(self, face: Face, shaped: bool = True) -> None:
        self.face = face
        self._shaped = shaped and can_shape()
        probe = self._open(_PROBE)
        letter = next((c for c in "nuoxNX" if ord(c) in face.characters), None)
        share = 0.45
        if letter is not None:
            top, bottom = probe.getbbox(letter)[1::2]
            share = max(bottom - top, 1) / _PROBE * (1.0 if letter.islower() else 0.7)
        smallest, largest = _SIZES
        self.font = self._open(min(max(X_HEIGHT / share, smallest), largest))
        self._unwanted: tuple[str, ...] | None = None
        self._rare: tuple[str, ...] | None = None
        self._inked: dict[str, bool] = {}
        self._ways: dict[str, tuple[str, str, float] | bool | None] = {}
        self._plain: dict[float, ImageFont.FreeTypeFont] = {}

    def has(self, character: str) -> bool:
        """Tell whether the font itself has a character, and ink for it."""
        if character not in self._inked:
            there = ord(character) in self.face.characters
            if there and not character.isspace():
                there = self.font.getmask2(character, "1")[0].getbbox() is not None
            if there and character in _TWINS:
                twins = (twin for twin in _TWINS[character] if ord(twin) in self.face.characters)
                there = all(self._picture(twin) != self._picture(character) for twin in twins)
            self._inked[character] = there
        return self._inked[character]

    def shows(self, text: str) -> bool:
        """Tell whether every character of a text can be drawn, made marks among them."""
        return all(self._way(cluster) is not False for cluster in graphemes(text))

    def made(self, cluster: str) -> tuple[str, str, float] | None:
        """Tell how a cluster is made of a letter and a mark, as `split_mark`; None: it is there."""
        way = self._way(cluster)
        return way if isinstance(way, tuple) else None

    @property
    def features(self) -> frozenset[str]:
        """The features of the face; none without raqm."""
        return self.face.features if self._shaped else frozenset()

    def unwanted(self) -> tuple[str, ...]:
        """Return what turns off the usual features that make other letters or signs of some."""
        if self._unwanted is None:
            plain = {tag: f"-{tag}" for tag in _USUAL if tag in self.features}
            self._unwanted = tuple(
                off
                for off in plain.values()
                if self._picture(_MISTAKABLE, off) != self._picture(_MISTAKABLE)
            )
        return self._unwanted

    def rare_ligatures(self) -> tuple[str, ...]:
        """Return the features for rare ligatures, but for those that make other letters of letters.

        It is found out by drawing all pairs of letters, which takes as long as some lines.
        """
        if self._rare is None:
            self._rare = tuple(
                tag for tag in _RARE if tag in self.features and not self._changes_letters(tag)
            )
        return self._rare

    def length(self, text: str, wanted: Sequence[str] = ()) -> float:
        """Return how far a text moves the pen, in pixels."""
        if self._shaped:
            return self.font.getlength(text, features=list(wanted) or None)
        return self.font.getlength(text)

    def draw(
        self, pen: ImageDraw.ImageDraw, x: float, y: float, text: str, wanted: Sequence[str] = ()
    ) -> None:
        """Draw a text from x on, its baseline at y; without raqm, without its features."""
        features = list(wanted) if self._shaped and wanted else None
        pen.text((x, y), text, 255, self.font, "ls", features=features)

    def plain(self, size: float) -> ImageFont.FreeTypeFont:
        """Return the font in another size, without shaping."""
        if size not in self._plain:
            if len(self._plain) > 8:
                self._plain.clear()
            self._plain[size] = self._open(size, shaped=False)
        return self._plain[size]

    def look(self) -> str:
        """Tell what its letters look like; see `look_of`."""
        return look_of(self.plain(_LOOK), lambda character: ord(character) in self.face.characters)

    def _picture(self, text: str, feature: str = "") -> bytes:
        """Return what is drawn for a text."""
        canvas = Image.new("L", (int(self.length(text)) + 4 * X_HEIGHT, 6 * X_HEIGHT))
        wanted = [feature] if feature else []
        self.draw(ImageDraw.Draw(canvas), X_HEIGHT, 4 * X_HEIGHT, text, wanted)
        return canvas.tobytes()

    def _changes_letters(self, feature: str) -> bool:
        """Tell whether a feature for ligatures has others than those that printers used.

        In fonts for medievalists and some old faces "oe" becomes œ and "ag" an a joined to a g.
        """
        for first in ascii_lowercase:
            pairs = [first + second for second in ascii_lowercase]
            text = " ".join(pair for pair in pairs if pair not in _PRINTERS_PAIRS)
            if self._picture(text, feature) != self._picture(text):
                return True
        return False

    def _open(self, size: float, shaped: bool | None = None) -> ImageFont.FreeTypeFont:
        shaped = self._shaped if shaped is None else shaped
        layout = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
        try:
            return ImageFont.truetype(self.face.path, size, self.face.index, layout_engine=layout)
        except (OSError, ValueError) as error:
            raise DatasetError(f"{self.face.path}: cannot be opened as a font ({error})") from error

    def _way(self, cluster: str) -> tuple[str, str, float] | bool | None:
        """Return None for what the font has, how to make it, or False where that cannot be."""
        if cluster not in self._ways:
            made = None if self._has_all(cluster) else split_mark(cluster, self.has) or False
            self._ways[cluster] = made
        return self._ways[cluster]

    def _has_all(self, cluster: str) -> bool:
        """Tell whether the font has a cluster, whole or, with raqm, as a letter and its marks."""
        if len(cluster) == 1 and self.has(cluster):
            return self._shaped or not _needs_shaping(cluster)
        if not self._shaped:
            return False
        parts = unicodedata.normalize("NFD", cluster)
        return len(parts) > 1 and all(self._has_part(part) for part in parts)

    def _has_part(self, part: str) -> bool:
        # A mark has ink of its own; joiners and selectors have none and need none.
        if unicodedata.category(part) == "Cf":
            return ord(part) in self.face.characters
        return self.has(part)


def _needs_shaping(character: str) -> bool:
    right_to_left = unicodedata.bidirectional(character) in ("R", "AL")
    return right_to_left or unicodedata.combining(character) > 0
