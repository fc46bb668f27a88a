"""Several values of one quantity: their median, and how far they lie apart."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Spread:
    """Values in the order in which they were measured."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("a spread needs at least one value")

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def __str__(self) -> str:
        """Write the median and, of several values, the lowest and the highest."""
        if len(self.values) == 1:
            return number(self.median)
        return f"{number(self.median)} ({number(min(self.values))}-{number(max(self.values))})"

    def times(self, factor: float) -> "Spread":
        return Spread(tuple(factor * value for value in self.values))

    def rate(self, count: float) -> "Spread":
        """Of seconds, return how many of `count` things that is a second."""
        return Spread(tuple(count / value for value in self.values))

    def over(self, other: "Spread") -> "Spread":
        """Return the ratios of values measured in the same turns."""
        pairs = zip(self.values, other.values, strict=False)  # the slower may have fewer turns
        return Spread(tuple(ours / theirs for ours, theirs in pairs))

    def record(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"median": self.median, "values": list(self.values)}


def spread(values: Iterable[float]) -> Spread:
    return Spread(tuple(values))


def number(value: float) -> str:
    """Write three digits that count."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return by how much y rises for 1 of x, from the first value to the last."""
    return (y[-1] - y[0]) / (x[-1] - x[0])
