"""The rules that a text can be normalised by, each with its table.

Texts are in NFC and their white space is single spaces when a rule sees them. What a released rule
does never changes, because models name it in their files; a better one gets a name of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["PRESETS", "RULES", "Rule"]


@dataclass(frozen=True)
class Rule:
    """Characters and what they become.

    Attributes
    ----------
    meaning : str
        What the rule does, in a few words.
    table : mapping of str to str
        A code point and what stands in its place.
    patterns : tuple of (str, str)
        Regular expressions and what is put in the place of each match, before the table is used:
        for what depends on the neighbours.
    """

    meaning: str
    table: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[tuple[str, str], ...] = ()
    _codes: dict[int, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Turn the table into the form of `str.translate`."""
        object.__setattr__(self, "_codes", str.maketrans(dict(self.table)))

    def apply(self, text: str) -> str:
        """Return the text with the rule applied once."""
        for pattern, replacement in self.patterns:
            text = re.sub(pattern, replacement, text)
        return text.translate(self._codes)


def _all_become(target: str, sources: str) -> dict[str, str]:
    return dict.fromkeys(sources, target)


def _spelled_out(first: int, last: int, tag: str) -> dict[str, str]:
    """Return the compatibility decompositions of one kind in a block that begin with ink."""
    table = {}
    for code in range(first, last + 1):
        kind, _, rest = unicodedata.decomposition(chr(code)).partition(" ")
        parts = "".join(chr(int(part, 16)) for part in rest.split()) if kind in tag.split() else ""
        if parts and not parts[0].isspace():
            table[chr(code)] = parts
    return table


_FRACTIONS = {
    character: parts.replace("\u2044", "/")
    for first, last in ((0xBC, 0xBE), (0x2150, 0x215F), (0x2189, 0x2189))
    for character, parts in _spelled_out(first, last, "<fraction>").items()
}
_ARABIC_TAGS = "<isolated> <initial> <medial> <final>"

# Applied in this order: what one rule writes, no earlier one changes.
RULES: dict[str, Rule] = {
    "presentation": Rule(
        "Arabic presentation forms (U+FB50 to U+FEFC) become the letters they show",
        _spelled_out(0xFB50, 0xFDFB, _ARABIC_TAGS) | _spelled_out(0xFE70, 0xFEFC, _ARABIC_TAGS),
    ),
    "ligatures": Rule(
        "ligatures become their letters, ﬁ to fi and ﬅ to ſt; æ and œ are letters and stay",
        _spelled_out(0xFB00, 0xFB17, "<compat>") | _spelled_out(0x132, 0x133, "<compat>"),
    ),
    "long_s": Rule("long s becomes s", {"ſ": "s", "ẛ": "ṡ", "ﬅ": "ﬆ"}),
    "round_r": Rule("r rotunda becomes r", {"ꝛ": "r", "Ꝛ": "R"}),
    "umlauts": Rule("e above a letter becomes the two dots of the umlaut", {"\u0364": "\u0308"}),
    "fractions": Rule(
        "fractions are spelled with a slash, ½ as 1/2 and 3½ as 3 1/2",
        {**_FRACTIONS, "\u2044": "/", "\u2215": "/"},
        ((rf"(?<=[\d{''.join(_FRACTIONS)}])(?=[{''.join(_FRACTIONS)}])", " "),),
    ),
    "quotes": Rule(
        "curly quotes and apostrophes become straight ones",
        _all_become('"', "“”„‟") | _all_become("'", "‘’‚‛"),
    ),
    "guillemets": Rule(
        "guillemets become straight quotes", _all_become('"', "«»") | _all_become("'", "‹›")
    ),
    "dashes": Rule(
        "all dashes and the minus sign become the en dash –",
        _all_become("–", "\u2012\u2014\u2015\u2e3a\u2e3b\u2212"),
    ),
    "hyphens": Rule(
        "all hyphens become -, Fraktur's double ones too; a soft hyphen does at the line's end",
        {**_all_become("-", "\u2010\u2011\u2e17\u2e40"), "\u00ad": ""},
        (("\u00ad+$", "-"),),
    ),
    "ellipsis": Rule("the ellipsis … becomes three dots", {"…": "..."}),
    "punctuation_spaces": Rule(
        "no space before , ; : ! ? . and closing brackets, none after opening ones",
        patterns=(
            (r" +(?=[,;:!?)\]}،؛؟]|\.(?![.\w]))", ""),
            (r"(?<=[(\[{]) +", ""),
        ),
    ),
}

#: Names that stand for several rules.
PRESETS: dict[str, tuple[str, ...]] = {
    "diplomatic": (),
    "modern": (
        "presentation",
        "ligatures",
        "long_s",
        "round_r",
        "umlauts",
        "quotes",
        "dashes",
        "hyphens",
        "ellipsis",
    ),
}
