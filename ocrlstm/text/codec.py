"""The table between the characters of a text and the labels that the network puts out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocrlstm.errors import CodecError
from ocrlstm.text.direction import DIRECTIONS, has_right_to_left, to_logical, to_visual
from ocrlstm.text.graphemes import graphemes
from ocrlstm.text.normalize import NORMAL_FORMS, normalize_text
from ocrlstm.text.spelling import spell

__all__ = ["UNITS", "Codec", "MissingCharactersError"]

UNITS = ("grapheme", "codepoint")

_FIELDS = ("labels", "unit", "normal_form", "direction")

# So many missing characters are spelled out in a message; beyond that a count is more use.
_SHOWN = 20


class MissingCharactersError(CodecError):
    """A text cannot be encoded.

    Attributes
    ----------
    missing : tuple of str
        The characters that the codec lacks, each once, in the order of the image.
    """

    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Codec:
    """Characters and their labels; label 0 is the CTC blank.

    Texts go in and come out in logical order. Labels follow the image from left to right, so they
    are in visual order, which differs where anything runs from right to left (see
    `ocrlstm.text.direction`, also for what cannot be undone).

    Attributes
    ----------
    labels : tuple of str
        ``labels[k]`` is the character of label k; ``labels[0]`` is "", the blank.
    unit : {"grapheme", "codepoint"}
        What one label stands for.
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}
        Unicode normal form of all texts of the model.
    direction : {"ltr", "rtl"}
        Base direction of the lines.

    Examples
    --------
    >>> codec = Codec.from_texts(["abba", "ab c"])
    >>> codec.labels
    ('', ' ', 'a', 'b', 'c')
    >>> codec.encode("cab").tolist()
    [4, 2, 3]
    >>> codec.decode([4, 2, 3])
    'cab'
    """

    labels: tuple[str, ...]
    unit: str = "grapheme"
    normal_form: str = "NFC"
    direction: str = "ltr"
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check every field, since the values may come from a stranger's file.

        Raises
        ------
        ValueError
            If a field does not hold what a codec needs.
        """
        _check_choice("unit", self.unit, UNITS)
        _check_choice("normal form", self.normal_form, NORMAL_FORMS)
        _check_choice("direction", self.direction, DIRECTIONS)
        if not isinstance(self.labels, tuple):
            found = type(self.labels).__name__
            raise ValueError(f"codec labels are a {found}, not a tuple of strings")
        index: dict[str, int] = {}
        for position, label in enumerate(self.labels):
            _check_label(position, label, self.unit)
            if label in index:
                raise ValueError(
                    f"codec labels {index[label]} and {position} are both {spell(label)}"
                )
            index[label] = position
        if not index:
            raise ValueError("codec has no labels; the first must be '', the blank")
        object.__setattr__(self, "_index", index)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        unit: str = "grapheme",
        normal_form: str = "NFC",
        direction: str = "ltr",
    ) -> Codec:
        """Make the codec of the characters that occur in some texts.

        Parameters
        ----------
        texts : iterable of str
            Ground truth lines in logical order; they need not be normalised.
        unit, normal_form, direction : str
            As the attributes.

        Returns
        -------
        Codec
            Labels sorted by code points, so the order of `texts` does not matter.
        """
        empty = cls(("",), unit, normal_form, direction)
        found = {character for text in texts for character in empty.split(text)}
        return cls(("", *sorted(found)), unit, normal_form, direction)

    def __len__(self) -> int:
        """Return the number of classes, the blank among them."""
        return len(self.labels)

    def encode(self, text: str) -> NDArray[np.int32]:
        """Return the labels of a text.

        Parameters
        ----------
        text : str
            A line in logical order; it is normalised first.

        Returns
        -------
        ndarray of shape (L,), int32
            Labels in the order of the image, none of them 0.

        Raises
        ------
        MissingCharactersError
            A CodecError with the characters that the codec lacks in ``missing``.
        """
        characters = self.split(text)
        index = self._index
        try:
            return np.array([index[character] for character in characters], dtype=np.int32)
        except KeyError:
            pass
        missing = tuple(dict.fromkeys(c for c in characters if c not in index))
        names = ", ".join(spell(character) for character in missing[:_SHOWN])
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        noun = "character" if len(missing) == 1 else "characters"
        error = MissingCharactersError(f"the codec lacks {len(missing)} {noun}: {names}{more}")
        error.missing = missing
        raise error

    def decode(self, labels: ArrayLike) -> str:
        """Return the text of some labels.

        Parameters
        ----------
        labels : array_like of int, shape (L,)
            Labels in the order of the image; blanks give nothing.

        Returns
        -------
        str
            The text in logical order.

        Raises
        ------
        ValueError
            If a label lies outside ``0 .. len(self) - 1``.
        """
        numbers = np.asarray(labels).astype(np.int64).ravel()
        # Without this check a negative label would quietly count from the end.
        if numbers.size and not (0 <= numbers.min() and numbers.max() < len(self)):
            raise ValueError(
                f"labels {numbers.min()} to {numbers.max()} do not lie in 0 to {len(self) - 1}"
            )
        characters = [self.labels[number] for number in numbers.tolist()]
        text = "".join(characters)
        if self.direction == "ltr" and not has_right_to_left(text):
            return text
        if self.unit == "codepoint":
            characters = graphemes(text)
        return "".join(to_logical([c for c in characters if c], self.direction))

    def missing(self, text: str) -> tuple[str, ...]:
        """Return the characters of a text that the codec lacks.

        Parameters
        ----------
        text : str
            A line in logical order.

        Returns
        -------
        tuple of str
            Each such character once, in the order of the image.
        """
        return tuple(dict.fromkeys(c for c in self.split(text) if c not in self._index))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-able values."""
        return {
            "labels": list(self.labels),
            "unit": self.unit,
            "normal_form": self.normal_form,
            "direction": self.direction,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Codec:
        """Make a codec from what `to_dict` gave, checking every field.

        Parameters
        ----------
        values : mapping
            With the keys "labels", "unit", "normal_form", "direction" and no others.

        Returns
        -------
        Codec
            Equal to the one that was written.

        Raises
        ------
        ValueError
            With one sentence on what is wrong, for any value a stranger's file may hold.
        """
        if not isinstance(values, Mapping):
            raise ValueError(f"codec is a {type(values).__name__}, not an object with {_FIELDS}")
        for name in _FIELDS:
            if name not in values:
                raise ValueError(f"codec has no field {name!r}")
        if unknown := [str(name) for name in values if name not in _FIELDS]:
            raise ValueError(f"codec has unknown fields: {', '.join(unknown)}")
        labels = values["labels"]
        if not isinstance(labels, (list, tuple)):
            raise ValueError(f"codec labels are a {type(labels).__name__}, not a list of strings")
        return cls(tuple(labels), values["unit"], values["normal_form"], values["direction"])

    def split(self, text: str) -> list[str]:
        """Return the characters of a text, whether the codec knows them or not.

        Parameters
        ----------
        text : str
            A line in logical order; it is normalised first.

        Returns
        -------
        list of str
            Graphemes or code points, as `unit` says, in the order of the image.
        """
        text = normalize_text(text, self.normal_form)
        if self.direction == "ltr" and not has_right_to_left(text):
            return list(text) if self.unit == "codepoint" else graphemes(text)
        characters = to_visual(graphemes(text), self.direction)
        return list("".join(characters)) if self.unit == "codepoint" else characters


def _check_choice(field_name: str, value: object, known: tuple[str, ...]) -> None:
    """Raise ValueError if a value is not one of the known words."""
    if value not in known:
        raise ValueError(f"codec {field_name} {value!r} is not one of {', '.join(known)}")


def _check_label(position: int, label: object, unit: str) -> None:
    """Raise ValueError if a label is not a usable string, or not the blank where that belongs."""
    if not isinstance(label, str):
        raise ValueError(f"codec label {position} is {label!r}, not a string")
    if (position == 0) != (label == ""):
        wanted = "'', the blank" if position == 0 else "a character, only label 0 is empty"
        raise ValueError(f"codec label {position} is {label!r}, expected {wanted}")
    if any(0xD800 <= ord(code) <= 0xDFFF for code in label):
        raise ValueError(f"codec label {position} holds a lone surrogate, {spell(label)}")
    if unit == "codepoint" and len(label) > 1:
        raise ValueError(f"codec label {position} is {spell(label)}, more than one code point")
