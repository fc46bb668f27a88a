"""Lines that still have frames."""

import numpy as np
import pytest

from ocrlstm.kernels.unfinished import unfinished


@pytest.mark.parametrize(
    ("lengths", "counts"),
    [((4, 2, 1), [3, 2, 1, 1, 0]), ((1, 3, 2, 0), [3, 3, 2, 0]), ((), [0, 0]), ((0, 0), [0])],
)
def test_up_to_the_last_that_is_not_at_its_end(lengths, counts):
    lengths = np.array(lengths, np.int64)
    assert [unfinished(lengths, t) for t in range(len(counts))] == counts
