"""Put lines of like width together, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["group_by_width"]

# Columns of the network's input that a batch may have, its padding among them. Bounds the memory
# of a batch when a line is very wide; 16 lines of 2,000 columns stay one batch.
MAX_COLUMNS = 32_000

# A line much narrower than the widest of its batch is work for nothing.
MIN_FILL = 0.75


def group_by_width(widths: Sequence[int], batch_size: int) -> list[list[int]]:
    """Share lines out into batches.

    Parameters
    ----------
    widths : sequence of int
        Widths of the normalised lines.
    batch_size : int
        Most lines in a batch.

    Returns
    -------
    list of list of int
        Indices into `widths`; the widest lines first, since the longest jobs should not begin last.

    Examples
    --------
    >>> group_by_width([500, 90, 510, 100], batch_size=8)
    [[2, 0], [3, 1]]
    """
    batches: list[list[int]] = []
    for index in sorted(range(len(widths)), key=lambda i: -widths[i]):
        if batches:
            batch = batches[-1]
            widest = widths[batch[0]]
            if (
                len(batch) < batch_size
                and (len(batch) + 1) * widest <= MAX_COLUMNS
                and widths[index] >= MIN_FILL * widest
            ):
                batch.append(index)
                continue
        batches.append([index])
    return batches
