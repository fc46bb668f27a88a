"""Grouping by width: every line once, little padding, bounded size."""

from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.recognition.batches import MAX_COLUMNS, MIN_FILL, group_by_width


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
