"""Lost and invented spaces, which readers of a text mind more than a wrong letter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ocrlstm.evaluation.alignment import list_confusions

__all__ = ["SpaceErrors", "count_space_errors"]


@dataclass(frozen=True)
class SpaceErrors:
    """What became of the spaces, in one cheapest alignment of every line.

    Attributes
    ----------
    spaces : int
        Spaces of the ground truth.
    lost : int
        Spaces that were not read; two words became one.
    invented : int
        Spaces read where nothing stands; one word became two.
    as_other : int
        Spaces read as another character.
    for_other : int
        Other characters read as a space.
    """

    spaces: int
    lost: int
    invented: int
    as_other: int
    for_other: int


def count_space_errors(lines: Iterable[tuple[str, str]]) -> SpaceErrors:
    """Count the errors with spaces.

    Parameters
    ----------
    lines : iterable of (str, str)
        Ground truth and what was read, both normalised.

    Returns
    -------
    SpaceErrors

    Examples
    --------
    >>> count_space_errors([("to be or", "tobe o r")])
    SpaceErrors(spaces=2, lost=1, invented=1, as_other=0, for_other=0)
    """
    spaces = lost = invented = as_other = for_other = 0
    for truth, prediction in lines:
        spaces += truth.count(" ")
        for stands, read in list_confusions(truth, prediction):
            lost += (stands, read) == (" ", "")
            invented += (stands, read) == ("", " ")
            as_other += stands == " " and read != ""
            for_other += read == " " and stands != ""
    return SpaceErrors(spaces, lost, invented, as_other, for_other)
