"""What a transcription of a page says, whatever the format of its file."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Points", "TranscribedLine", "TranscribedPage", "parse_points", "read_number"]

Points = NDArray[np.float32]

_LONGEST = 2_000_000


@dataclass(frozen=True, eq=False, slots=True)
class TranscribedLine:
    """A line as it stands in the file.

    Attributes
    ----------
    id : str
        Empty where the file gives none.
    text : str
        Empty where the line is not transcribed.
    polygon : float32 array of shape (N, 2) or str
        Corners x, y in pixels of the page; a str tells why there is none.
    baseline : float32 array of shape (M, 2) or None
        None where there is none, or none that makes sense.
    """

    id: str
    text: str
    polygon: Points | str
    baseline: Points | None


@dataclass(frozen=True, eq=False)
class TranscribedPage:
    """A page as it stands in the file.

    Attributes
    ----------
    image : str
        What the file calls the image: a name, a path or an URL; may be empty.
    width, height : float
        Of the page in the units of the coordinates; 0 where the file does not tell.
    lines : list of TranscribedLine
    """

    image: str
    width: float
    height: float
    lines: list[TranscribedLine]


def parse_points(text: str) -> Points | str:
    """Read the points of a polygon or a baseline in any usual spelling.

    Parameters
    ----------
    text : str
        ``x,y x,y`` or ``x y x y``.

    Returns
    -------
    float32 array of shape (N, 2), or str
        A str tells what is wrong, without the name of the line.

    Examples
    --------
    >>> parse_points("1,2 3.5,4").tolist(), parse_points("1 2 3.5 4").tolist()
    ([[1.0, 2.0], [3.5, 4.0]], [[1.0, 2.0], [3.5, 4.0]])
    >>> parse_points("1,2 3")
    'has 3 coordinates, expected pairs x,y'
    """
    if len(text) > _LONGEST:
        return f"has {len(text)} characters, expected {_LONGEST} at most"
    numbers = re.split(r"[\s,;]+", text.strip(" \t\r\n,;"))
    if numbers == [""]:
        return "has no points"
    try:
        exact = [float(number) for number in numbers]
    except ValueError as error:
        return f"has a coordinate that is no number ({error})"
    if len(exact) % 2:
        return f"has {len(exact)} coordinates, expected pairs x,y"
    with np.errstate(over="ignore"):  # what becomes infinite is refused when the line is cut
        return np.array(exact, np.float32).reshape(-1, 2)


def read_number(text: str | None, default: float) -> float:
    """Read an attribute; one that is missing or no finite number counts as `default`.

    Examples
    --------
    >>> read_number("12.5", 0.0), read_number("nan", 0.0), read_number(None, 0.0)
    (12.5, 0.0, 0.0)
    """
    try:
        number = float(text or "")
    except ValueError:
        return default
    return number if math.isfinite(number) else default
