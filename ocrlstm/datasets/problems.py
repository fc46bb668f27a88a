"""What is wrong with a pair or a file of pairs, told and not raised: the rest goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """Why a pair was left out.

    Attributes
    ----------
    path : Path
        The file at fault; of a page, with the line: ``page.xml#line1``.
    reason : str
        What was found and what was expected, without the path.
    """

    path: Path
    reason: str

    def __str__(self) -> str:
        """Return path and reason as one line."""
        return f"{self.path}: {self.reason}"
