"""Turn pairs into normalised lines with texts, and say which pairs are of no use and why.

All is checked before the first training step, so that a fault of the thousandth pair shows at
once and not after an hour. A bad pair never stops the others.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.line_set import LineSet, join_lines
from ocrlstm.datasets.making import MadeLine, make_line
from ocrlstm.datasets.pack import Pack, PackedLine
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.spool import IN_MEMORY, SpooledLines
from ocrlstm.datasets.workers import map_in_order
from ocrlstm.errors import CodecError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.frames import minimum_frames
from ocrlstm.kernels.threads import thread_count
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import Codec, TextRules

__all__ = ["check_characters", "check_lengths", "check_pairs"]

NO_RULES = TextRules()
Frames = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]


def check_pairs(
    pairs: Sequence[LinePair],
    normalizer: LineNormalizer,
    normal_form: str,
    rules: TextRules = NO_RULES,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
    in_memory: int = IN_MEMORY,
) -> tuple[LineSet, list[Problem]]:
    """Read and check all pairs, over all cores; lines of packs stay where they are.

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
    DatasetError
        If a pack was made with another normaliser, normal form or rules.
    OutputError
        If the temporary file cannot hold the lines.
    """
    form = LineForm(normalizer, normal_form, rules)
    kept = _KeptLines(SpooledLines(in_memory))
    problems: list[Problem] = []
    unread: list[LinePair] = []
    for pair in pairs:
        if isinstance(pair, PackedLine):
            kept.add_packed(pair, form)
        else:
            kept.add_unread()
            unread.append(pair)

    def make(pair: LinePair) -> MadeLine | Problem:
        return make_line(pair, form, max_pixels, squeezed=kept.spool.full)

    packed = len(pairs) - len(unread)
    for done, made in enumerate(map_in_order(make, unread, thread_count(), ahead=64), packed + 1):
        if isinstance(made, MadeLine):
            kept.spool.add(made)
        else:
            problems.append(made)
        kept.read.append(isinstance(made, MadeLine))
        if progress is not None:
            progress(done, len(pairs))
    return kept.in_order(), problems


class _KeptLines:
    """Lines of pairs in a spool, lines of packs where they are, and the order of both."""

    def __init__(self, spool: SpooledLines) -> None:
        self.spool = spool
        self.read: list[bool] = []
        self._packs: dict[int, tuple[int, Pack]] = {}
        self._parts = array("q")
        self._numbers = array("q")

    def add_unread(self) -> None:
        self._parts.append(0)
        self._numbers.append(0)

    def add_packed(self, line: PackedLine, form: LineForm) -> None:
        pack = line.pack
        if id(pack) not in self._packs:
            pack.require(form)
            self._packs[id(pack)] = len(self._packs) + 1, pack
        self._parts.append(self._packs[id(pack)][0])
        self._numbers.append(line.number)

    def in_order(self) -> LineSet:
        if not self._packs:
            return self.spool
        sets = [self.spool, *(pack for _, pack in self._packs.values())]
        starts = np.cumsum([0, *map(len, sets)])
        parts, numbers = np.array(self._parts), np.array(self._numbers)
        read = np.array(self.read, bool)
        unread = np.flatnonzero(parts == 0)
        numbers[unread[read]] = np.arange(len(self.spool))
        order = starts[parts] + numbers
        return join_lines(sets).select(np.delete(order, unread[~read]))


def check_lengths(
    lines: LineSet, frames: Frames, unit: str = "grapheme", normal_form: str = "NFC"
) -> tuple[LineSet, list[Problem]]:
    """Check whether the frames of a network can hold the texts of lines.

    Parameters
    ----------
    lines : LineSet
        From `check_pairs`.
    frames : callable
        Widths of normalised lines (N,) -> frames of the network (N,).
    unit, normal_form : str
        Of the codec that will spell the texts, see `ocrlstm.text.Codec`.

    Returns
    -------
    lines : LineSet
        Those that have frames enough.
    problems : list of Problem
        The others, under their names.
    """
    widths = lines.widths
    there = frames(widths)

    def fault(number: int, text: str) -> str | None:
        has = int(there[number])
        # No text needs more than a frame for each code point and a blank between any two.
        if text and has >= 2 * len(text) - 1:
            return None
        labels = Codec.from_texts([text], unit, normal_form).encode(text)
        if len(labels) == 0:
            return "the text is empty"
        needed = minimum_frames(labels)
        if has >= needed:
            return None
        return (
            f"too short for its text: {len(labels)} characters need {needed} frames, the line "
            f"gives {has} ({int(widths[number])} pixels wide after normalisation); is the text "
            "another line's?"
        )

    return _without_faults(lines, fault)


def check_characters(lines: LineSet, codec: Codec) -> tuple[LineSet, list[Problem]]:
    """Check whether a codec can spell the texts of lines.

    Parameters
    ----------
    lines : LineSet
    codec : Codec

    Returns
    -------
    lines : LineSet
        Those that it can spell.
    problems : list of Problem
        The others, under their names.
    """

    def fault(number: int, text: str) -> str | None:
        try:
            codec.encode(text)
        except CodecError as error:
            return str(error)
        return None

    return _without_faults(lines, fault)


def _without_faults(
    lines: LineSet, fault: Callable[[int, str], str | None]
) -> tuple[LineSet, list[Problem]]:
    good = np.ones(len(lines), bool)
    problems: list[Problem] = []
    for number, text in enumerate(lines.texts()):
        reason = fault(number, text)
        if reason is not None:
            good[number] = False
            problems.append(Problem(Path(lines.name(number)), reason))
    return (lines if not problems else lines.select(np.flatnonzero(good))), problems
