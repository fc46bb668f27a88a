"""The settings of line normalisation, which a model carries with it."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

__all__ = ["LineNormalizer"]


@dataclass(frozen=True)
class LineNormalizer:
    """How a line image becomes what the network reads.

    Attributes
    ----------
    kind : {"center", "scale"}
        "center" straightens the line along its centre and fits the size of its letters; "scale"
        only brings the image to the height.
    height : int
        Rows of the result.
    range : float
        Of "center": half the height that is kept, in mean distances of the ink from the centre.
    smoothness : float
        Of "center": how far the ink is smoothed along the line, in heights of the image.
    extra : float
        Of "center": how far the centre line itself is smoothed, in heights of the image.
    padding : int
        Columns of paper at either end.
    """

    kind: str = "center"
    height: int = 48
    range: float = 4.0
    smoothness: float = 1.0
    extra: float = 0.3
    padding: int = 16

    def __post_init__(self) -> None:
        """Refuse settings that make no line."""
        if self.kind not in ("center", "scale"):
            raise ValueError(f"kind is 'center' or 'scale', not {self.kind!r}")
        for name, lowest in (("height", 4), ("padding", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= 1000:
                raise ValueError(f"{name} is a whole number from {lowest} to 1000, not {value!r}")
        for name, zero_allowed in (("range", False), ("smoothness", True), ("extra", True)):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or not 0 <= value <= 100:
                raise ValueError(f"{name} is a number from 0 to 100, not {value!r}")
            if value == 0 and not zero_allowed:
                raise ValueError(f"{name} must be above 0")

    def to_dict(self) -> dict[str, Any]:
        """Give the settings as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "LineNormalizer":
        """Read settings back; a key that is not known is a ValueError, one left out its default."""
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise ValueError(f"unknown settings of a line normaliser: {', '.join(unknown)}")
        return cls(**values)
