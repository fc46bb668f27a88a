"""Frames that a text needs."""

import numpy as np
import pytest

from ocrlstm.kernels.frames import minimum_frames


@pytest.mark.parametrize(
    ("labels", "frames"), [([], 0), ([1], 1), ([1, 2], 2), ([1, 1], 3), ([1, 1, 1, 2], 6)]
)
def test_minimum_frames(labels, frames):
    assert minimum_frames(np.array(labels, dtype=np.int32)) == frames
