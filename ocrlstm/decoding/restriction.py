"""Labels that may come out: whitelists and blacklists of characters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ocrlstm.text import CharacterSet, Codec, normalize_text

__all__ = ["allowed_labels", "lacking_characters", "restrict"]


def allowed_labels(
    codec: Codec, whitelist: str | None = None, blacklist: str | None = None
) -> NDArray[np.bool_] | None:
    """Tell which labels a whitelist and a blacklist leave.

    Parameters
    ----------
    codec : Codec
    whitelist : str, optional
        Only its characters may come out; see `ocrlstm.text.CharacterSet.parse`. The space is a
        character like all others.
    blacklist : str, optional
        Its characters may not come out, even if the whitelist has them.

    Returns
    -------
    ndarray of bool, shape (C,), or None
        The blank always may; None if all labels may.

    Raises
    ------
    ValueError
        If a set cannot be understood, or no character is left.
    """
    allowed = np.ones(len(codec), bool)
    if whitelist is not None:
        allowed &= _members(codec, whitelist)
    if blacklist is not None:
        allowed &= ~_members(codec, blacklist)
    allowed[0] = True
    if not allowed[1:].any():
        raise ValueError("whitelist and blacklist leave no character that the model knows")
    return None if allowed.all() else allowed


def lacking_characters(codec: Codec, whitelist: str) -> list[str]:
    """Return the single characters of a whitelist that a codec lacks, so that none comes out."""
    wanted = CharacterSet.parse(whitelist).characters
    return sorted(c for c in wanted if not any(part in codec.labels for part in _parts(codec, c)))


def restrict(
    log_posteriors: NDArray[np.floating], allowed: NDArray[np.bool_]
) -> NDArray[np.floating]:
    """Take labels out of posteriors, and normalise what is left.

    Parameters
    ----------
    log_posteriors : ndarray of shape (T, C)
    allowed : ndarray of bool, shape (C,)
        From `allowed_labels`.

    Returns
    -------
    ndarray of shape (T, C)
        With -inf for the labels that may not come out.

    Examples
    --------
    >>> left = restrict(np.log([[0.2, 0.5, 0.3]]), np.array([True, False, True]))
    >>> np.exp(left).round(2)
    array([[0.4, 0. , 0.6]])
    """
    left = np.where(allowed, log_posteriors, log_posteriors.dtype.type(-np.inf))
    greatest = left.max(axis=1, keepdims=True)
    sums = np.log(np.exp(left - greatest).sum(axis=1, keepdims=True))
    return left - (greatest + sums).astype(left.dtype)


def _members(codec: Codec, text: str) -> NDArray[np.bool_]:
    """Tell which labels are in a set of characters."""
    wanted = CharacterSet.parse(text)
    literal = {part for character in wanted.characters for part in _parts(codec, character)}
    wanted = CharacterSet(frozenset(literal), wanted.ranges, wanted.classes)
    members = np.zeros(len(codec), bool)
    for number, label in enumerate(codec.labels[1:], 1):
        # In a right-to-left line the label of a bracket is the shape that is seen.
        members[number] = wanted.holds(label) or wanted.holds(codec.decode([number]))
    return members


def _parts(codec: Codec, character: str) -> list[str]:
    """Return the labels that a character has in a codec of its unit and normal form."""
    if character.isspace():
        return [" "]
    spelt = normalize_text(character, codec.normal_form)
    return list(spelt) if codec.unit == "codepoint" else [spelt]
