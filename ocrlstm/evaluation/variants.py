"""The character error rate when some differences are not held against a reader."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ocrlstm.evaluation.alignment import count_edits
from ocrlstm.evaluation.rate import error_rate

__all__ = ["VARIANTS", "Variant", "score_variants"]


@dataclass(frozen=True)
class Variant:
    """A character error rate of texts from which something was taken.

    Attributes
    ----------
    name : str
        What is not regarded: a name of `VARIANTS`.
    cer : float
        ``edits / characters``.
    edits, characters : int
        Code point edits, and code points of the ground truth, in what is left of the texts.
    """

    name: str
    cer: float
    edits: int
    characters: int


def _without_case(text: str) -> str:
    # Character by character, so that no neighbour has a say (a Greek sigma at a word's end has);
    # lower and not casefold, which would also make a long s a round one.
    return "".join(character.lower() for character in text)


def _without_punctuation(text: str) -> str:
    # A dash between two blanks leaves one blank.
    return " ".join("".join(c for c in text if unicodedata.category(c)[0] != "P").split())


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _without_diacritics(text: str) -> str:
    # Marks with a combining class: vowel signs that are letters of their own, as in Devanagari,
    # have none and stay.
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


def _without_any(text: str) -> str:
    return _without_spaces(_without_punctuation(_without_case(_without_diacritics(text))))


#: Name -> what it makes of a text.
VARIANTS: dict[str, Callable[[str], str]] = {
    "case": _without_case,
    "punctuation": _without_punctuation,
    "spaces": _without_spaces,
    "diacritics": _without_diacritics,
    "all": _without_any,
}


def score_variants(truths: Sequence[str], predictions: Sequence[str]) -> tuple[Variant, ...]:
    """Score lines without regard to case, punctuation, spaces, diacritics, and all of them.

    Parameters
    ----------
    truths, predictions : sequence of str, length N
        Ground truth and what was read, both normalised.

    Returns
    -------
    tuple of Variant
        One for each of `VARIANTS`, in their order.

    Examples
    --------
    >>> [(v.name, v.edits) for v in score_variants(["Été, soir"], ["ete soi r"])]
    [('case', 4), ('punctuation', 3), ('spaces', 3), ('diacritics', 3), ('all', 0)]
    """
    found = []
    for name, simplify in VARIANTS.items():
        left = [simplify(truth) for truth in truths]
        right = map(simplify, predictions)
        edits = sum(count_edits(*pair) for pair in zip(left, right, strict=True))
        characters = sum(map(len, left))
        found.append(Variant(name, error_rate(edits, characters), edits, characters))
    return tuple(found)
