"""What a run is trained on: checked lines, their codec, and the share held back for validation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ocrlstm.datasets import Pair, Problem, Sample, check_lengths, check_pairs
from ocrlstm.errors import DatasetError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import Network, parse_spec
from ocrlstm.text import Codec, base_direction
from ocrlstm.training.config import TrainingConfig

__all__ = ["Material", "gather_material"]

# Key that keeps the choice of held-back lines apart from the other random streams of a seed.
_HOLD_BACK = 0
# With fewer lines than this, holding some back would cost more than it tells.
_FEWEST_TO_SHARE = 10


@dataclass(frozen=True)
class Material:
    """Lines that passed all checks.

    Attributes
    ----------
    training, validation : list of Sample
    codec : Codec
    normalizer : LineNormalizer
    problems : list of Problem
        The pairs left out, and why.
    shared : bool
        There were too few lines to hold some back: validation reads the training lines.
    """

    training: list[Sample]
    validation: list[Sample]
    codec: Codec
    normalizer: LineNormalizer
    problems: list[Problem]
    shared: bool

    @property
    def fingerprint(self) -> str:
        """A digest of all lines, by which a resumed run knows its material again."""
        digest = hashlib.sha256()
        for sample in (*self.training, *self.validation):
            digest.update(sample.text.encode())
            digest.update(np.array(sample.pixels.shape).tobytes())
            digest.update(sample.pixels.tobytes())
        return digest.hexdigest()


def gather_material(
    pairs: Sequence[Pair],
    validation: Sequence[Pair],
    config: TrainingConfig,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
) -> Material:
    """Read and check all pairs of a run.

    Parameters
    ----------
    pairs : sequence of Pair
    validation : sequence of Pair
        Empty: `config.validation_share` of `pairs` is held back.
    config : TrainingConfig
    max_pixels : int
    progress : callable, optional
        Called with the numbers of pairs done and of all.

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
    spec = parse_spec(config.sized_spec, None if _has_classes(config.sized_spec) else 2)
    normalizer = LineNormalizer(kind=config.normalizer, height=spec.height)
    everything = [*pairs, *validation]
    samples, problems = check_pairs(
        everything, normalizer, config.normal_form, max_pixels=max_pixels, progress=progress
    )
    if not samples:
        raise DatasetError(_nothing_left(len(everything), problems))
    texts = [sample.text for sample in samples]
    direction = base_direction(texts) if config.direction == "auto" else config.direction
    codec = Codec.from_texts(texts, config.unit, config.normal_form, direction)
    # Only its arithmetic of widths is asked, so its weights stay zero.
    network = Network(config.sized_spec, len(codec))
    samples, too_long = check_lengths(
        samples, codec, lambda width: int(network.frames(np.array([width]))[0])
    )
    problems = [*problems, *too_long]
    names = {str(pair.image) for pair in validation}
    training = [sample for sample in samples if sample.name not in names]
    held_back = [sample for sample in samples if sample.name in names]
    if not training:
        raise DatasetError(_nothing_left(len(everything), problems))
    shared = False
    if not validation:
        training, held_back, shared = _hold_back(training, config)
    if not held_back:
        raise DatasetError("none of the validation pairs is of use; see the list of problems")
    return Material(training, held_back, codec, normalizer, problems, shared)


def _has_classes(spec: str) -> bool:
    return spec.rstrip().rstrip("]")[-1:].isdigit()


def _nothing_left(count: int, problems: Sequence[Problem]) -> str:
    first = f"; the first problem: {problems[0]}" if problems else ""
    return f"none of {count} pairs can be trained on{first}"


def _hold_back(
    samples: list[Sample], config: TrainingConfig
) -> tuple[list[Sample], list[Sample], bool]:
    count = round(config.validation_share * len(samples))
    if len(samples) < _FEWEST_TO_SHARE or count == 0:
        return samples, samples, True
    rng = np.random.default_rng([config.seed, _HOLD_BACK])
    chosen = set(rng.permutation(len(samples))[:count].tolist())
    training = [sample for i, sample in enumerate(samples) if i not in chosen]
    return training, [samples[i] for i in sorted(chosen)], False
