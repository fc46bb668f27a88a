"""Turn pairs into normalised lines with texts, and say which pairs are of no use and why.

All is checked before the first training step, so that a fault of the thousandth pair shows at
once and not after an hour. A bad pair never stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.spool import IN_MEMORY, Pixels, Spool, SpooledPixels
from ocrlstm.datasets.workers import map_in_order
from ocrlstm.errors import CodecError, OcrError
from ocrlstm.image import MAX_PIXELS, source_name
from ocrlstm.kernels.frames import minimum_frames
from ocrlstm.kernels.threads import thread_count
from ocrlstm.lines import LineNormalizer, normalize_line
from ocrlstm.text import Codec, normalize_text

__all__ = ["Sample", "check_lengths", "check_pairs"]


@dataclass(frozen=True, eq=False)
class Sample:
    """A normalised line and its text.

    Attributes
    ----------
    name : str
        That of the pair, mostly the path of the image.
    kept : uint8 array of shape (H, W), or SpooledPixels
        The normalised line, or where on disk it is.
    text : str
        In logical order and normal form, never empty.
    """

    name: str
    kept: Pixels | SpooledPixels
    text: str

    def __post_init__(self) -> None:
        """Check shape and type, since a float line would train on nearly nothing."""
        kept = self.kept
        if isinstance(kept, np.ndarray) and (kept.ndim != 2 or kept.dtype != np.uint8):
            raise ValueError(
                f"pixels must be uint8 of shape (H, W), not {kept.dtype} of shape {kept.shape}"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the line."""
        return (self.kept.shape[0], self.kept.shape[1])

    @property
    def pixels(self) -> Pixels:
        """The normalised line, uint8 of shape (H, W), ink 255: a quarter of float32's memory."""
        return self.kept if isinstance(self.kept, np.ndarray) else self.kept.read()


def check_pairs(
    pairs: Sequence[LinePair],
    normalizer: LineNormalizer,
    normal_form: str,
    codec: Codec | None = None,
    frames: Callable[[int], int] | None = None,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
    in_memory: int = IN_MEMORY,
) -> tuple[list[Sample], list[Problem]]:
    """Read and check all pairs, over all cores.

    Parameters
    ----------
    pairs : sequence of LinePair
        From `find_pairs`, or held in memory.
    normalizer : LineNormalizer
        Makes the network's input of an image.
    normal_form : str
        Normal form of the texts, see `ocrlstm.text.normalize_text`.
    codec : Codec, optional
        If given, a text with characters it lacks is a problem.
    frames : callable, optional
        Width of a normalised line -> frames of the network. With `codec`, a line with fewer frames
        than its text needs is a problem.
    max_pixels : int
        Larger images are a problem, not a full memory.
    progress : callable, optional
        Called as ``progress(done, total)`` after each pair, from the calling thread.
    in_memory : int
        Bytes of lines held in memory; what is more goes into a temporary file.

    Returns
    -------
    samples : list of Sample
        The good ones, in the order of `pairs`.
    problems : list of Problem
        The others, in the order of `pairs`.
    """

    def check(pair: LinePair) -> Sample | Problem:
        at_fault = text_path = Path(pair.text_name)
        try:
            text = normalize_text(pair.read_text(), normal_form)
            if not text:
                return Problem(text_path, "the text is empty")
            at_fault = Path(pair.name)
            line = normalize_line(pair.read_ink(max_pixels), normalizer)
        except OcrError as error:
            return Problem(at_fault, _without_path(str(error), at_fault))
        pixels = np.rint(line.pixels * 255.0).astype(np.uint8)
        sample = Sample(pair.name, pixels, text)
        if codec is None:
            return sample
        return _fault(sample, codec, frames, text_path) or sample

    samples: list[Sample] = []
    problems: list[Problem] = []
    spool = Spool(in_memory)
    for done, result in enumerate(map_in_order(check, pairs, thread_count(), ahead=64), 1):
        if isinstance(result, Sample):
            samples.append(Sample(result.name, spool.keep(result.pixels), result.text))
        else:
            problems.append(result)
        if progress is not None:
            progress(done, len(pairs))
    return samples, problems


def check_lengths(
    samples: Sequence[Sample], codec: Codec, frames: Callable[[int], int] | None
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
        problem = _fault(sample, codec, frames, Path(sample.name))
        if problem is None:
            good.append(sample)
        else:
            problems.append(problem)
    return good, problems


def _fault(
    sample: Sample, codec: Codec, frames: Callable[[int], int] | None, text_path: Path
) -> Problem | None:
    try:
        labels = codec.encode(sample.text)
    except CodecError as error:
        return Problem(text_path, _without_path(str(error), text_path))
    if frames is None:
        return None
    needed, width = minimum_frames(labels), sample.shape[1]
    there = frames(width)
    if there >= needed:
        return None
    return Problem(
        Path(sample.name),
        f"too short for its text: {len(labels)} characters need {needed} frames, the line gives "
        f"{there} ({width} pixels wide after normalisation); is the text another line's?",
    )


def _without_path(message: str, path: Path) -> str:
    # Names in messages of images are made printable, the others are not.
    return message.removeprefix(f"{path}: ").removeprefix(f"{source_name(path)}: ")
