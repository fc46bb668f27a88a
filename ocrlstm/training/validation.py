"""Reading held-back lines while training goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.datasets import Sample
from ocrlstm.decoding import greedy
from ocrlstm.evaluation import Report, score
from ocrlstm.lines import stack_lines
from ocrlstm.network import Network
from ocrlstm.text import Codec

__all__ = ["validate"]

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
    order = sorted(range(len(samples)), key=lambda i: samples[i].shape[1])
    for start in range(0, len(order), _BATCH):
        numbers = order[start : start + _BATCH]
        x, widths = stack_lines([samples[i].pixels * np.float32(1 / 255) for i in numbers])
        posteriors, frames = network.forward(x, widths)
        for place, i in enumerate(numbers):
            symbols = greedy(posteriors[: frames[place], place])
            predictions[i] = codec.decode([symbol.label for symbol in symbols])
    truths = [sample.text for sample in samples]
    names = [sample.name for sample in samples]
    return score(truths, predictions, names, codec.normal_form)
