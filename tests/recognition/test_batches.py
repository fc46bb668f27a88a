"""Grouping by width: every line once, little padding, bounded size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.recognition.batches import MAX_COLUMNS, MIN_FILL, group_by_width, stack_lines


@given(
    st.lists(st.integers(1, 3000), max_size=60),
    st.integers(1, 20),
)
def test_every_line_once_and_little_padding(widths, batch_size):
    batches = group_by_width(widths, batch_size)
    assert sorted(index for batch in batches for index in batch) == list(range(len(widths)))
    for batch in batches:
        chosen = [widths[index] for index in batch]
        assert len(batch) <= batch_size
        assert min(chosen) >= MIN_FILL * max(chosen)
        assert len(batch) == 1 or len(batch) * max(chosen) <= MAX_COLUMNS


def test_a_very_wide_line_is_alone():
    assert group_by_width([30_000, 30_000], 16) == [[0], [1]]


def test_stack():
    lines = [np.ones((2, 3), np.float32), np.full((2, 1), 2, np.float32)]
    x, lengths = stack_lines(lines, minimum_width=2)
    assert x.shape == (2, 2, 3, 1) and x.dtype == np.float32
    assert lengths.tolist() == [3, 2] and lengths.dtype == np.int64
    assert x[1, :, :, 0].tolist() == [[2, 0, 0], [2, 0, 0]]


@pytest.mark.parametrize("minimum", [1, 7])
def test_a_single_narrow_line_is_widened(minimum):
    x, lengths = stack_lines([np.ones((2, 4), np.float32)], minimum)
    assert lengths.tolist() == [max(4, minimum)]
    assert x.shape[2] == max(4, minimum)
