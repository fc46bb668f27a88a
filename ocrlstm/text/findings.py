"""What a survey of texts tells: how often each character occurs, and what may be a slip."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["FINDINGS", "CharacterUse", "Finding", "TextSurvey"]

#: Kinds of findings and what each means.
FINDINGS = {
    "undecodable": "a sign that stands for bytes that could not be read as text",
    "unassigned": "a code point that means nothing",
    "private_use": "a code point that means something only to some fonts",
    "control": "a control character",
    "invisible": "a character without ink",
    "white_space": "white space other than the space",
    "presentation_form": "the shape of an Arabic letter at one place in a word, not the letter",
    "lonely_mark": "a combining mark without a letter",
    "normal_form": "one character in several spellings",
    "mixed_script": "a letter of one script in a word of another",
    "look_alike": "a word of look-alikes from another script",
    "mixture": "several characters for one sign",
}


@dataclass(frozen=True)
class CharacterUse:
    """How often a character occurs.

    Attributes
    ----------
    character : str
        A grapheme.
    name : str
        Its Unicode names.
    count : int
        Occurrences.
    texts : int
        Texts that have it.
    names : tuple of str
        The first of them.
    """

    character: str
    name: str
    count: int
    texts: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """Something that is likely to be a slip.

    Attributes
    ----------
    kind : str
        A key of `FINDINGS`.
    what : str
        What was found, on one line.
    count : int
        Occurrences.
    texts : int
        Texts that have it.
    names : tuple of str
        The first of them.
    remains : bool
        Whether it is still there after normal form and rules, so that a model would learn it.
    rule : str
        A text rule that would mend it, or "".
    """

    kind: str
    what: str
    count: int
    texts: int
    names: tuple[str, ...]
    remains: bool = True
    rule: str = ""


@dataclass(frozen=True)
class TextSurvey:
    """What `survey_texts` found.

    Attributes
    ----------
    texts : int
    characters : tuple of CharacterUse
        Sorted by code points.
    findings : tuple of Finding
        In the order of `FINDINGS`, the most frequent first.
    """

    texts: int
    characters: tuple[CharacterUse, ...]
    findings: tuple[Finding, ...]

    def rare(self, most: int = 2) -> tuple[CharacterUse, ...]:
        """Return the characters that occur at most so often, the rarest first."""
        found = [use for use in self.characters if use.count <= most]
        return tuple(sorted(found, key=lambda use: use.count))

    def to_dict(self) -> dict[str, Any]:
        """Return all as JSON-able values."""
        return asdict(self)
