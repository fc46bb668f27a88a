"""What a run is trained on: checked lines, their codec, and the share held back for validation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ocrlstm.datasets import LinePair, Problem, Sample, check_lengths, check_pairs
from ocrlstm.errors import DatasetError, SpecError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network, Spec, check_line_spec, parse_spec, tells_classes
from ocrlstm.text import Codec, base_direction, find_missing
from ocrlstm.training.charset import choose_codec
from ocrlstm.training.config import TrainingConfig

__all__ = ["Material", "check_spec", "gather_material"]

# Key that keeps the choice of held-back lines apart from the other random streams of a seed.
_HOLD_BACK = 0
# The CER of fewer lines says little, so that many are held back if that is no more than a tenth.
_FEWEST_HELD_BACK = 5
# Where the training lines themselves are read for want of others, so many of them are enough.
_MOST_SHARED = 200


@dataclass(frozen=True)
class Material:
    """Lines that passed all checks.

    Attributes
    ----------
    training, validation : list of Sample
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

    training: list[Sample]
    validation: list[Sample]
    codec: Codec
    normalizer: LineNormalizer
    problems: list[Problem]
    shared: bool
    unseen: dict[str, str]

    @property
    def fingerprint(self) -> str:
        """A digest of all lines, by which a resumed run knows its material again."""
        digest = hashlib.sha256()
        for sample in (*self.training, *self.validation):
            text = sample.text.encode("utf-8", "surrogatepass")
            digest.update(np.array([len(text), *sample.shape]).tobytes())
            digest.update(text)
            digest.update(sample.pixels.tobytes())
        return digest.hexdigest()


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
    pairs = _without(pairs, validation)
    samples, problems = check_pairs(
        [*pairs, *validation],
        normalizer,
        config.normal_form,
        config.rules,
        max_pixels=max_pixels,
        progress=progress,
    )
    if not samples:
        raise DatasetError(_nothing_left(len(pairs) + len(validation), problems))
    texts = [sample.text for sample in samples]
    direction = base_direction(texts) if config.direction == "auto" else config.direction
    everything = Codec.from_texts(texts, config.unit, config.normal_form, direction)
    # Only its arithmetic of widths is asked.
    network = Network(spec)
    samples, too_long = check_lengths(
        samples, everything, lambda width: int(network.frames(np.array([width]))[0])
    )
    problems = [*problems, *too_long]
    chosen = {pair.name for pair in validation}
    training = [sample for sample in samples if sample.name not in chosen]
    if start is not None and config.charset == "keep":
        training, foreign = check_lengths(training, start.codec, None)
        problems = [*problems, *foreign]
    held_back = [sample for sample in samples if sample.name in chosen]
    if not training:
        raise DatasetError(_nothing_left(len(pairs), problems))
    shared = False
    if not validation:
        training, held_back, shared = _hold_back(training, config)
    elif not held_back:
        reason = _first(problems)
        raise DatasetError(f"none of {len(validation)} validation pairs is of use{reason}")
    spelt = [sample.text for sample in training]
    if start is None:
        codec = Codec.from_texts(spelt, config.unit, config.normal_form, direction)
    else:
        codec = choose_codec(config.charset or "union", start.codec, spelt)
    unseen = find_missing(codec, ((sample.name, sample.text) for sample in held_back))
    return Material(training, held_back, codec, normalizer, problems, shared, unseen)


def _without(pairs: Sequence[LinePair], others: Sequence[LinePair]) -> list[LinePair]:
    """Leave out the pairs whose line is also that of another one, by whatever path."""
    taken = {pair.identity for pair in others}
    return [pair for pair in pairs if pair.identity not in taken]


def _nothing_left(count: int, problems: Sequence[Problem]) -> str:
    if count == 0:
        return "no pairs are left to train on: all are validation pairs"
    return f"none of {count} pairs can be trained on{_first(problems)}"


def _first(problems: Sequence[Problem]) -> str:
    return f"; the first problem: {problems[0]}" if problems else ""


def _hold_back(
    samples: list[Sample], config: TrainingConfig
) -> tuple[list[Sample], list[Sample], bool]:
    share, lines = config.validation_share, len(samples)
    count = max(round(share * lines), min(_FEWEST_HELD_BACK, lines // 10)) if share > 0 else 0
    if count == 0:
        return samples, samples[:: -(-lines // _MOST_SHARED)], True
    rng = np.random.default_rng([config.seed, _HOLD_BACK])
    chosen = set(rng.permutation(lines)[:count].tolist())
    training = [sample for i, sample in enumerate(samples) if i not in chosen]
    return training, [samples[i] for i in sorted(chosen)], False
