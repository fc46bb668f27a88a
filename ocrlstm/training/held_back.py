"""Which lines are trained on and which are validated on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.datasets import LinePair, LineSet
from ocrlstm.training.config import TrainingConfig

__all__ = ["hold_back", "without_lines", "without_pairs"]

# Key that keeps the choice of held-back lines apart from the other random streams of a seed.
_HOLD_BACK = 0
# The CER of fewer lines says little, so that many are held back if that is no more than a tenth.
_FEWEST_HELD_BACK = 5
# Where the training lines themselves are read for want of others, so many of them are enough.
_MOST_SHARED = 200


def without_pairs(pairs: Sequence[LinePair], others: Sequence[LinePair]) -> list[LinePair]:
    """Leave out the pairs whose line is also that of another one, by whatever path."""
    if not others:
        return list(pairs)
    taken = {pair.identity for pair in others}
    return [pair for pair in pairs if pair.identity not in taken]


def without_lines(training: LineSet, validation: LineSet) -> LineSet:
    """Leave out the lines that are also validated on: the same picture with the same text.

    Lines of packs have no path by which `without_pairs` would know them.
    """
    known: dict[bytes, set[str]] = {}
    for picture, text in zip(_pictures(validation), validation.texts(), strict=True):
        known.setdefault(picture, set()).add(text)
    kept = [
        number
        for number, picture in enumerate(_pictures(training))
        if picture not in known or training.text(number) not in known[picture]
    ]
    return training if len(kept) == len(training) else training.select(kept)


def hold_back(lines: LineSet, config: TrainingConfig) -> tuple[LineSet, LineSet, bool]:
    """Share lines out into those to train on and those to validate on.

    Parameters
    ----------
    lines : LineSet
    config : TrainingConfig
        Its `validation_share` and `seed` choose.

    Returns
    -------
    training, validation : LineSet
    shared : bool
        No lines are held back, for there are too few or none shall be: `validation` is a part of
        `training`.
    """
    share = config.validation_share
    fewest = min(_FEWEST_HELD_BACK, len(lines) // 10)
    count = max(round(share * len(lines)), fewest) if share > 0 else 0
    if count == 0:
        return lines, lines[:: -(-len(lines) // _MOST_SHARED)], True
    rng = np.random.default_rng([config.seed, _HOLD_BACK])
    chosen = np.zeros(len(lines), bool)
    chosen[rng.permutation(len(lines))[:count]] = True
    return lines.select(np.flatnonzero(~chosen)), lines.select(np.flatnonzero(chosen)), False


def _pictures(lines: LineSet) -> list[bytes]:
    return [picture.tobytes() for picture in lines.pictures]
