"""What may happen to a line between the press and the file, by name.

Each effect has a chance and a strength; 1 is what old books show. Which effects happen to a line
is drawn first, all together, so that a recipe which turns one off changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from numpy.random import Generator

__all__ = ["EFFECTS", "Effect", "Wear", "draw_wear"]


@dataclass(frozen=True)
class Effect:
    """How often something happens, and how strongly.

    Attributes
    ----------
    chance : float
        From 0 to 1.
    strength : float
        1 is what old books show.
    """

    chance: float
    strength: float = 1.0

    def __post_init__(self) -> None:
        """Check both numbers."""
        if not 0 <= self.chance <= 1:
            raise ValueError(f"a chance is from 0 to 1, not {self.chance}")
        if not 0 <= self.strength <= 4:
            raise ValueError(f"a strength is from 0 to 4, not {self.strength}")


#: The effects and their usual chances, in the order in which they happen.
EFFECTS: dict[str, Effect] = {
    # the press
    "spread": Effect(0.5),  # ink that runs: strokes grow
    "loss": Effect(0.3),  # too little ink: strokes thin out
    "ragged": Effect(0.6),  # edges roughened by the fibres of the paper
    "fade": Effect(0.3),  # inked or pressed unevenly
    "breaks": Effect(0.05),  # damaged type, dust, folds: strips without ink
    # the page around the line
    "neighbours": Effect(0.25),  # parts of the lines above and below
    "underline": Effect(0.02),  # drawn by pen
    "rules": Effect(0.03),  # printed rules, boxes of forms, ruled paper
    "stamp": Effect(0.02),  # a stamp across the line
    # the sheet under the scanner
    "skew": Effect(0.5),
    "curl": Effect(0.4),  # near the fold of a book
    "uneven": Effect(0.15),  # letters up and down
    "bleed": Effect(0.1),  # the back of the leaf shows through
    "paper": Effect(0.6),  # tone, clouds, fibres, stains
    "light": Effect(0.3),  # darker towards one end
    # the scanner
    "blur": Effect(0.6),
    "noise": Effect(0.5),
    "specks": Effect(0.2),  # dirt on paper and in ink
    "lowres": Effect(0.15),  # few dots an inch
    "bilevel": Effect(0.25),  # black and white only
    "jpeg": Effect(0.35),
}

# Pages differ as wholes: some are worn in every respect, some in none.
_WORN = (0.4, 1.3)


@dataclass(frozen=True)
class Wear:
    """What happens to one line.

    Attributes
    ----------
    strengths : dict of str to float
        By effects; what does not happen is not there.
    """

    strengths: dict[str, float]

    def __call__(self, name: str) -> float:
        """Return the strength of an effect, 0 if it does not happen."""
        return self.strengths.get(name, 0.0)


def draw_wear(
    effects: Mapping[str, Effect], rng: Generator, clean: float = 0.0, factor: float = 1.0
) -> Wear:
    """Draw by lot what happens to a line.

    Parameters
    ----------
    effects : mapping of str to Effect
        Those that are not named have the values of `EFFECTS`.
    rng : numpy.random.Generator
    clean : float
        Chance that nothing happens: what a computer shows, not paper.
    factor : float
        Of all strengths.

    Returns
    -------
    Wear
    """
    lots = rng.random(len(EFFECTS))
    spread = rng.uniform(0.5, 1.0, len(EFFECTS))
    worn = rng.uniform(*_WORN) * factor
    if rng.random() < clean or factor == 0:
        return Wear({})
    strengths = {}
    for (name, usual), lot, part in zip(EFFECTS.items(), lots, spread, strict=True):
        effect = effects.get(name, usual)
        if lot < effect.chance and effect.strength > 0:
            strengths[name] = float(effect.strength * worn * part)
    return Wear(strengths)
