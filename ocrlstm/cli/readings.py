"""What ``ocrlstm evaluate`` compares: the ground truth, and readings by a model or from texts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ocrlstm.cli.console import Reporter
from ocrlstm.cli.outputs import output_names
from ocrlstm.datasets import LinePair, PackedLine, image_stem
from ocrlstm.errors import DatasetError
from ocrlstm.evaluation import Reliability, mark_right, measure_reliability
from ocrlstm.recognition import Ensemble, Recognizer
from ocrlstm.text import TextRules, describe_missing, find_missing, normalize_text

__all__ = ["Reading", "find_predictions", "read_by_model", "read_truths"]


@dataclass
class Reading:
    """What was read of every line.

    Attributes
    ----------
    texts : list of str
        Empty for a line that could not be read.
    unread : int
        How many those are.
    confidences, right : array
        Of all characters read: how sure, and 1 for those that agree with the truth. Empty for
        texts, which come without confidences.
    """

    texts: list[str] = field(default_factory=list)
    unread: int = 0
    confidences: array[float] = field(default_factory=lambda: array("d"))
    right: array[int] = field(default_factory=lambda: array("b"))

    def add(self, text: str | None) -> None:
        """Add a line; None for one that could not be read."""
        self.texts.append(text or "")
        self.unread += text is None

    @property
    def reliability(self) -> Reliability | None:
        """How the confidences came true, if there are any."""
        if not self.confidences:
            return None
        return measure_reliability(self.confidences, self.right)


def read_truths(
    pairs: Sequence[LinePair], normal_form: str, rules: TextRules, reporter: Reporter
) -> tuple[list[LinePair], list[str]]:
    """Read the ground truth; a pair without a usable text is told and left out."""
    kept: list[LinePair] = []
    truths: list[str] = []
    faults: list[DatasetError] = []
    for pair in pairs:
        try:
            truths.append(rules.apply(pair.read_text()))
            kept.append(pair)
        except DatasetError as error:
            faults.append(error)
    if not kept:
        # With one line its own fault says all; with many, the first is an example.
        count = f" (and no other of the {len(faults)} texts is usable)" if len(faults) > 1 else ""
        raise DatasetError(f"{faults[0]}{count}")
    for fault in faults:
        reporter.note(f"{fault}; the line does not count")
    is_empty = [not normalize_text(truth, normal_form) for truth in truths]
    if all(is_empty):
        count = f" (as are all {len(kept)})" if len(kept) > 1 else ""
        raise DatasetError(f"{kept[0].text_name}: the text is empty{count}, nothing can be scored")
    for pair, empty in zip(kept, is_empty, strict=True):
        if empty:
            reporter.note(f"{pair.text_name}: the text is empty; all that is read counts as error")
    return kept, truths


def read_by_model(
    recognizer: Recognizer | Ensemble,
    pairs: Sequence[LinePair],
    truths: Sequence[str],
    threads: int | None,
    reporter: Reporter,
) -> Reading:
    """Read all lines; what could not be read is told.

    Raises
    ------
    DatasetError
        A pack among the pairs was not made for the model.
    """
    _check_packs(recognizer, pairs)
    codec = recognizer.codec
    named = zip((pair.text_name for pair in pairs), truths, strict=True)
    if lacking := find_missing(codec, named):
        reporter.note(
            "unknown to the model and counted as an error wherever it occurs: "
            f"{describe_missing(lacking)}"
        )
    reading = Reading()
    lines = recognizer.recognize_lines(pairs, threads=threads)
    for line, truth in zip(lines, truths, strict=True):
        if line.error is not None:
            reporter.note(f"{line.error}; counts as empty")
        reading.add(line.text if line.error is None else None)
        read = [character.text for character in line.characters]
        reading.right.extend(mark_right(codec.split(truth), read))
        reading.confidences.extend(character.confidence for character in line.characters)
        reporter.advance()
    return reading


def _check_packs(recognizer: Recognizer | Ensemble, pairs: Sequence[LinePair]) -> None:
    voters = recognizer.recognizers if isinstance(recognizer, Ensemble) else (recognizer,)
    first_lines = {id(pair.pack): pair for pair in pairs if isinstance(pair, PackedLine)}
    for line in first_lines.values():
        for voter in voters:
            line.read_line(voter.model.normalizer)


def find_predictions(
    folder: Path,
    images: Sequence[Path],
    pairs: Sequence[LinePair],
    rules: TextRules,
    reporter: Reporter,
) -> Reading:
    """Read the texts NAME.txt of a folder; one that is not there or not readable is told."""
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder of predictions")
    # Named for all images, with or without text, just as `recognize -o` did it.
    names = dict(zip(images, output_names(images, ".txt"), strict=True))
    reading = Reading()
    for pair in pairs:
        # Programs that know NAME.bin.png as NAME write NAME.txt.
        by_text = Path(pair.text_name).name.removesuffix(".gt.txt")
        candidates = [folder / names[Path(pair.name)]]
        if by_text != image_stem(Path(pair.name)):
            candidates.append(candidates[0].with_name(f"{by_text}.txt"))
        path = next((path for path in candidates if path.is_file()), None)
        text = None
        if path is None:
            reporter.note(f"{candidates[0]}: no such prediction; counts as empty")
        else:
            try:
                # Other programs end a text with a form feed or break it; blanks are collapsed
                # later.
                text = rules.apply(path.read_text(encoding="utf-8-sig"))
            except UnicodeDecodeError as error:
                reporter.note(f"{path}: not UTF-8 (offset {error.start}); counts as empty")
        reading.add(text)
        reporter.advance()
    return reading
