"""The option ``--distort NAME=STRENGTH``."""

from __future__ import annotations

from typing import Any

import click

from ocrlstm.errors import TrainingError
from ocrlstm.lines import DISTORTIONS, check_factors

__all__ = ["distort_option"]


def _read_factors(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, float] | None:
    """Return what was given, the last of a name; None if nothing was."""
    factors = {}
    for value in values:
        name, equals, number = value.partition("=")
        try:
            factors[name.strip()] = float(number)
        except ValueError:
            # Of a name that is wrong, too, that is told first.
            factors[name.strip()] = 1.0
            _check(factors)
            what = f"{number!r} is no number" if equals else "the strength is missing"
            raise TrainingError(
                f"--distort {value}: {what}; write NAME=STRENGTH, as in {name.strip()}=0.5"
            ) from None
    return _check(factors) or None


def _check(factors: dict[str, float]) -> dict[str, float]:
    try:
        return check_factors(factors)
    except ValueError as error:
        raise TrainingError(f"--distort: {error}") from error


def distort_option(command: Any) -> Any:
    """Add the option; it gives a dict, or None if it is not given."""
    return click.option(
        "--distort",
        "distortions",
        metavar="NAME=STRENGTH",
        multiple=True,
        callback=_read_factors,
        help="Multiply the strength of one distortion; 0 leaves it out. May be given several "
        f"times. The names: {', '.join(DISTORTIONS)}.",
    )(command)
