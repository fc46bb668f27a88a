"""Find the weights of a language model on lines with ground truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ocrlstm.datasets import LinePair, map_in_order
from ocrlstm.decoding import BeamSearch, greedy, temper
from ocrlstm.decoding.language import LanguageModel, Weights
from ocrlstm.errors import DatasetError
from ocrlstm.evaluation import count_edits
from ocrlstm.kernels.threads import thread_count
from ocrlstm.recognition.reading import Decoder
from ocrlstm.recognition.recognizer import Posteriors, Recognizer, chunks
from ocrlstm.text import Codec, normalize_text

__all__ = ["Tuning", "tune_weights"]

_ALPHAS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2)
_BETAS = (-0.5, 0.0, 0.5, 1.0, 1.5)
_WORDS = (0.0, 0.25, 0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Tuning:
    """What tuning found.

    Attributes
    ----------
    weights : Weights
    lines, characters : int
        What it was measured on.
    greedy, before, after : int
        Edits of the greedy decoding, with the weights there were, and with those found. The last
        is a little too good, since the weights were chosen by it.
    """

    weights: Weights
    lines: int
    characters: int
    greedy: int
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class _Line:
    truth: str
    log_posteriors: Posteriors


def tune_weights(
    recognizer: Recognizer,
    model: LanguageModel,
    pairs: Sequence[LinePair],
    *,
    words: Sequence[str] | None = None,
    width: int = BeamSearch.width,
    most_lines: int = 500,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    problem: Callable[[str], None] | None = None,
) -> Tuning:
    """Choose the weights with which a language model helps a line model most.

    For each of some weights all lines are decoded. Since few errors are left to chance, the edits
    are averaged with those of neighbouring weights, and weights far from the defaults must save
    some edits more.

    Parameters
    ----------
    recognizer : Recognizer
        With the line model. Its decoder does not count.
    model : LanguageModel
    pairs : sequence of LinePair
        Lines that the line model was not trained on; on those it was, it hardly errs.
    words : sequence of str, optional
        A word list, whose weight is tuned too.
    width : int
        Of the beam.
    most_lines : int
        Of more lines so many are read, evenly spread; their posteriors are held in memory.
    threads : int, optional
    progress : callable, optional
        Called with the numbers of steps done and of all.
    problem : callable, optional
        Called with a sentence on each line that cannot be read; it is left out.

    Returns
    -------
    Tuning

    Raises
    ------
    DatasetError
        If no line is left.
    LanguageModelError
        If the language model was not made for such texts.
    """
    threads = thread_count() if threads is None else threads
    # What does not fit is told before any line is read.
    decoder = BeamSearch(width, model, words).bind(recognizer.codec)
    settings = [Weights(alpha, beta) for alpha in _ALPHAS for beta in _BETAS]
    steps = _Steps(2 + len(settings) + (len(_WORDS) if words is not None else 0), progress)
    lines = _read(recognizer, _spread(pairs, most_lines), threads, problem)
    steps.advance()

    def edits(weights: Weights) -> int:
        total = sum(_each_edits(decoder.with_weights(weights), lines, recognizer.codec, threads))
        steps.advance()
        return total

    before = edits(model.weights)
    by_setting = [edits(setting) for setting in settings]
    place = _choose(np.reshape(by_setting, (len(_ALPHAS), len(_BETAS))))
    best, after = settings[place], by_setting[place]
    if words is not None:
        by_words = [edits(replace(best, words=weight)) for weight in _WORDS]
        place = int((_smooth(np.array(by_words)) + _far(_WORDS, Weights.words, 0.5)).argmin())
        best, after = replace(best, words=_WORDS[place]), by_words[place]
    else:
        best = replace(best, words=model.weights.words)
    return Tuning(
        best,
        len(lines),
        sum(len(line.truth) for line in lines),
        sum(_each_edits(greedy, lines, recognizer.codec, threads)),
        before,
        after,
    )


class _Steps:
    """Counts the steps that are done, and tells."""

    def __init__(self, total: int, progress: Callable[[int, int], None] | None) -> None:
        self._done, self._total, self._progress = 0, total, progress

    def advance(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)


def _spread(pairs: Sequence[LinePair], most: int) -> list[LinePair]:
    if len(pairs) <= most:
        return list(pairs)
    numbers = np.linspace(0, len(pairs) - 1, most).round().astype(int).tolist()
    return [pairs[number] for number in numbers]


def _read(
    recognizer: Recognizer,
    pairs: Sequence[LinePair],
    threads: int,
    problem: Callable[[str], None] | None,
) -> list[_Line]:
    """Read texts and images; what is of no use is told and left out."""
    truths: list[str] = []
    readable: list[LinePair] = []
    faults: list[str] = []
    for pair in pairs:
        try:
            text = recognizer.rules.apply(pair.read_text())
        except DatasetError as error:
            faults.append(str(error))
            continue
        truths.append(normalize_text(text, recognizer.codec.normal_form))
        readable.append(pair)
    # A line of a batch would keep the whole batch in memory.
    read = [
        one
        for chunk in chunks(readable, threads)
        for one in recognizer.read_chunk(
            chunk, threads, lambda line, log_posteriors: (line.error, log_posteriors.copy())
        )
    ]
    lines: list[_Line] = []
    for truth, (fault, log_posteriors) in zip(truths, read, strict=True):
        if fault is not None:
            faults.append(str(fault))
        else:
            lines.append(_Line(truth, temper(log_posteriors, recognizer.model.temperature)))
    for message in faults:
        if problem is not None:
            problem(message)
    if not lines:
        first = f"; the first problem: {faults[0]}" if faults else ""
        raise DatasetError(f"none of {len(pairs)} lines can be used for tuning{first}")
    return lines


def _each_edits(decoder: Decoder, lines: Sequence[_Line], codec: Codec, threads: int) -> list[int]:
    def count(line: _Line) -> int:
        labels = [symbol.label for symbol in decoder(line.log_posteriors)]
        text = normalize_text(codec.decode(labels), codec.normal_form)
        return count_edits(line.truth, text)

    return list(map_in_order(count, lines, threads))


def _choose(edits: NDArray[np.int64]) -> int:
    """Return the place of the best setting in the flattened table of edits."""
    smooth = np.apply_along_axis(_smooth, 0, np.apply_along_axis(_smooth, 1, edits))
    far = _far(_ALPHAS, Weights.alpha, 0.3)[:, None] + _far(_BETAS, Weights.beta, 0.5)
    return int((smooth + far).argmin())


def _smooth(edits: NDArray[np.integer]) -> NDArray[np.float64]:
    """Average a row of edits with their neighbours."""
    around = np.pad(edits.astype(np.float64), 1, mode="edge")
    return 0.25 * around[:-2] + 0.5 * around[1:-1] + 0.25 * around[2:]


def _far(values: Sequence[float], default: float, step: float) -> NDArray[np.float64]:
    """Return the edits that a weight must save for being away from its default."""
    return ((np.array(values) - default) / step) ** 2
