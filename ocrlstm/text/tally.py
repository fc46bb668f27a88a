"""Count things in many texts, and remember where they stood first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

__all__ = ["Tally"]

# So many places of each thing are remembered.
_PLACES = 3

Key = TypeVar("Key", bound=Hashable)


class Tally(Generic[Key]):
    """Counts by key, with the texts they come from.

    Attributes
    ----------
    counts : Counter
        Occurrences.
    texts : Counter
        Texts that have the key.
    names : dict of key to list of str
        The first such texts.
    """

    def __init__(self) -> None:
        self.counts: Counter[Key] = Counter()
        self.texts: Counter[Key] = Counter()
        self.names: dict[Key, list[str]] = {}

    def add(self, name: str, keys: Iterable[Key]) -> None:
        """Count what one text has.

        Parameters
        ----------
        name : str
            What the text is called.
        keys : iterable
            Each as often as it occurs.
        """
        for key, count in Counter(keys).items():
            self.counts[key] += count
            self.texts[key] += 1
            names = self.names.setdefault(key, [])
            if len(names) < _PLACES:
                names.append(name)

    def of(self, *keys: Key) -> tuple[int, int, tuple[str, ...]]:
        """Return occurrences, texts (with some keys together, at most so many) and first names."""
        names = dict.fromkeys(name for key in keys for name in self.names.get(key, ()))
        return (
            sum(self.counts[key] for key in keys),
            sum(self.texts[key] for key in keys),
            tuple(names)[:_PLACES],
        )
