"""How lines are set: what a recipe says of it, and what is drawn by lot for one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numpy.random import Generator

__all__ = ["Layout", "Setting", "draw_setting"]

# Features of OpenType that a setting may ask for. `hist` is none of them: it turns s into long s,
# which the text would not tell.
_OFF = {"ligatures": ("-liga", "-clig"), "kerning": ("-kern",)}


@dataclass(frozen=True)
class Layout:
    """Chances from 0 to 1, and ranges of sizes, of what a line's setting may be.

    Attributes
    ----------
    ligatures, kerning : float
        Chance that the font's usual ligatures (fi, long s with its neighbours) and kerning are on.
    rare_ligatures : float
        Chance of discretionary and historical ligatures (ct, st), where the font has them.
    old_figures : float
        Chance of figures with ascenders and descenders, where the font has them.
    spaced_words : float
        Chance that some words of the line are letter-spaced, as Fraktur does for emphasis.
    spaced_line : float
        Chance that the whole line is letter-spaced, as headings are.
    spacing : (float, float)
        Range of letter-spacing in heights of the small x.
    word_space : (float, float)
        Range of the spaces between words, in that of the font: justified lines stretch them.
    unsteady : float
        How far words stand off the baseline, in heights of the small x; early types do.
    """

    ligatures: float = 0.9
    kerning: float = 0.95
    rare_ligatures: float = 0.05
    old_figures: float = 0.25
    spaced_words: float = 0.0
    spaced_line: float = 0.01
    spacing: tuple[float, float] = (0.15, 0.5)
    word_space: tuple[float, float] = (0.75, 1.9)
    unsteady: float = 0.0


@dataclass(frozen=True)
class Setting:
    """How one line is set.

    Attributes
    ----------
    features : tuple of str
        For raqm.
    word_space : float
        In the font's own space.
    spacing : float
        Letter-spacing, in heights of the small x.
    spaced : tuple of int
        Numbers of the words that have it.
    unsteady : float
        See `Layout`.
    """

    features: tuple[str, ...] = ()
    word_space: float = 1.0
    spacing: float = 0.0
    spaced: tuple[int, ...] = ()
    unsteady: float = 0.0


def draw_setting(
    layout: Layout,
    tags: frozenset[str],
    rare_ligatures: Callable[[], Sequence[str]],
    words: int,
    rng: Generator,
    small_capitals: bool = False,
) -> Setting:
    """Draw the setting of one line by lot.

    Parameters
    ----------
    layout : Layout
    tags : frozenset of str
        Features of the font.
    rare_ligatures : callable
        Gives those of them that are for rare ligatures; asked only where they are wanted.
    words : int
        Words of the line.
    rng : numpy.random.Generator
    small_capitals : bool
        Set small letters as small capitals.

    Returns
    -------
    Setting
    """
    features: list[str] = []
    # All lots are drawn whatever the font has, so that fonts do not change the rest of the line.
    lots = rng.random(6)
    if lots[0] >= layout.ligatures:
        features += _OFF["ligatures"]
    if lots[1] >= layout.kerning:
        features += _OFF["kerning"]
    if lots[2] < layout.rare_ligatures:
        features += rare_ligatures()
    if lots[3] < layout.old_figures and "onum" in tags:
        features.append("onum")
    if small_capitals and "smcp" in tags:
        features.append("smcp")
    spaced: tuple[int, ...] = ()
    spacing = float(rng.uniform(*layout.spacing))
    first, count = int(rng.integers(max(words, 1))), int(rng.integers(1, 4))
    if lots[4] < layout.spaced_line:
        spaced = tuple(range(words))
    elif lots[5] < layout.spaced_words:
        spaced = tuple(range(first, min(first + count, words)))
    word_space = float(rng.uniform(*layout.word_space))
    return Setting(tuple(features), word_space, spacing, spaced, layout.unsteady)
