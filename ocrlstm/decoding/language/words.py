"""Word lists, and the tree of labels in which the beam search follows them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ocrlstm.errors import LanguageModelError
from ocrlstm.kernels.beam_search import WordTables
from ocrlstm.text import (
    Codec,
    find_words,
    graphemes,
    is_word_character,
    normalize_text,
    to_visual,
)

__all__ = ["load_words", "word_tables"]

_LARGEST = 64 << 20
# Longer ones are no words but a damaged file.
_LONGEST = 100
# Kinds of labels, as `WordTables` has them.
_APART, _INSIDE, _EXEMPTING = 0, 1, 2


def load_words(path: str | os.PathLike[str]) -> list[str]:
    r"""Read a word list.

    Parameters
    ----------
    path : path
        UTF-8 text. All words in it count, wherever they stand; a word is a run of ``\w``, so that
        of "don't" both "don" and "t" count.

    Returns
    -------
    list of str
        Each word once, sorted.

    Raises
    ------
    LanguageModelError
        If the file cannot be read, is larger than 64 MB, not UTF-8, or without words.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > _LARGEST:
            raise LanguageModelError(
                f"{path}: {size >> 20} MB are too much for a word list, at most "
                f"{_LARGEST >> 20} MB are read; leave rare words out"
            )
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise LanguageModelError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise LanguageModelError(
            f"{path}: not UTF-8 (offset {error.start}); save the word list as UTF-8"
        ) from error
    words = sorted(set(find_words(text)))
    if not words:
        raise LanguageModelError(f"{path}: holds no word; expected UTF-8 text with words")
    return words


def word_tables(words: Iterable[str], codec: Codec) -> tuple[WordTables, int]:
    """Make the tree of a word list.

    Each word counts as it stands, with its first letter large, and all in capitals.

    Parameters
    ----------
    words : iterable of str
    codec : Codec
        Of the line model; tells the labels.

    Returns
    -------
    tables : WordTables
    kept : int
        How many of the words the codec can spell.
    """
    numbers = {label: number for number, label in enumerate(codec.labels) if label}
    # Normalised together, since one call a word takes long; no word has a space in it.
    plain = normalize_text(" ".join(words), codec.normal_form).split()
    spelt: set[tuple[int, ...]] = set()
    kept = 0
    for word in plain:
        known = False
        for form in {word, word[:1].upper() + word[1:], word.upper()}:
            characters = to_visual(graphemes(form), codec.direction)
            if codec.unit == "codepoint":
                characters = list("".join(characters))
            labels = tuple(numbers.get(character, 0) for character in characters)
            if all(labels) and len(labels) <= _LONGEST:
                spelt.add(labels)
                known = True
        kept += known
    kinds = np.array([_kind(label) for label in codec.labels], np.int8)
    return WordTables(*_tree(sorted(spelt)), kinds), kept


def _kind(label: str) -> int:
    if not is_word_character(label):
        return _APART
    return _EXEMPTING if label[0].isnumeric() or label[0] == "_" else _INSIDE


def _tree(words: list[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return symbols, first and ends of the beginnings of some words, level by level."""
    lengths = np.array([len(word) for word in words])
    table = np.zeros((len(words), int(lengths.max(initial=0))), np.uint16)
    for row, word in zip(table, words, strict=True):
        row[: len(word)] = word
    # For each word that is not yet spelt to its end: the beginning that it has, by its number in
    # the level.
    nodes = np.zeros(len(words), np.int64)
    symbols, ends, first = [np.zeros(1, np.int64)], [], []
    above, total = 1, 1
    for length in range(table.shape[1] + 1):
        here = np.zeros(above, bool)
        here[nodes[lengths == length]] = True
        ends.append(here)
        going_on = lengths > length
        table, lengths, nodes = table[going_on], lengths[going_on], nodes[going_on]
        column = table[:, length] if len(table) else np.zeros(0, np.uint16)
        keys, nodes = np.unique(nodes << 16 | column, return_inverse=True)
        first.append(total + np.searchsorted(keys >> 16, np.arange(above)))
        symbols.append(keys & 0xFFFF)
        above = len(keys)
        total += above
    return (
        np.concatenate(symbols).astype(np.uint16),
        np.concatenate([*first, [total]]).astype(np.int32),
        np.concatenate(ends),
    )
