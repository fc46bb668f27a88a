"""In which form lines and texts are made of pairs: what all lines of a run or a pack share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ocrlstm.lines import LineNormalizer
from ocrlstm.text import NORMAL_FORMS, TextRules, normalize_text

__all__ = ["LineForm"]

_FIELDS = ("normalizer", "normal_form", "text_rules")


@dataclass(frozen=True)
class LineForm:
    """How an image becomes a line, and how its text is spelt.

    Attributes
    ----------
    normalizer : LineNormalizer
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}
    rules : TextRules
    """

    normalizer: LineNormalizer
    normal_form: str = "NFC"
    rules: TextRules = TextRules()

    def __post_init__(self) -> None:
        """Check the normal form, since it may come from a stranger's file."""
        if self.normal_form not in NORMAL_FORMS:
            raise ValueError(
                f"normal form {self.normal_form!r} is not one of {', '.join(NORMAL_FORMS)}"
            )

    def spell(self, text: str) -> str:
        """Return the text of a line as labels are made of it; may be empty."""
        return normalize_text(self.rules.apply(text), self.normal_form)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, for JSON."""
        return {
            "normalizer": self.normalizer.to_dict(),
            "normal_form": self.normal_form,
            "text_rules": self.rules.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LineForm:
        """Read it back, checking every field.

        Raises
        ------
        ValueError
            With one sentence on what is wrong, for any value a stranger's file may hold.
        """
        if missing := [name for name in _FIELDS if name not in values]:
            raise ValueError(f"the form of the lines lacks {', '.join(missing)}")
        if not isinstance(values["normalizer"], Mapping):
            raise ValueError("the settings of the line normaliser are no object")
        return cls(
            LineNormalizer.from_dict(values["normalizer"]),
            values["normal_form"],
            TextRules.from_dict(values["text_rules"]),
        )

    def differences(self, wanted: LineForm) -> list[str]:
        """Tell in which settings this form is not the one wanted.

        Returns
        -------
        list of str
            "height 48 instead of 40" and the like; empty if both are the same.
        """
        return [
            f"{name} {_tell(found)} instead of {_tell(expected)}"
            for (name, found), (_, expected) in zip(
                self._settings(), wanted._settings(), strict=True
            )
            if found != expected
        ]

    def _settings(self) -> Iterator[tuple[str, Any]]:
        for name, value in self.normalizer.to_dict().items():
            yield "normaliser" if name == "kind" else name, value
        yield "normal form", self.normal_form
        yield "text rules", self.rules


def _tell(value: Any) -> str:
    if not isinstance(value, TextRules):
        return str(value)
    table = [f"a table of {len(value.table)} entries"] if value.table else []
    return " and ".join([*value.names, *table]) or "none"
