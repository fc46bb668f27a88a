"""Rules that bring texts of different habits into one spelling, kept in the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ocrlstm.text.normalize import normalize_text
from ocrlstm.text.rule_entries import BASE, TableError, check_table, shorten, tell
from ocrlstm.text.rule_tables import PRESETS, RULES

__all__ = ["TextRules", "describe_rules"]

_FIELDS = ("names", "table")
# So many entries of a table are told; beyond that a count is more use.
_SHOWN = 10


@dataclass(frozen=True)
class TextRules:
    """What is done to ground truth before it becomes labels, and before it is compared.

    Without any rule a text stays as it is. With one it is brought to NFC and single spaces
    (`normalize_text`), then the named rules change it in the order of `RULES`, then the table
    does, and last it is normalised again.

    `apply` is a fixed point of the named rules: a second time changes nothing. So it is with a
    table, unless what it wrote in two places comes together to something that stands in it.

    Attributes
    ----------
    names : tuple of str
        Names of `RULES` or `PRESETS`; kept as names of rules, each once, in the order of `RULES`.
    table : tuple of (str, str)
        A user's own entries, from and to, in NFC. At each place the longest entry counts; what
        was written is not looked at again.

    Examples
    --------
    >>> TextRules(("long_s", "quotes")).apply("„Waſſer“")
    '"Wasser"'
    >>> TextRules(table=(("uo", "ů"),)).apply("guot")
    'gůt'
    """

    names: tuple[str, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    _targets: dict[str, str] = field(init=False, repr=False, compare=False)
    _pattern: re.Pattern[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check both fields, since they may come from a stranger's file.

        Raises
        ------
        ValueError
            If a name is not known; a TableError if an entry can never match, stands twice, or
            becomes what rules and table would change again, so that the result would depend on
            how often they are applied.
        """
        object.__setattr__(self, "names", _expand(self.names))
        object.__setattr__(self, "table", check_table(self.table))
        targets = dict(self.table)
        # The longest first: a regular expression takes the first alternative that fits.
        sources = sorted(targets, key=lambda source: (-len(source), source))
        pattern = re.compile("|".join(map(re.escape, sources))) if sources else None
        object.__setattr__(self, "_targets", targets)
        object.__setattr__(self, "_pattern", pattern)
        _check_settled(self)

    def apply(self, text: str) -> str:
        """Return a text with all rules applied.

        Parameters
        ----------
        text : str
            A line in logical order, in any normal form.

        Returns
        -------
        str
            `text` itself if there is no rule; else in NFC, with single spaces.
        """
        if not (self.names or self.table):
            return text
        text = normalize_text(text)
        for name in self.names:
            text = RULES[name].apply(text)
        if self._pattern is not None:
            # A named rule may have brought letters and accents together.
            text = normalize_text(text)
            text = self._pattern.sub(lambda match: self._targets[match.group()], text)
        return normalize_text(text)

    def __bool__(self) -> bool:
        """Tell whether there is any rule."""
        return bool(self.names or self.table)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-able values."""
        return {"names": list(self.names), "table": [list(entry) for entry in self.table]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TextRules:
        """Make rules from what `to_dict` gave, checking every field.

        Parameters
        ----------
        values : mapping
            With the keys "names" and "table" and no others.

        Returns
        -------
        TextRules

        Raises
        ------
        ValueError
            With one sentence on what is wrong, for any value a stranger's file may hold.
        """
        if not isinstance(values, Mapping):
            raise ValueError(f"text rules are a {type(values).__name__}, not an object")
        if set(values) != set(_FIELDS):
            found = shorten(", ".join(map(str, values)) or "none")
            raise ValueError(f"text rules have the fields {found}; expected {', '.join(_FIELDS)}")
        return cls(values["names"], values["table"])


def describe_rules(rules: TextRules) -> str:
    """Tell on one line what rules there are.

    Examples
    --------
    >>> describe_rules(TextRules(("quotes", "long_s"), (("q̃", "que"),)))
    "long_s, quotes; 'q̃' to 'que'"
    """
    shown = [f"{source!r} to {target!r}" for source, target in rules.table[:_SHOWN]]
    more = f" and {len(rules.table) - _SHOWN} more" if len(rules.table) > _SHOWN else ""
    return "; ".join(part for part in (", ".join(rules.names), ", ".join(shown) + more) if part)


def _expand(names: Any) -> tuple[str, ...]:
    """Return the names of rules that some names of rules and presets stand for."""
    if not isinstance(names, (list, tuple)):
        found = type(names).__name__
        raise ValueError(f"names of text rules are a {found}, not a list of strings")
    chosen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or (name not in RULES and name not in PRESETS):
            known = ", ".join((*PRESETS, *RULES))
            raise ValueError(f"text rule {shorten(repr(name))} is not one of {known}")
        chosen.update(PRESETS.get(name, (name,)))
    return tuple(name for name in RULES if name in chosen)


def _check_settled(rules: TextRules) -> None:
    """Raise TableError if an entry is forestalled, or its outcome changed when applied again."""
    for number, (source, _) in enumerate(rules.table):
        for name in rules.names:
            if RULES[name].apply(source) != source:
                raise TableError(
                    number,
                    f"{tell(source)} is never found, since the rule {name} has changed it before",
                )
        once = rules.apply(BASE + source + BASE)
        twice = rules.apply(once)
        if once != twice:
            first, second = (text.replace(BASE, "") for text in (once, twice))
            raise TableError(
                number,
                f"{tell(source)} becomes {tell(first)}, which would be changed again into "
                f"{tell(second)}; let it become what it shall be in the end",
            )
