"""Which distortions are wanted how strong: a factor for some names, 1 for all others."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from ocrlstm.lines.distortions import DISTORTIONS

__all__ = ["MOST_STRENGTH", "check_factors"]

MOST_STRENGTH = 5.0
"""The greatest strength and the greatest factor of a distortion."""


def check_factors(factors: Mapping[str, float]) -> dict[str, float]:
    """Return the factors in the order of the table.

    Parameters
    ----------
    factors : mapping of str to float
        Name of a distortion -> its own factor, from 0 to `MOST_STRENGTH`.

    Raises
    ------
    ValueError
        For an unknown name, with the nearest known one, and for a factor that is no such number.
    """
    for name, factor in factors.items():
        if name not in DISTORTIONS:
            near = get_close_matches(str(name), DISTORTIONS, 1, 0.5)
            guess = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(
                f"there is no distortion {name!r}; {guess}All are: {', '.join(DISTORTIONS)}"
            )
        if isinstance(factor, bool) or not isinstance(factor, int | float):
            raise ValueError(f"the factor of {name} is {factor!r}; it must be a number")
        if not 0 <= factor <= MOST_STRENGTH:
            raise ValueError(
                f"the factor of {name} is {factor:g}; it must lie in 0 to {MOST_STRENGTH:g}"
            )
    return {name: float(factors[name]) for name in DISTORTIONS if name in factors}
