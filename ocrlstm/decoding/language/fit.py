"""Whether a language model was made for the characters of a line model."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language.model import LanguageModel
from ocrlstm.errors import LanguageModelError
from ocrlstm.text import Codec, normalize_text, spell_all

__all__ = ["fit_language_model"]

# Below this share of known letters, either way, the two do not speak of the same script.
_LEAST_SHARE = 0.5


def fit_language_model(model: LanguageModel, codec: Codec) -> tuple[NDArray[np.int32], list[str]]:
    """Find the symbol of each label.

    Parameters
    ----------
    model : LanguageModel
    codec : Codec
        Of the line model.

    Returns
    -------
    symbols : ndarray of shape (C,), int32
        -1 for the blank and for labels that the language model does not know. Those are decoded
        without its help.
    unknown : list of str
        The letters and marks among those labels.

    Raises
    ------
    LanguageModelError
        If the directions differ, if the language model knows fewer than half of the codec's
        letters, or if fewer than half of the letters in its texts are in the codec.
    """
    alphabet = model.alphabet
    if alphabet.codec.direction != codec.direction:
        raise LanguageModelError(
            f"the language model is of {alphabet.codec.direction} texts, the line model of "
            f"{codec.direction} ones; build it with -m and the line model"
        )
    symbols = np.full(len(codec), -1, np.int32)
    for number, label in enumerate(codec.labels[1:], 1):
        # Its own normal form may spell the character otherwise.
        spelt = normalize_text(label, alphabet.codec.normal_form) or label
        symbols[number] = alphabet.symbol(spelt) or -1
    letters = [k for k, label in enumerate(codec.labels) if _is_letter(label)]
    unknown = [codec.labels[k] for k in letters if symbols[k] < 0]
    if letters and len(unknown) > (1 - _LEAST_SHARE) * len(letters):
        raise LanguageModelError(
            f"the language model knows only {len(letters) - len(unknown)} of the {len(letters)} "
            f"letters of the line model; it lacks {spell_all(unknown)}; build one from texts like "
            "those to be read"
        )
    own = np.array([_is_letter(label) for label in alphabet.codec.labels])
    shares = np.where(own, np.exp(model.tables.log_probabilities[1 : 1 + len(alphabet)]), 0)
    common = shares[symbols[symbols >= 0]].sum()
    if common < _LEAST_SHARE * shares.sum():
        raise LanguageModelError(
            f"only {100 * common / shares.sum():.0f} % of the letters in the texts of the language "
            "model are known to the line model; build one from texts like those to be read"
        )
    return symbols, unknown


def _is_letter(label: str) -> bool:
    return bool(label) and unicodedata.category(label[0])[0] in "LM"
