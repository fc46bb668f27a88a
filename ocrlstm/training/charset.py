"""Which characters a fine-tuned model has: the old ones, those of its lines, or both."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ocrlstm.text import Codec

__all__ = ["CHARSETS", "choose_codec", "find_unused"]

CHARSETS = ("keep", "union", "new")


def choose_codec(charset: str, old: Codec, texts: Iterable[str]) -> Codec:
    """Return the codec of a fine-tuned model.

    Parameters
    ----------
    charset : {"keep", "union", "new"}
        "keep": `old` as it is. "union": its labels in their places, those that only the texts have
        behind them. "new": the characters of the texts and no others.
    old : Codec
        Of the model to begin with. Unit, normal form and direction are always its own.
    texts : iterable of str
        Of the training lines.

    Examples
    --------
    >>> old = Codec(("", "b", "c"))
    >>> choose_codec("union", old, ["abba"]).labels
    ('', 'b', 'c', 'a')
    >>> choose_codec("new", old, ["abba"]).labels
    ('', 'a', 'b')
    """
    if charset == "keep":
        return old
    found = Codec.from_texts(texts, old.unit, old.normal_form, old.direction)
    if charset == "new":
        return found
    more = [label for label in found.labels if label not in set(old.labels)]
    return Codec((*old.labels, *more), old.unit, old.normal_form, old.direction)


def find_unused(codec: Codec, targets: Iterable[np.ndarray]) -> np.ndarray:
    """Return the labels that no line has an example of, the blank aside.

    Parameters
    ----------
    codec : Codec
    targets : iterable of ndarray of int32
        The labels of every training line.

    Returns
    -------
    ndarray of int64
    """
    used = np.zeros(len(codec), bool)
    used[0] = True
    for target in targets:
        used[target] = True
    return np.flatnonzero(~used)
