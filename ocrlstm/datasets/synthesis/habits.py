"""Habits of old printers, put into texts that are spelt in a modern way.

A habit changes what is printed and hence what is the truth: it makes of a modern edition what a
diplomatic transcription of an old print would be. Each is roughly what the printers did, enough to
teach a network the letters, not a philologist.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from numpy.random import Generator

__all__ = ["HABITS", "apply_habits"]

_LETTER = r"[^\W\d_]"


def _long_s(text: str, rng: Generator) -> str:
    """Change every s but the one at the end of a word."""
    return re.sub(rf"s(?={_LETTER}|[-⸗]$)", "ſ", text)


def _round_r(text: str, rng: Generator) -> str:
    """Change the r after round letters."""
    return re.sub(r"(?<=[obdphOBDP])r", "ꝛ", text)


def _u_for_v(text: str, rng: Generator) -> str:
    """Print v at the beginning of words and u within them, and V for both capitals."""
    text = re.sub(rf"(?<!{_LETTER})u", "v", text)
    text = re.sub(rf"(?<={_LETTER})v", "u", text)
    return text.replace("U", "V")


def _i_for_j(text: str, rng: Generator) -> str:
    """Print i for every j."""
    return text.replace("j", "i").replace("J", "I")


def _tildes(text: str, rng: Generator) -> str:
    """Put a tilde for some of the m and n after vowels."""

    def shorten(match: re.Match[str]) -> str:
        if rng.random() >= 0.35:
            return match[0]
        return unicodedata.normalize("NFC", match[1] + "\u0303")

    return re.sub(rf"([aeiou])[mn](?![aeiouyhnm]|gn)(?={_LETTER}|\W|$)", shorten, text)


def _latin_signs(text: str, rng: Generator) -> str:
    """Put signs for some syllables: q̃ or qꝫ for que, ꝑ for per and par, ꝓ for pro, ꝯ for con."""

    def some(pattern: str, sign: str, text: str) -> str:
        return re.sub(pattern, lambda match: sign if rng.random() < 0.4 else match[0], text)

    text = some(r"que\b", "q\u0303" if rng.random() < 0.5 else "qꝫ", text)
    text = some(rf"p[ea]r(?={_LETTER})", "ꝑ", text)
    text = some(rf"\bpro(?={_LETTER})", "ꝓ", text)
    return some(rf"\bco[nm](?={_LETTER})", "ꝯ", text)


def _ampersand(text: str, rng: Generator) -> str:
    return re.sub(r"\bet\b", lambda match: "&" if rng.random() < 0.6 else match[0], text)


def _e_above(text: str, rng: Generator) -> str:
    """Put the small e above a, o, u instead of two dots."""
    return re.sub("[äöü]", lambda match: _bare(match[0]) + "\u0364", text)


def _double_hyphen(text: str, rng: Generator) -> str:
    return re.sub(rf"(?<={_LETTER})-", "⸗", text)


def _virgule(text: str, rng: Generator) -> str:
    return re.sub(r",(?= |$)", " /", text)


def _bare(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


#: Habits by name, in the order in which they are applied.
HABITS: dict[str, Callable[[str, Generator], str]] = {
    "latin_signs": _latin_signs,
    "ampersand": _ampersand,
    "tildes": _tildes,
    "u_for_v": _u_for_v,
    "i_for_j": _i_for_j,
    "long_s": _long_s,
    "round_r": _round_r,
    "e_above": _e_above,
    "double_hyphen": _double_hyphen,
    "virgule": _virgule,
}


def apply_habits(text: str, habits: dict[str, float], rng: Generator) -> str:
    """Print a text as printers did who had some of these habits.

    Parameters
    ----------
    text : str
    habits : dict of str to float
        Names of `HABITS`, with the share of lines that follow each.
    rng : numpy.random.Generator

    Returns
    -------
    str

    Examples
    --------
    >>> import numpy as np
    >>> apply_habits("les uns vivent", {"long_s": 1, "u_for_v": 1}, np.random.default_rng(0))
    'les vns viuent'
    """
    lots = rng.random(len(HABITS))
    for (name, change), lot in zip(HABITS.items(), lots, strict=True):
        if lot < habits.get(name, 0.0):
            text = change(text, rng)
    return text
