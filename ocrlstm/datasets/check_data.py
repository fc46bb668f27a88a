"""Check a data set: every pair is opened, and all that is wrong with it or odd is told."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from ocrlstm.datasets.columns import TextColumn
from ocrlstm.datasets.data_report import DATA_KINDS, DataFinding, DataReport
from ocrlstm.datasets.finding import FoundPairs, find_pairs
from ocrlstm.datasets.inspection import Expectations, Inspected, inspect_pair
from ocrlstm.datasets.lonely_texts import find_lonely_texts
from ocrlstm.datasets.odd_heights import find_odd_heights
from ocrlstm.datasets.pack import PackedLine
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.paths import StrPath
from ocrlstm.datasets.workers import map_in_order
from ocrlstm.evaluation import count_edits, error_rate
from ocrlstm.kernels.threads import thread_count
from ocrlstm.text import survey_texts

__all__ = ["ReadLines", "check_data"]

#: Pairs -> what a model reads in them, None where it cannot.
ReadLines = Callable[[Sequence[LinePair]], Sequence[str | None]]

# Above this share of wrong characters it is more likely that text and image do not belong together
# than that the model is so bad.
_MISPAIRED = 0.6
# A word of three letters has such a rate with two mistakes.
_SHORTEST = 4
# So many pairs the model reads at a time.
_CHUNK = 256


def check_data(
    paths: Iterable[StrPath],
    expected: Expectations,
    *,
    read: ReadLines | None = None,
    progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> DataReport:
    """Open every pair that paths stand for, over all cores, and tell what is wrong or odd.

    Parameters
    ----------
    paths : iterable of str or path
        As for `find_pairs`.
    expected : Expectations
        What the lines are checked for.
    read : callable, optional
        Reads lines with a model; those whose text is another one are suspected mispairs.
    progress : callable, optional
        Called with the numbers of pairs done and of all, from the calling thread.
    should_stop : callable, optional
        Asked after every pair; true ends the check with what was found so far.

    Returns
    -------
    DataReport

    Raises
    ------
    DatasetError
        A path does not exist or there is no pair; a pack was made in another form than the model
        reads.
    """
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found = find_pairs(paths, progress)
    if expected.codec is not None:
        for pair in found.pairs:
            if isinstance(pair, PackedLine) and pair.number == 0:
                pair.pack.require(expected.form)
    check = _Check(found, paths, read)

    def inspect(pair: LinePair) -> Inspected:
        return inspect_pair(pair, expected)

    def texts() -> Iterator[tuple[str, str]]:
        items = map_in_order(inspect, found.pairs, thread_count(), ahead=64)
        for done, item in enumerate(items, 1):
            check.add(item)
            if progress is not None:
                progress(done, len(found.pairs))
            if item.raw is not None:
                yield item.pair.text_name, item.raw
            if should_stop is not None and should_stop():
                return

    survey = survey_texts(texts(), expected.form.normal_form, expected.form.rules)
    check.end()
    return DataReport(
        len(check.names),
        check.usable,
        len(check.names) == len(found.pairs),
        {kind: tuple(check.findings[kind]) for kind in DATA_KINDS if check.findings[kind]},
        survey,
        error_rate(check.edits, check.characters) if check.lines_read else None,
        check.lines_read,
    )


class _Check:
    """What is known of the pairs seen so far."""

    def __init__(self, found: FoundPairs, paths: Sequence[StrPath], read: ReadLines | None) -> None:
        self.findings: dict[str, list[DataFinding]] = {kind: [] for kind in DATA_KINDS}
        self.names = TextColumn()
        self.usable = 0
        self.edits = self.characters = self.lines_read = 0
        self._texts = TextColumn()
        self._heights = array("l")
        self._folders = array("l")
        self._folder_numbers: dict[str, int] = {}
        self._pictures: dict[bytes, int] = {}
        self._read = read
        self._waiting: list[tuple[Inspected, bool]] = []
        for problem in found.problems:
            self._note("source", DataFinding(str(problem.path), problem.reason))
        for image in found.without_text:
            self._note("without_text", DataFinding(str(image), "no text belongs to it"))
        for text in find_lonely_texts(paths, found.pairs):
            self._note("without_image", DataFinding(str(text), "no image lies beside it"))

    def add(self, item: Inspected) -> None:
        number = len(self.names)
        name = item.pair.name
        self.names.append(name)
        self._texts.append(item.text)
        self._heights.append(item.height)
        folder = os.path.dirname(name)
        self._folders.append(self._folder_numbers.setdefault(folder, len(self._folder_numbers)))
        wrong = False
        for kind, finding in item.findings:
            self._note(kind, finding)
            wrong |= DATA_KINDS[kind].error
        if item.picture:
            wrong |= self._compare_pictures(number, item)
        self.usable += not wrong
        if self._read is not None and item.picture and item.text:
            self._waiting.append((item, wrong))
            if len(self._waiting) == _CHUNK:
                self._read_waiting()

    def end(self) -> None:
        """Find what shows only when all have been seen."""
        self._read_waiting()
        for odd in find_odd_heights(np.array(self._heights), np.array(self._folders)):
            among = "of this folder" if odd.of_folder else "of all images"
            detail = f"{odd.height} pixels high, the median {among} is {odd.median:g}"
            self._note("odd_height", DataFinding(self.names[odd.number], detail))

    def _compare_pictures(self, number: int, item: Inspected) -> bool:
        """Note a picture that was there before; return whether that is an error."""
        first = self._pictures.setdefault(item.picture, number)
        if first == number:
            return False
        other, text = self.names[first], self._texts[first]
        if text == item.text:
            finding = DataFinding(item.pair.name, f"same picture and text as {other}", other)
            self._note("duplicate", finding)
            return False
        detail = f"same picture as {other}, but the text is '{item.text}' and not '{text}'"
        self._note("contradiction", DataFinding(item.pair.name, detail, other))
        return True

    def _read_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if self._read is None or not waiting:
            return
        readings = self._read([item.pair for item, _ in waiting])
        for (item, wrong), reading in zip(waiting, readings, strict=True):
            if reading is None:
                continue
            edits, length = count_edits(item.text, reading), len(item.text)
            self.lines_read += 1
            self.edits += edits
            self.characters += length
            if length >= _SHORTEST and edits > _MISPAIRED * length:
                rate = round(100 * edits / length)
                detail = f"CER {rate} %: the text is '{item.text}', the model reads '{reading}'"
                self._note("mispair", DataFinding(item.pair.name, detail))
                self.usable -= not wrong

    def _note(self, kind: str, finding: DataFinding) -> None:
        self.findings[kind].append(finding)
