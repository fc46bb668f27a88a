"""Lines of similar width together, distorted and padded: what the network is given in one step.

Order and distortions are drawn from the seed, the epoch and the line's number alone, so a resumed
run meets the same batches as one that was never stopped.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.datasets import Sample
from ocrlstm.kernels.threads import run_parallel
from ocrlstm.lines import augment, stack_lines
from ocrlstm.training.config import TrainingConfig

__all__ = ["draw_batches", "prepare_batch"]

# Keys that keep the random streams of one seed apart.
_ORDER, _LINE = 1, 2


def draw_batches(widths: np.ndarray, batch_size: int, seed: int, epoch: int) -> list[np.ndarray]:
    """Return the batches of an epoch as arrays of line numbers.

    Lines are sorted by a width blurred by up to 10 %, so that neighbours change from epoch to
    epoch while little of a batch is padding; the batches come in random order.

    Parameters
    ----------
    widths : ndarray, shape (N,)
    batch_size : int
    seed, epoch : int
    """
    rng = np.random.default_rng([seed, _ORDER, epoch])
    order = np.argsort(widths * rng.uniform(0.9, 1.1, len(widths)), kind="stable")
    starts = np.arange(0, len(order), batch_size)
    rng.shuffle(starts)
    batches = [order[start : start + batch_size] for start in starts]
    return [batch[np.argsort(-widths[batch], kind="stable")] for batch in batches]


def prepare_batch(
    samples: Sequence[Sample], numbers: np.ndarray, config: TrainingConfig, epoch: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distorted lines of a batch as `stack_lines` does.

    Parameters
    ----------
    samples : sequence of Sample
        All lines; any of them may lie beside or behind a distorted one.
    numbers : ndarray of int, shape (N,)
    config : TrainingConfig
    epoch : int
    """

    def pixels_of(number: int) -> np.ndarray:
        pixels: np.ndarray = samples[number].pixels * np.float32(1 / 255)
        return pixels

    def lend(rng: np.random.Generator) -> np.ndarray:
        return pixels_of(int(rng.integers(len(samples))))

    def line(number: int) -> np.ndarray:
        pixels = pixels_of(number)
        if config.augment == 0:
            return pixels
        rng = np.random.default_rng([config.seed, _LINE, epoch, number])
        return augment(pixels, rng, config.augment, config.distortions, lend)

    return stack_lines(run_parallel(line, [(int(number),) for number in numbers]))
