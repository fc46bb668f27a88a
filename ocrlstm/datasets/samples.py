"""Turn pairs into normalised lines with texts, and say which pairs are of no use and why.

All is checked before the first training step, so that a fault of the thousandth pair shows at
once and not after an hour. A bad pair never stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.making import MadeLine, make_line
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.sample import Sample
from ocrlstm.datasets.spool import IN_MEMORY, SpooledLines
from ocrlstm.datasets.workers import map_in_order
from ocrlstm.errors import CodecError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.frames import minimum_frames
from ocrlstm.kernels.threads import thread_count
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import Codec, TextRules

__all__ = ["check_lengths", "check_pairs"]

NO_RULES = TextRules()
Frames = Callable[[int], int]


def check_pairs(
    pairs: Sequence[LinePair],
    normalizer: LineNormalizer,
    normal_form: str,
    rules: TextRules = NO_RULES,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
    in_memory: int = IN_MEMORY,
) -> tuple[Sequence[Sample], list[Problem]]:
    """Read and check all pairs, over all cores.

    Parameters
    ----------
    pairs : sequence of LinePair
        From `find_pairs`, or held in memory.
    normalizer : LineNormalizer
        Makes the network's input of an image.
    normal_form : str
        Normal form of the texts, see `ocrlstm.text.normalize_text`.
    rules : TextRules
        Applied to the texts before that.
    max_pixels : int
        Larger images are a problem, not a full memory.
    progress : callable, optional
        Called as ``progress(done, total)`` after each pair, from the calling thread.
    in_memory : int
        Bytes of lines held in memory; what is more goes into a temporary file.

    Returns
    -------
    lines : LineSet
        The good ones, in the order of `pairs`.
    problems : list of Problem
        The others, in the order of `pairs`.

    Raises
    ------
    OutputError
        If the temporary file cannot hold the lines.
    """
    form = LineForm(normalizer, normal_form, rules)
    lines = SpooledLines(in_memory)
    problems: list[Problem] = []

    def make(pair: LinePair) -> MadeLine | Problem:
        return make_line(pair, form, max_pixels, squeezed=lines.full)

    for done, made in enumerate(map_in_order(make, pairs, thread_count(), ahead=64), 1):
        if isinstance(made, MadeLine):
            lines.add(made)
        else:
            problems.append(made)
        if progress is not None:
            progress(done, len(pairs))
    return lines, problems


def check_lengths(
    samples: Sequence[Sample], codec: Codec, frames: Frames | None
) -> tuple[list[Sample], list[Problem]]:
    """Check samples against a codec that was built from their own texts.

    Parameters
    ----------
    samples : sequence of Sample
        From `check_pairs`.
    codec : Codec
        Spells the texts in labels.
    frames : callable or None
        Width of a normalised line -> frames of the network; None checks the characters only.

    Returns
    -------
    samples : list of Sample
        Those whose text the codec can spell and the frames can hold.
    problems : list of Problem
        The others, under the path of the image.
    """
    good: list[Sample] = []
    problems: list[Problem] = []
    for sample in samples:
        reason = _fault(sample, codec, frames)
        if reason is None:
            good.append(sample)
        else:
            problems.append(Problem(Path(sample.name), reason))
    return good, problems


def _fault(sample: Sample, codec: Codec, frames: Frames | None) -> str | None:
    try:
        labels = codec.encode(sample.text)
    except CodecError as error:
        return str(error)
    if frames is None:
        return None
    needed, width = minimum_frames(labels), sample.shape[1]
    there = frames(width)
    if there >= needed:
        return None
    return (
        f"too short for its text: {len(labels)} characters need {needed} frames, the line gives "
        f"{there} ({width} pixels wide after normalisation); is the text another line's?"
    )
