"""Weights of one line model for another one, of more, fewer or other characters."""

from __future__ import annotations

import numpy as np

from ocrlstm.network.model import LineModel
from ocrlstm.network.network import Network
from ocrlstm.text import Codec

__all__ = ["transplant"]


def transplant(source: LineModel, network: Network, codec: Codec) -> tuple[str, ...]:
    """Copy the weights of a line model into another network, as far as they fit.

    Weights and running statistics go by the names of the layers and their own, where shapes agree.
    Those of the output layer go by label: the rows of characters that both models have are copied.
    A new character gets the mean of the rows of the old ones, the blank aside. Its score is then
    the mean of their scores, so of the share of a frame that is not blank it takes no more than one
    of them does on average, and the old characters are read as before; see Hewitt, "Initializing
    new word embeddings for pretrained language models", 2021.

    Parameters
    ----------
    source : LineModel
    network : Network
        One that reads lines; changed in place. What does not fit is left as it is.
    codec : Codec
        As many labels as the network has classes.

    Returns
    -------
    tuple of str
        Names of the arrays that are left as they were, in order.

    Raises
    ------
    ValueError
        If the codec does not fit the network.
    """
    if len(codec) != network.classes:
        raise ValueError(f"{len(codec)} labels in the codec, {network.classes} in the network")
    output, source_output = list(network.layers)[-1], list(source.network.layers)[-1]
    given = source.network.arrays()
    left = []
    for name, array in network.arrays().items():
        layer, _, weight = name.partition(".")
        if layer == output:
            rows = given.get(f"{source_output}.{weight}")
            fits = rows is not None and rows.shape[1:] == array.shape[1:]
            if fits and rows is not None:
                array[...] = _rows_by_label(rows, source.codec, codec)
        else:
            fits = name in given and given[name].shape == array.shape
            if fits:
                array[...] = given[name]
        if not fits:
            left.append(name)
    return tuple(left)


def _rows_by_label(rows: np.ndarray, old: Codec, new: Codec) -> np.ndarray:
    """Return the rows (labels, ...) of a codec's labels, given those of another one's."""
    places = {label: place for place, label in enumerate(old.labels)}
    # A model of the blank alone has no characters to take a mean of.
    mean = rows[min(1, len(rows) - 1) :].mean(axis=0, dtype=np.float64)
    return np.stack([rows[places[label]] if label in places else mean for label in new.labels])
