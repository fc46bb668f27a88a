"""The epochs of a training as a table for the terminal, with a bar for each error rate."""

from __future__ import annotations

import math

from ocrlstm.training.history import RunHistory

__all__ = ["format_history"]

_BAR = 30


def format_history(history: RunHistory, rows: int = 20) -> str:
    """Return the epochs of a training as plain text.

    Parameters
    ----------
    history : RunHistory
    rows : int
        At most so many epochs are shown: the first, the best, the last, and some between at equal
        distances.

    Returns
    -------
    str
        A summary, and a row an epoch with a star behind those that were the best so far. The bars
        are on a logarithmic scale, the last place being half of the lowest rate.
    """
    records, best = history.records, history.best
    if not records:
        return f"{history.path}: no epoch is finished"
    told = (
        f"best {best.epoch} with validation CER {100 * best.validation_cer:.2f} %"
        if best is not None
        else "none better than the model it began with"
    )
    lines = [f"{history.path}: {len(records)} epochs, {told}"]
    lines.append("epoch    loss  validation CER")
    rates = [record.validation_cer for record in records if record.validation_cer > 0]
    for number in _chosen(len(records), None if best is None else records.index(best), rows):
        record = records[number]
        bar = "#" * _length(record.validation_cer, min(rates), max(rates)) if rates else ""
        row = (
            f"{record.epoch:5d} {record.loss:7.2f} {100 * record.validation_cer:12.2f} %"
            f"{'*' if record.best else ' '} {bar}"
        )
        lines.append(row.rstrip())
    return "\n".join(lines)


def _chosen(count: int, best: int | None, rows: int) -> list[int]:
    """Return the places of epochs to show."""
    if count <= rows:
        return list(range(count))
    marked = {0, count - 1} | (set() if best is None else {best})
    between = max(rows - len(marked), 0) + 2
    even = {round(place * (count - 1) / (between - 1)) for place in range(between)}
    return sorted(marked | even)


def _length(rate: float, lowest: float, highest: float) -> int:
    if rate <= 0:
        return 0
    floor = lowest / 2
    return round(_BAR * math.log(rate / floor) / math.log(highest / floor))
