"""A model whose reading can be foretold: each bar of ink is an "i", wide paper a space."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from ocrlstm.lines import LineNormalizer
from ocrlstm.text import Codec

COLUMNS = 4


class BarNetwork:
    """One frame for four columns; label 2 ("i") where the frame is mostly ink, else the blank."""

    def __init__(self) -> None:
        self.batches: list[tuple[int, int]] = []

    def forward(self, x, lengths, training=False):
        self.batches.append((x.shape[0], x.shape[2]))
        frames = -(-lengths // COLUMNS)
        posteriors = np.full((frames.max(), len(x), 3), 0.05, np.float32)
        for n, image in enumerate(x):
            assert not image[:, lengths[n] :].any(), "what lies beyond a line must be zero"
            for t in range(frames[n]):
                column = image[:, COLUMNS * t : COLUMNS * (t + 1)]
                posteriors[t, n, 2 if column.mean() > 0.25 else 0] = 0.9
        return np.log(posteriors), frames


@dataclass
class BarModel:
    network: BarNetwork = field(default_factory=BarNetwork)
    codec: Codec = field(default_factory=lambda: Codec(("", " ", "i")))
    normalizer: LineNormalizer = field(
        default_factory=lambda: LineNormalizer(kind="scale", height=32, padding=16)
    )
    metadata: dict = field(default_factory=dict)
    minimum_width: int = 1


def draw_bars(count: int, step: int = 24, height: int = 32) -> np.ndarray:
    """White image with black bars, 8 columns wide, the first at column 8."""
    image = np.full((height, 16 + step * count), 255, np.uint8)
    for n in range(count):
        image[2:-2, 8 + step * n : 16 + step * n] = 0
    return image


@pytest.fixture
def bar_model() -> BarModel:
    return BarModel()


@pytest.fixture
def bars():
    return draw_bars
