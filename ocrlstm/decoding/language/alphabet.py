"""The symbols of a language model: the characters of its texts, in the order of the image."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocrlstm.text import Codec, TextRules

__all__ = ["UNKNOWN", "Alphabet"]

#: Symbol of all characters that are not in the alphabet.
UNKNOWN = 0


@dataclass(frozen=True)
class Alphabet:
    """Characters and their symbols; symbol 0 is whatever is not among them.

    Attributes
    ----------
    codec : Codec
        Its labels are the characters; label 0 is free there, since a text has no blanks. It also
        tells unit, normal form and direction: in right-to-left lines symbols follow the image, as
        the labels of the network do.
    rules : TextRules
        Applied to a text first.
    """

    codec: Codec
    rules: TextRules = TextRules()
    _symbols: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the table of symbols."""
        symbols = {label: number for number, label in enumerate(self.codec.labels) if label}
        object.__setattr__(self, "_symbols", symbols)

    def __len__(self) -> int:
        """Return the number of symbols, the unknown among them."""
        return len(self.codec)

    def split(self, text: str) -> list[str]:
        """Return the characters of a line, by the text rules and normalised, as the image has them.

        Parameters
        ----------
        text : str
            In logical order.
        """
        return self.codec.split(self.rules.apply(text))

    def symbol(self, character: str) -> int:
        """Return the symbol of a character; `UNKNOWN` if it is not in the alphabet."""
        return self._symbols.get(character, UNKNOWN)

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return the symbols of a line, shape (L,)."""
        return np.array([self.symbol(c) for c in self.split(text)], np.int64)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-able values."""
        return {"codec": self.codec.to_dict(), "text_rules": self.rules.to_dict()}

    @classmethod
    def from_dict(cls, values: Any) -> Alphabet:
        """Make an alphabet from what `to_dict` gave.

        Raises
        ------
        ValueError
            If the values are not those of an alphabet.
        """
        if not isinstance(values, dict) or set(values) != {"codec", "text_rules"}:
            raise ValueError("the alphabet is not an object with codec and text_rules")
        return cls(Codec.from_dict(values["codec"]), TextRules.from_dict(values["text_rules"]))
