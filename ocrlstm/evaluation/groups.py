"""Scores by book, folder, or whatever the names of the lines tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from ocrlstm.evaluation.rate import bootstrap_interval, error_rate

__all__ = ["Group", "group_names", "score_groups"]

_NO_MATCH = "(other names)"


@dataclass(frozen=True)
class Group:
    """How well the lines of one group were read.

    Attributes
    ----------
    name : str
        What the lines have in common.
    lines, exact_lines : int
        All lines, and those without any edit.
    cer : float
        ``edits / characters``.
    edits, characters : int
        Code point edits, and code points of the ground truth.
    cer_interval : tuple of (float, float)
        95 % bootstrap interval of `cer`, drawn over the lines of the group.
    """

    name: str
    lines: int
    exact_lines: int
    cer: float
    edits: int
    characters: int
    cer_interval: tuple[float, float]


def group_names(names: Iterable[str], by: str) -> list[str]:
    """Tell the group of every line.

    Parameters
    ----------
    names : iterable of str
        Names of the lines, most often paths of images or ``page.xml#line``.
    by : str
        "folder", or a regular expression that is looked for in each name: its first group, or the
        whole match where it has none, is the name of the group.

    Returns
    -------
    list of str
        The names that do not match are a group "(other names)".

    Raises
    ------
    ValueError
        If `by` is not a regular expression.

    Examples
    --------
    >>> group_names(["b/1890-x/1.png", "b/1891-y/1.png"], "folder")
    ['b/1890-x', 'b/1891-y']
    >>> group_names(["b/1890-x/1.png", "b/z.png"], "([0-9]{3})[0-9]-")
    ['189', '(other names)']
    """
    if by == "folder":
        return [str(PurePath(name).parent) for name in names]
    try:
        pattern = re.compile(by)
    except (re.error, OverflowError) as error:
        raise ValueError(f"{by!r} is not a regular expression: {error}") from error
    found = map(pattern.search, names)
    return [
        _NO_MATCH if match is None else match[1 if pattern.groups else 0] or "" for match in found
    ]


def score_groups(
    groups: Sequence[str],
    edits: Sequence[int],
    characters: Sequence[int],
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[Group, ...]:
    """Score the lines of each group by themselves.

    Parameters
    ----------
    groups : sequence of str, length N
        The group of each line.
    edits, characters : sequence of int, length N
        Edits and ground truth length of each line.
    seed, resamples : int
        Of the bootstrap; a group's interval does not depend on the other groups.

    Returns
    -------
    tuple of Group
        In the order of their names.
    """
    members: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    found = []
    for group, places in sorted(members.items()):
        wrong = [edits[place] for place in places]
        lengths = [characters[place] for place in places]
        rng = np.random.default_rng(seed)
        found.append(
            Group(
                group,
                len(places),
                wrong.count(0),
                error_rate(sum(wrong), sum(lengths)),
                sum(wrong),
                sum(lengths),
                bootstrap_interval(wrong, lengths, rng, resamples),
            )
        )
    return tuple(found)
