"""Lines of several widths in one array."""

import numpy as np
import pytest

from ocrlstm.lines import stack_lines


def test_padding():
    x, widths = stack_lines([np.ones((4, 3), np.float32), np.ones((4, 5), np.float32)])
    assert x.shape == (2, 4, 5, 1) and widths.tolist() == [3, 5]
    assert x[0, :, 3:].sum() == 0 and x.sum() == 4 * 8


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
