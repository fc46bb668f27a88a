"""Different characters for what is one and the same in print, of which a set should use one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ocrlstm.text.rule_tables import RULES

__all__ = ["FAMILIES", "Family"]


@dataclass(frozen=True)
class Family:
    """Spellings that should not stand side by side.

    Attributes
    ----------
    name : str
    members : tuple of tuple of str
        Groups; spellings of the same group go well together, such as opening and closing quotes.
    rule : str
        The rule of `RULES` that makes them one; "" if there is none.
    """

    name: str
    members: tuple[tuple[str, ...], ...]
    rule: str = ""


def _each(spellings: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((spelling,) for spelling in spellings)


FAMILIES = (
    Family("double quotes", (('"',), tuple("“”„‟")), "quotes"),
    Family("apostrophes and single quotes", (("'",), tuple("‘’‚‛")), "quotes"),
    Family("apostrophes and accents that stand alone", (("'", "’"), ("`",), ("´",), ("ʼ",))),
    Family("dashes", _each("‒–—―−⸺⸻"), "dashes"),
    Family("hyphens", _each("-‐‑⸗⹀\u00ad"), "hyphens"),
    Family("ellipses", _each(("...", "…")), "ellipsis"),
    Family("dots in the middle", _each("·•∙⋅‧・")),
    Family("degree signs", _each("°º˚")),
    Family("micro signs", _each("µμ")),
    *(
        Family("umlauts", _each((vowel + "\u0364", umlaut)), "umlauts")
        for vowel, umlaut in zip("aouAOU", "äöüÄÖÜ", strict=True)
    ),
    *(Family("ligatures", _each(entry), "ligatures") for entry in RULES["ligatures"].table.items()),
)
