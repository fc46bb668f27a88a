"""Code points that a transcription is unlikely to mean."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ocrlstm.text.graphemes import graphemes
from ocrlstm.text.scripts import script_of

__all__ = ["find_slips"]

# What nearly all texts consist of: letters, digits, signs, and marks on them. DI is Unicode's
# property Default_Ignorable_Code_Point.
_PLAIN = regex.compile(
    r"(?: |[[\p{L}\p{N}\p{P}\p{S}]--[\ufffd\ufb50-\ufdfb\ufe70-\ufefc]--\p{DI}][\p{M}--\p{DI}]*)*",
    regex.V1,
)
# The first that fits a code point tells the kind.
_KINDS = tuple(
    (kind, regex.compile(pattern))
    for kind, pattern in (
        ("undecodable", "\ufffd"),
        ("unassigned", r"\p{Cn}"),
        ("private_use", r"\p{Co}"),
        ("white_space", r"[^\S ]|[\x1c-\x1f]"),
        ("control", r"\p{Cc}"),
        ("invisible", r"\p{Cf}|\p{DI}"),
        ("presentation_form", r"[\ufb50-\ufdfb\ufe70-\ufefc]"),
    )
)
_LONELY = regex.compile(r"\s?(\p{M})")
_JOINERS = "\u200c\u200d"
_SELECTORS = regex.compile(r"\p{Variation_Selector}|[\U000e0020-\U000e007f]")
# Scripts whose letters are never joined or kept apart by a joiner.
_NEVER_JOINED = ("Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Georgian", "Coptic")


def find_slips(text: str) -> Iterator[tuple[str, str]]:
    """Find code points that are not letters, digits, signs or marks on these.

    Parameters
    ----------
    text : str
        As it stands in the file.

    Yields
    ------
    (str, str)
        Kind, a key of `ocrlstm.text.survey.FINDINGS`, and code point.
    """
    if (text.isascii() and text.isprintable()) or _PLAIN.fullmatch(text):
        return
    for cluster in graphemes(text):
        if lonely := _LONELY.match(cluster):
            yield "lonely_mark", lonely[1]
        for code in cluster:
            kind = next((kind for kind, pattern in _KINDS if pattern.match(code)), None)
            if kind is not None and not (kind == "invisible" and _has_effect(code, cluster)):
                yield kind, code


def _has_effect(code: str, cluster: str) -> bool:
    """Tell whether a mark without ink changes how the rest of its cluster looks."""
    before = script_of(cluster)
    if code in _JOINERS:
        return cluster[0] != code and before not in _NEVER_JOINED
    return bool(_SELECTORS.match(code)) and cluster[0] != code and before not in _NEVER_JOINED
