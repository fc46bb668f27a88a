"""The historical decoding, frame by frame."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.decoding import threshold


@pytest.mark.parametrize(
    ("frames", "labels"),
    [
        # Columns are blank, a, b. One region, in which b is surest.
        ([[0.9, 0.1, 0.0], [0.1, 0.6, 0.3], [0.1, 0.1, 0.8], [0.9, 0.0, 0.1]], [(2, 1, 3)]),
        # A blank of 0.7 and more parts two characters.
        ([[0.2, 0.8, 0.0], [0.8, 0.2, 0.0], [0.2, 0.8, 0.0]], [(1, 0, 1), (1, 2, 3)]),
        # A blank of 0.65 does not, although it is the likeliest class.
        ([[0.2, 0.8, 0.0], [0.65, 0.35, 0.0], [0.2, 0.8, 0.0]], [(1, 0, 3)]),
        # The blank wins its region.
        ([[0.6, 0.4, 0.0], [0.5, 0.3, 0.2]], []),
        ([[0.9, 0.1, 0.0]], []),
        ([[0.0, 0.0, 1.0]], [(2, 0, 1)]),
    ],
)
def test_table(frames: list[list[float]], labels: list[tuple[int, int, int]]) -> None:
    with np.errstate(divide="ignore"):
        symbols = threshold(np.log(np.array(frames)))
    assert [(symbol.label, symbol.start, symbol.end) for symbol in symbols] == labels
    best = [max(frames[frame][label] for frame in range(a, b)) for label, a, b in labels]
    assert [symbol.confidence for symbol in symbols] == pytest.approx(best)


def test_no_frames() -> None:
    assert threshold(np.zeros((0, 3))) == []


@given(st.integers(0, 30), st.integers(2, 5), st.integers(0, 1000))
def test_equals_a_walk_over_the_frames(frames: int, classes: int, seed: int) -> None:
    posteriors = np.random.default_rng(seed).dirichlet(np.full(classes, 0.2), size=frames)
    posteriors = np.maximum(posteriors, 1e-12)
    expected, region = [], []
    for frame in [*posteriors, None]:
        if frame is not None and frame[0] < 0.7:
            region.append(frame)
        elif region:
            label = int(np.max(region, axis=0).argmax())
            expected += [label] if label else []
            region = []
    assert [symbol.label for symbol in threshold(np.log(posteriors))] == expected
