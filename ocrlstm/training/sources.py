"""Where the pairs of a run come from: paths, or images and texts that a script holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.datasets import LinePair, MemoryPair, Problem, find_pairs
from ocrlstm.image import ImageSource

__all__ = ["PairSource", "Source", "StrPath", "find_source"]

StrPath = str | os.PathLike[str]
PairSource = StrPath | Iterable[StrPath] | Iterable[tuple[ImageSource, str]]


@dataclass(frozen=True)
class Source:
    """Pairs, and how to find them again.

    Attributes
    ----------
    pairs : list of LinePair
    paths : list of str or None
        Absolute, for the checkpoint; None where the pairs are held in memory.
    without_text : list of Path
        Images without a text beside them.
    problems : list of Problem
        Files and lines of files that hold no pair, though they should.
    """

    pairs: list[LinePair]
    paths: list[str] | None
    without_text: list[Path]
    problems: list[Problem]


def find_source(
    source: PairSource,
    title: str = "pair",
    progress: Callable[[int, int], None] | None = None,
) -> Source:
    """Find the pairs that a path, paths, or (image, text) tuples stand for.

    Parameters
    ----------
    source : path, iterable of paths, or iterable of (image, text)
    title : str
        Begins the names of pairs held in memory.
    progress : callable, optional
        Called with the numbers of XML files and tables read and of all.

    Raises
    ------
    DatasetError
        If a path does not exist, or there is no pair.
    TypeError
        If paths and tuples are mixed, or a tuple is no image and text.
    """
    entries = [source] if isinstance(source, str | os.PathLike) else list(source)
    if not entries:
        return Source([], [], [], [])
    if any(isinstance(entry, tuple) for entry in entries):
        pairs: list[LinePair] = []
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, tuple) or len(entry) != 2:
                raise TypeError(f"{title} {number}: expected a tuple of an image and its text")
            pairs.append(MemoryPair(entry[0], entry[1], f"{title} {number}"))
        return Source(pairs, None, [], [])
    paths = [_absolute(os.fspath(entry)) for entry in entries]  # type: ignore[arg-type]
    found = find_pairs(paths, progress)
    return Source(found.pairs, paths, found.without_text, found.problems)


def _absolute(path: str) -> str:
    """Make a path independent of the working folder: a later resume may start in another."""
    listed = path.startswith("@")
    absolute = os.path.abspath(path[1:] if listed else path)
    return f"@{absolute}" if listed else absolute
