"""One drawn line: text, font, setting and wear drawn by lot from the number of the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.synthesis.catalogue import Catalogue, KindFonts
from ocrlstm.datasets.synthesis.dots import dot_line
from ocrlstm.datasets.synthesis.effects import draw_wear
from ocrlstm.datasets.synthesis.faces import Face
from ocrlstm.datasets.synthesis.ink import Ink
from ocrlstm.datasets.synthesis.layout import draw_setting
from ocrlstm.datasets.synthesis.mixing import mix_line
from ocrlstm.datasets.synthesis.page import lay_out
from ocrlstm.datasets.synthesis.press import GROUND, press
from ocrlstm.datasets.synthesis.printing import print_line
from ocrlstm.datasets.synthesis.recipe import Kind, Recipe
from ocrlstm.datasets.synthesis.scan import scan
from ocrlstm.datasets.synthesis.sheet import lay_down
from ocrlstm.datasets.synthesis.texts import Text, read_lines
from ocrlstm.datasets.synthesis.type import Type
from ocrlstm.datasets.synthesis.typewriting import type_line
from ocrlstm.text.direction import has_right_to_left
from ocrlstm.text.normalize import normalize_text

__all__ = ["DrawnLine", "LineMaker"]

_TEXTS_OF_A_KIND = 12
_KINDS = 6


@dataclass(frozen=True, eq=False)
class DrawnLine:
    """A line image and what it says.

    Attributes
    ----------
    name : str
        Seed, number, kind and font.
    text : str
    pixels : uint8 array of shape (H, W)
        Lightness, 255 for white.
    """

    name: str
    text: str
    pixels: NDArray[np.uint8]


class LineMaker:
    """Draws lines by number; the same number gives the same line in any process.

    Parameters
    ----------
    recipe : Recipe
    catalogue : Catalogue
    seed : int
    wear : float, default=1.0
        Factor of the strengths of all effects; 0: nothing happens to any line.
    """

    def __init__(
        self, recipe: Recipe, catalogue: Catalogue, seed: int = 0, wear: float = 1.0
    ) -> None:
        self.recipe = recipe
        self.catalogue = catalogue
        self.seed = seed
        self.wear = wear
        self._texts: dict[str, Text] = {}
        self._types: dict[Face, Type] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is open: another process opens it itself."""
        return {**self.__dict__, "_texts": {}, "_types": {}}

    def read_texts(self) -> None:
        """Read the texts now, not when they are needed first.

        Raises
        ------
        DatasetError
            If one of them cannot be read.
        """
        if not self._texts:
            self._texts = {s.name: Text(s, read_lines(s.file)) for s in self.recipe.texts}

    def draw(self, number: int) -> DrawnLine | Problem:
        """Draw a line.

        Parameters
        ----------
        number : int
            From 0.

        Returns
        -------
        DrawnLine or Problem
            A problem if no font has the characters of any text that was tried.
        """
        self.read_texts()
        rng = default_rng([self.seed, number])
        text = ""
        for _ in range(_KINDS):
            fonts = _pick(self.catalogue.kinds, [k.kind.weight for k in self.catalogue.kinds], rng)
            for _ in range(_TEXTS_OF_A_KIND):
                text = self._draw_text(fonts.kind, rng)
                shown = fonts.kind.draw.apply(text)
                type_ = self._choose_type(fonts, shown, rng)
                if type_ is not None:
                    return self._print(number, fonts.kind, type_, text, shown, rng)
        reason = f"no font has all characters of the texts tried, the last of them {text!r}"
        return Problem(Path(self._name(number)), reason)

    def _draw_text(self, kind: Kind, rng: Generator) -> str:
        texts = [
            self._texts[source.name]
            for source in self.recipe.texts
            if not kind.texts or source.name in kind.texts
        ]
        text = _pick(texts, [text.source.weight for text in texts], rng).draw(rng)
        return normalize_text(mix_line(text, self.recipe.mix, rng))

    def _choose_type(self, fonts: KindFonts, text: str, rng: Generator) -> Type | None:
        """Return a face that shows a text, each family as likely."""
        order = rng.permutation(len(fonts.families))
        lot = rng.random()
        if not text or not _suits(fonts.kind, text):
            return None
        for family in order:
            faces = [self._open(face) for face in fonts.families[int(family)]]
            able = [type_ for type_ in faces if _shows(fonts.kind, type_, text)]
            if able:
                return able[int(lot * len(able))]
        return None

    def _print(
        self, number: int, kind: Kind, type_: Type, text: str, shown: str, rng: Generator
    ) -> DrawnLine:
        ink = _set(kind, type_, shown, rng)
        effects = {**self.recipe.effects, **kind.effects}
        clean = self.recipe.clean if kind.clean is None else kind.clean
        wear = draw_wear(effects, rng, clean, self.wear)
        x_height = float(rng.uniform(*kind.x_height))
        printed = press(ink, wear, rng)
        page = lay_out(printed, ink.baseline + GROUND, wear, rng)
        pixels = scan(lay_down(page, x_height, wear, rng), x_height, wear, rng)
        truth = kind.truth.apply(text)
        if kind.small_capitals == "capitals":
            truth = truth.upper()
        return DrawnLine(self._name(number, kind, type_), normalize_text(truth), pixels)

    def _open(self, face: Face) -> Type:
        if face not in self._types:
            self._types[face] = Type(face)
        return self._types[face]

    def _name(self, number: int, kind: Kind | None = None, type_: Type | None = None) -> str:
        name = f"{self.seed}-{number:07d}"
        if kind is None or type_ is None:
            return name
        return f"{name}-{kind.name}-{type_.face.name}".replace(" ", "_").replace("/", "_")


def _suits(kind: Kind, text: str) -> bool:
    """Tell whether a kind can print a text, whatever its fonts have."""
    if kind.press != "print" and has_right_to_left(text):
        return False
    # They have no small capitals of their own: others would be drawn than the text says.
    return not (kind.small_capitals and any(letter in text for letter in "ßſ"))


def _shows(kind: Kind, type_: Type, text: str) -> bool:
    if kind.press == "dots":
        return all(type_.has(character) for character in set(text))
    return type_.shows(text)


def _set(kind: Kind, type_: Type, text: str, rng: Generator) -> Ink:
    if kind.press == "typewriter":
        return type_line(text, type_, rng)
    if kind.press == "dots":
        return dot_line(text, type_, rng, kind.dots)
    words, small = len(text.split()), bool(kind.small_capitals)
    rare = type_.rare_ligatures
    setting = draw_setting(kind.layout, type_.features, rare, words, rng, small)
    setting = replace(setting, features=(*setting.features, *type_.unwanted()))
    return print_line(text, type_, setting, rng)


def _pick(items: Sequence[Any], weights: Sequence[float], rng: Generator) -> Any:
    """Return one of the items by lot, by their weights; all alike if these are 0."""
    ends = np.cumsum(weights)
    if ends[-1] <= 0:
        return items[int(rng.integers(len(items)))]
    return items[int(np.searchsorted(ends, rng.random() * ends[-1], side="right"))]
