"""One normalised line with its text, as training takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["KeptPixels", "Pixels", "Sample"]

Pixels = npt.NDArray[np.uint8]


class KeptPixels(Protocol):
    """A line that lies somewhere else, such as in a file."""

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        ...

    def read(self) -> Pixels:
        """Return the line, uint8 of shape (H, W); may be called from any thread."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """A normalised line and its text.

    Attributes
    ----------
    name : str
        That of the pair, mostly the path of the image.
    kept : uint8 array of shape (H, W), or KeptPixels
        The normalised line, or where it is.
    text : str
        In logical order and normal form, never empty.
    """

    name: str
    kept: Pixels | KeptPixels
    text: str

    def __post_init__(self) -> None:
        """Check shape and type, since a float line would train on nearly nothing."""
        kept = self.kept
        if isinstance(kept, np.ndarray) and (kept.ndim != 2 or kept.dtype != np.uint8):
            raise ValueError(
                f"pixels must be uint8 of shape (H, W), not {kept.dtype} of shape {kept.shape}"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the line."""
        return (self.kept.shape[0], self.kept.shape[1])

    @property
    def pixels(self) -> Pixels:
        """The normalised line, uint8 of shape (H, W), ink 255: a quarter of float32's memory."""
        return self.kept if isinstance(self.kept, np.ndarray) else self.kept.read()
