"""A line model: the network and all that must go with it to read a line image."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ocrlstm.errors import SpecError
from ocrlstm.layers.series import WIDEST
from ocrlstm.lines import LineNormalizer
from ocrlstm.network.line_spec import check_line_spec
from ocrlstm.network.network import Network
from ocrlstm.network.vgsl import parse_spec
from ocrlstm.text import Codec, TextRules

__all__ = ["TEMPERATURES", "LineModel"]

#: Least and greatest temperature that a model may have.
TEMPERATURES = (0.05, 20.0)


@dataclass(frozen=True)
class LineModel:
    """What a model file holds.

    Attributes
    ----------
    network : Network
        Of grey images of any width, with log posteriors of classes for every frame, and one that
        VGSL can write: see `check_line_spec`.
    codec : Codec
        As many labels as the network has classes.
    normalizer : LineNormalizer
        Of the network's height.
    metadata : dict
        Training history, provenance, licence and the like; only what JSON can hold.
    temperature : float
        What log posteriors are divided by before they are normalised again, so that confidences
        tell how often a character is right; 1.0 leaves them as the network gives them.
    rules : TextRules
        What was done to the texts that it learnt from, and is to be done to those it is compared
        with.
    """

    network: Network
    codec: Codec
    normalizer: LineNormalizer
    metadata: dict[str, Any] = field(default_factory=dict)
    temperature: float = 1.0
    rules: TextRules = TextRules()

    def __post_init__(self) -> None:
        """Check that the parts fit each other.

        Raises
        ------
        ValueError
            If the network does not read lines, codec or normaliser do not fit it, or the
            temperature is none.
        """
        try:
            check_line_spec(parse_spec(self.network.spec))
        except SpecError as error:
            raise ValueError(f"the network does not read lines: {error}") from error
        if len(self.codec) != self.network.classes:
            raise ValueError(
                f"{len(self.codec)} labels in the codec, {self.network.classes} in the network"
            )
        if self.normalizer.height != self.network.height:
            raise ValueError(
                f"the normaliser makes lines {self.normalizer.height} high, "
                f"the network reads lines {self.network.height} high"
            )
        _check_temperature(self.temperature)

    def frames(self, width: int) -> int:
        """Return how many frames a normalised line of a width gives."""
        return int(self.network.frames(np.array([width], np.int64))[0])

    @property
    def minimum_width(self) -> int:
        """Width of the narrowest line that gives a frame."""
        # parse_spec has made sure that the widest line gives one; frames grow with the width.
        return 1 + bisect_left(range(1, WIDEST + 1), 1, key=self.frames)


def _check_temperature(value: object) -> None:
    low, high = TEMPERATURES
    # JSON's true would pass for a 1.
    if isinstance(value, bool) or not isinstance(value, int | float):
        found = f"a {type(value).__name__}"
    elif low <= value <= high:
        return
    else:
        found = repr(value)[:20]
    raise ValueError(f"the temperature is {found}, expected a number in {low:g} to {high:g}")
