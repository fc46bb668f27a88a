"""Make a model's confidences come true, on lines that it did not learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ocrlstm.datasets import Sample
from ocrlstm.decoding import (
    TEMPERATURE_GRID,
    decode_tempered,
    fit_temperature,
    greedy,
    symbol_confidences,
)
from ocrlstm.evaluation import Reliability, mark_right, measure_reliability
from ocrlstm.network import LineModel
from ocrlstm.training.validation import read_samples

__all__ = ["Calibration", "calibrate"]


@dataclass(frozen=True)
class Calibration:
    """A calibrated model, and how its confidences came true on the lines of the fit.

    Attributes
    ----------
    model : LineModel
        With the temperature, and with what it was fitted on in its metadata under "calibration".
    lines : int
        Lines that were read.
    before, after : Reliability
        With the temperature the model had, and with the fitted one. Both are of the lines of the
        fit; how it does on others, `ocrlstm evaluate` tells.
    """

    model: LineModel
    lines: int
    before: Reliability
    after: Reliability


def calibrate(
    model: LineModel,
    samples: Sequence[Sample],
    most_lines: int = 2000,
    progress: Callable[[int, int], None] | None = None,
) -> Calibration:
    """Fit the temperature of a model.

    Parameters
    ----------
    model : LineModel
    samples : sequence of Sample
        Lines of the model's normaliser, normal form and text rules, that it was not trained on:
        of those it was trained on, more are right than of others.
    most_lines : int
        Of more lines so many are read, evenly spread.
    progress : callable, optional
        Called with the numbers of lines read and of all to read.

    Returns
    -------
    Calibration

    Raises
    ------
    ValueError
        If there are no lines.
    """
    if not len(samples):
        raise ValueError("a calibration needs lines, found none")
    count = min(len(samples), most_lines)
    numbers = np.linspace(0, len(samples) - 1, count).round().astype(int).tolist()
    labels, codec = model.codec.labels, model.codec
    right: list[bool] = []
    before: list[float] = []
    tempered: list[np.ndarray] = []
    reading = read_samples(model.network, samples, numbers, model.minimum_width)
    for done, (number, posteriors) in enumerate(reading, 1):
        symbols = decode_tempered(greedy, posteriors, model.temperature)
        read = [labels[symbol.label] for symbol in symbols]
        right += mark_right(codec.split(samples[number].text), read)
        before += [symbol.confidence for symbol in symbols]
        tempered.append(symbol_confidences(symbols, posteriors, TEMPERATURE_GRID))
        if progress is not None:
            progress(done, count)
    confidences = np.concatenate(tempered, axis=1)
    temperature = fit_temperature(confidences, right)
    after = _between(confidences, temperature)
    facts = {"lines": count, "characters": len(right), "wrong": right.count(False)}
    return Calibration(
        replace(model, temperature=temperature, metadata={**model.metadata, "calibration": facts}),
        count,
        measure_reliability(before, right),
        measure_reliability(after, right),
    )


def _between(confidences: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Interpolate confidences of the grid's temperatures; its steps are small."""
    place = float(np.interp(np.log(temperature), np.log(TEMPERATURE_GRID), range(len(confidences))))
    below = min(int(place), len(confidences) - 2)
    share = place - below
    return (1 - share) * confidences[below] + share * confidences[below + 1]
