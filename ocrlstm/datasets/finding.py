"""From the paths that a user gives to pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.datasets.pairs import LinePair, pair_images
from ocrlstm.datasets.paths import StrPath, find_images
from ocrlstm.datasets.problems import Problem

__all__ = ["FoundPairs", "find_pairs"]


@dataclass(frozen=True)
class FoundPairs:
    """The pairs that paths stand for, and what could not be one.

    Attributes
    ----------
    pairs : list of LinePair
        Nothing but their names is read yet, except of pages the XML.
    problems : list of Problem
        Files and lines of files that are at fault; the others are among `pairs`.
    without_text : list of Path
        Images without a text beside them.
    """

    pairs: list[LinePair]
    problems: list[Problem]
    without_text: list[Path]


def find_pairs(paths: Iterable[StrPath]) -> FoundPairs:
    """List the pairs that paths stand for; see `find_images` and `pair_images`.

    Raises
    ------
    DatasetError
        A path does not exist, or there is no pair.
    """
    pairs, without_text = pair_images(find_images(paths))
    return FoundPairs([*pairs], [], without_text)
