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
from ocrlstm.text import Codec

__all__ = ["LineModel"]


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
    """

    network: Network
    codec: Codec
    normalizer: LineNormalizer
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that the parts fit each other.

        Raises
        ------
        ValueError
            If the network does not read lines, or codec or normaliser do not fit it.
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

    def frames(self, width: int) -> int:
        """Return how many frames a normalised line of a width gives."""
        return int(self.network.frames(np.array([width], np.int64))[0])

    @property
    def minimum_width(self) -> int:
        """Width of the narrowest line that gives a frame."""
        # parse_spec has made sure that the widest line gives one; frames grow with the width.
        return 1 + bisect_left(range(1, WIDEST + 1), 1, key=self.frames)
