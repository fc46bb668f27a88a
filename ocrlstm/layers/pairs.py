"""Sizes of image layers: one number for both directions, or one for each."""

from __future__ import annotations

import operator

__all__ = ["pair"]


def pair(value: int | tuple[int, int], name: str, least: int = 1) -> tuple[int, int]:
    """Return the (vertical, horizontal) numbers that an argument stands for.

    Parameters
    ----------
    value : int or (int, int)
        One number holds for both directions.
    name : str
        What the argument is called, for the error.
    least : int, default=1

    Raises
    ------
    ValueError
        If the value is neither, or a number is below `least`.

    Examples
    --------
    >>> pair(2, "stride")
    (2, 2)
    >>> pair((0, 3), "padding", least=0)
    (0, 3)
    """
    both = tuple(value) if isinstance(value, tuple | list) else (value, value)
    try:
        vertical, horizontal = map(operator.index, both)
    except (TypeError, ValueError):
        vertical = horizontal = least - 1
    if min(vertical, horizontal) < least:
        raise ValueError(
            f"{name} must be a whole number, {least} or more, or a pair of them, not {value!r}"
        )
    return vertical, horizontal
