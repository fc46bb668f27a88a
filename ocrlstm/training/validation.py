"""Reading held-back lines while training goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ocrlstm.datasets import Sample
from ocrlstm.decoding import greedy
from ocrlstm.evaluation import Report, score
from ocrlstm.lines import stack_lines
from ocrlstm.network import Network
from ocrlstm.text import Codec

__all__ = ["read_samples", "validate"]

_BATCH = 16


def validate(network: Network, codec: Codec, samples: Sequence[Sample]) -> Report:
    """Read all samples greedily and score them.

    Parameters
    ----------
    network : Network
    codec : Codec
    samples : sequence of Sample

    Returns
    -------
    Report
    """
    predictions = [""] * len(samples)
    for number, posteriors in read_samples(network, samples, range(len(samples))):
        predictions[number] = codec.decode([symbol.label for symbol in greedy(posteriors)])
    truths = [sample.text for sample in samples]
    names = [sample.name for sample in samples]
    return score(truths, predictions, names, codec.normal_form)


def read_samples(
    network: Network, samples: Sequence[Sample], numbers: Sequence[int], minimum_width: int = 1
) -> Iterator[tuple[int, NDArray[np.floating]]]:
    """Read some of the samples.

    Parameters
    ----------
    network : Network
    samples : sequence of Sample
    numbers : sequence of int
        Which of them.
    minimum_width : int
        Narrower lines are widened to it.

    Yields
    ------
    number : int
        Each of `numbers` once, narrow lines first.
    log_posteriors : ndarray of shape (T, C)
    """
    order = sorted(numbers, key=lambda number: samples[number].shape[1])
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        pixels = [samples[number].pixels * np.float32(1 / 255) for number in batch]
        x, widths = stack_lines(pixels, minimum_width)
        posteriors, frames = network.forward(x, widths)
        for place, number in enumerate(batch):
            yield number, posteriors[: frames[place], place]
