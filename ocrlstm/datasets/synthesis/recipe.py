"""A recipe: everything that decides what lines are drawn, and what model they are for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ocrlstm.datasets.synthesis.effects import Effect
from ocrlstm.datasets.synthesis.layout import Layout
from ocrlstm.datasets.synthesis.mixing import Mix
from ocrlstm.datasets.synthesis.texts import TextSource

__all__ = ["PRESSES", "SMALL_CAPITALS", "Kind", "Packages", "Recipe", "Respelling"]

#: How a kind of lines is made: printed, typed, or printed by needles.
PRESSES = ("print", "typewriter", "dots")

#: What the text says of small capitals: small letters as typed, or capitals as they look.
SMALL_CAPITALS = ("small letters", "capitals")


@dataclass(frozen=True)
class Respelling:
    """Characters that are drawn or written in another way than the text has them.

    Attributes
    ----------
    table : mapping of str to str
    """

    table: Mapping[str, str] = field(default_factory=dict)

    def apply(self, text: str) -> str:
        """Return the text with every entry replaced, the longest first, none of them twice."""
        if not self.table:
            return text
        keys = sorted(self.table, key=lambda key: (-len(key), key))
        pattern = "|".join(map(re.escape, keys))
        return re.sub(pattern, lambda match: self.table[match[0]], text)


@dataclass(frozen=True)
class Kind:
    """A kind of print: some fonts, how they are set, and what happens to the lines.

    Attributes
    ----------
    name : str
    weight : float
        Its share among the kinds.
    fonts : tuple of str
        Regular expressions; a font belongs to the kind if one matches its whole name.
    without : tuple of str
        Regular expressions of fonts that do not.
    texts : tuple of str
        Names of its texts; empty: all.
    press : str
        One of `PRESSES`.
    dots : int
        For the press "dots": dots of the em; 0: drawn by lot.
    small_capitals : str
        Empty, or one of `SMALL_CAPITALS`: set in small capitals, by the font's feature or by fonts
        that have nothing else.
    x_height : (float, float)
        Range of the height of a small x in the image, in pixels.
    layout : Layout
    effects : mapping of str to Effect
        Besides those of the recipe.
    clean : float or None
        See `Recipe`.
    draw : Respelling
        What is drawn for characters of the text: ``{"⸗" = "-"}`` for a font whose hyphen is double.
    truth : Respelling
        What the truth says for characters of the text: ``{"-" = "⸗"}`` for the same font.
    """

    name: str
    weight: float = 1.0
    fonts: tuple[str, ...] = (".*",)
    without: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    press: str = "print"
    dots: int = 0
    small_capitals: str = ""
    x_height: tuple[float, float] = (9.0, 21.0)
    layout: Layout = Layout()
    effects: Mapping[str, Effect] = field(default_factory=dict)
    clean: float | None = None
    draw: Respelling = Respelling()
    truth: Respelling = Respelling()

    def takes(self, name: str) -> bool:
        """Tell whether a font of this name belongs to the kind."""
        return any(re.fullmatch(pattern, name) for pattern in self.fonts) and not any(
            re.fullmatch(pattern, name) for pattern in self.without
        )


@dataclass(frozen=True)
class Packages:
    """Names of the packages whose fonts a recipe draws with.

    Attributes
    ----------
    debian, npm : tuple of str
    """

    debian: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """What is drawn, and how a model is trained on it.

    Attributes
    ----------
    texts : tuple of TextSource
    kinds : tuple of Kind
    mix : Mix
    effects : mapping of str to Effect
        See `EFFECTS`; what is not named happens as usual.
    clean : float
        Share of lines to which nothing happens, as on a screen.
    number : int
        Lines to draw unless told otherwise.
    packages : Packages
    real : tuple of str
        Paths of real lines to be trained on as well.
    training : mapping
        Settings of ``ocrlstm train``, handed on as they are.
    """

    texts: tuple[TextSource, ...]
    kinds: tuple[Kind, ...] = (Kind("any"),)
    mix: Mix = Mix()
    effects: Mapping[str, Effect] = field(default_factory=dict)
    clean: float = 0.05
    number: int = 10_000
    packages: Packages = Packages()
    real: tuple[str, ...] = ()
    training: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that there is something to draw, and that kinds name texts that there are.

        Raises
        ------
        ValueError
            With what was found and what was expected.
        """
        if not self.texts:
            raise ValueError("no text to draw; name at least one")
        if not self.kinds:
            raise ValueError("no kind of print; name at least one")
        names = [text.name for text in self.texts]
        for kind in self.kinds:
            for name in kind.texts:
                if name not in names:
                    raise ValueError(
                        f"the kind {kind.name!r} names the text {name!r}; "
                        f"there are {', '.join(names)}"
                    )
