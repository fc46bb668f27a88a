"""What a run is trained on: checked lines, their codec, and the share held back for validation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ocrlstm.datasets import (
    IN_MEMORY,
    LineForm,
    LinePair,
    LineSet,
    PackedLine,
    Problem,
    check_characters,
    check_lengths,
    check_pairs,
    fingerprint,
    join_lines,
)
from ocrlstm.errors import DatasetError, SpecError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network, Spec, check_line_spec, parse_spec, tells_classes
from ocrlstm.text import Codec, base_direction, find_missing
from ocrlstm.training.charset import choose_codec
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.held_back import hold_back, without_lines, without_pairs

__all__ = ["Material", "check_spec", "gather_material"]

# Progress is told after so many texts.
_TOLD = 1000


@dataclass(frozen=True)
class Material:
    """Lines that passed all checks.

    Attributes
    ----------
    training, validation : LineSet
    codec : Codec
        Of the training lines: what is only in the others cannot be learnt. In fine-tuning as the
        charset wants it.
    normalizer : LineNormalizer
    problems : list of Problem
        The pairs left out, and why.
    shared : bool
        No lines are held back: validation reads some of the training lines.
    unseen : dict of str to str
        Labels that only validation lines hold, each with the first such line; they count as errors
        there.
    """

    training: LineSet
    validation: LineSet
    codec: Codec
    normalizer: LineNormalizer
    problems: list[Problem]
    shared: bool
    unseen: dict[str, str]

    @property
    def fingerprint(self) -> str:
        """A digest of all lines, by which a resumed run knows its material again."""
        return fingerprint([self.training, self.validation])

    def matches(self, other: str) -> bool:
        """Tell whether a fingerprint is that of these lines; older programs had another kind."""
        if other.startswith("lines-"):
            return other == self.fingerprint
        digest = hashlib.sha256()
        for lines in (self.training, self.validation):
            for sample in lines:
                text = sample.text.encode("utf-8", "surrogatepass")
                digest.update(np.array([len(text), *sample.shape]).tobytes())
                digest.update(text)
                digest.update(sample.pixels.tobytes())
        return other == digest.hexdigest()


def check_spec(config: TrainingConfig) -> tuple[Spec, LineNormalizer]:
    """Find out before anything is read whether the network can be built.

    Returns
    -------
    spec : Spec
        With two classes where it does not tell their number.
    normalizer : LineNormalizer

    Raises
    ------
    SpecError
        If the spec cannot be built, or not for lines.
    """
    text = config.sized_spec
    spec = parse_spec(text, None if tells_classes(text) else 2)
    check_line_spec(spec)
    try:
        return spec, LineNormalizer(config.normalizer, spec.height, config.range)
    except ValueError as error:
        raise SpecError(f"network spec {text!r}: no lines of that size: {error}") from error


def gather_material(
    pairs: Sequence[LinePair],
    validation: Sequence[LinePair],
    config: TrainingConfig,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
    start: LineModel | None = None,
) -> Material:
    """Read and check all pairs of a run.

    Parameters
    ----------
    pairs : sequence of LinePair
    validation : sequence of LinePair
        Empty: `config.validation_share` of `pairs` is held back. Those of them that are among
        `pairs` are not trained on.
    config : TrainingConfig
    max_pixels : int
    progress : callable, optional
        Called with the numbers of pairs done and of all.
    start : LineModel, optional
        What a fine-tuning begins with: its normaliser is used, and its codec as `config.charset`
        says.

    Returns
    -------
    Material

    Raises
    ------
    DatasetError
        If no pair is of use.
    SpecError
        If the spec cannot be built.
    """
    spec, normalizer = check_spec(config)
    if start is not None:
        normalizer = start.normalizer
    form = LineForm(normalizer, config.normal_form, config.rules)
    pairs = without_pairs(pairs, validation)
    total = len(pairs) + len(validation)
    training, held_back, problems = _read(pairs, validation, form, max_pixels, progress)
    if not (training or held_back):
        raise DatasetError(_nothing_left(total, problems))
    packed = any(isinstance(pair, PackedLine) for part in (pairs, validation) for pair in part)
    if packed:
        training = without_lines(training, held_back)

    def texts(lines: LineSet) -> Iterator[str]:
        # To read packs takes no time, but to look through hundreds of thousands of texts does.
        for number, text in enumerate(lines.texts()):
            if packed and progress is not None and number % _TOLD == 0:
                progress(total - 1, total)
            yield text

    direction = config.direction
    if direction == "auto":
        direction = base_direction(texts(join_lines([training, held_back])))
    # Only its arithmetic of widths is asked.
    frames = Network(spec).frames
    training, too_long = check_lengths(training, frames, config.unit, config.normal_form)
    held_back, more = check_lengths(held_back, frames, config.unit, config.normal_form)
    problems += too_long + more
    if start is not None and config.charset == "keep":
        training, foreign = check_characters(training, start.codec)
        problems += foreign
    if not training:
        raise DatasetError(_nothing_left(len(pairs), problems))
    shared = False
    if not validation:
        training, held_back, shared = hold_back(training, config)
    elif not held_back:
        reason = _first(problems)
        raise DatasetError(f"none of {len(validation)} validation pairs is of use{reason}")
    if start is None:
        codec = Codec.from_texts(texts(training), config.unit, config.normal_form, direction)
    else:
        codec = choose_codec(config.charset or "union", start.codec, texts(training))
    if packed and progress is not None:
        progress(total, total)
    unseen = find_missing(codec, zip(held_back.names(), held_back.texts(), strict=True))
    return Material(training, held_back, codec, normalizer, problems, shared, unseen)


def _read(
    pairs: Sequence[LinePair],
    validation: Sequence[LinePair],
    form: LineForm,
    max_pixels: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[LineSet, LineSet, list[Problem]]:
    """Return the lines of both, and the pairs that are of no use."""

    def tell_training(done: int, _: int) -> None:
        if progress is not None:
            progress(done, len(pairs) + len(validation))

    def tell_validation(done: int, _: int) -> None:
        tell_training(len(pairs) + done, 0)

    settings = form.normalizer, form.normal_form, form.rules, max_pixels
    # A fifth of the memory is enough for the lines to validate on.
    training, problems = check_pairs(pairs, *settings, tell_training, IN_MEMORY * 4 // 5)
    held_back, more = check_pairs(validation, *settings, tell_validation, IN_MEMORY // 5)
    return training, held_back, problems + more


def _nothing_left(count: int, problems: Sequence[Problem]) -> str:
    if count == 0:
        return "no pairs are left to train on: all are validation pairs"
    return f"none of {count} pairs can be trained on{_first(problems)}"


def _first(problems: Sequence[Problem]) -> str:
    return f"; the first problem: {problems[0]}" if problems else ""
