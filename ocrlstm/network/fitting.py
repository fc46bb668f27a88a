"""Training a network on inputs with targets, as its user has them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from ocrlstm.errors import TrainingError
from ocrlstm.kernels.memory import reuse_memory
from ocrlstm.network.graph import Graph
from ocrlstm.network.history import FitRecord, History
from ocrlstm.network.objective import Objective
from ocrlstm.network.predicting import evaluate
from ocrlstm.network.rates import RateFactor, Schedule
from ocrlstm.network.samples import Samples, check_count, portions
from ocrlstm.optimizers import OPTIMIZERS, Optimizer, clip_by_norm, clip_by_value

__all__ = ["FitOptions", "fit", "hold_back", "make_optimizer"]

# Keys that keep the random streams of one seed apart.
_ORDER, _DROPOUT, _SPLIT = 1, 2, 3


@dataclass(frozen=True)
class FitOptions:
    """How to train; see `Network.fit`.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    batch_size: int
    epochs: int
    shuffle: bool
    seed: int
    schedule: Schedule | None
    clip: float | None
    clip_value: float | None
    patience: int | None
    progress: Callable[[FitRecord], object] | None

    def __post_init__(self) -> None:
        """Check the numbers."""
        check_count("batch_size", self.batch_size)
        check_count("epochs", self.epochs)
        check_count("seed", self.seed, 0)
        if self.patience is not None:
            check_count("patience", self.patience)
        for name in ("clip", "clip_value"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be above 0, not {value}")


def make_optimizer(optimizer: str | Optimizer) -> Optimizer:
    """Return an optimiser by its name, with its usual settings, or the one that is given.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if isinstance(optimizer, Optimizer):
        return optimizer
    if not isinstance(optimizer, str) or optimizer not in OPTIMIZERS:
        raise ValueError(f"{optimizer!r} is no optimizer; choose one of {', '.join(OPTIMIZERS)}")
    return OPTIMIZERS[optimizer]()


def hold_back(samples: Samples, share: float, seed: int) -> tuple[Samples, Samples]:
    """Return the samples to train with, and those of a share, drawn at random, to validate with.

    Raises
    ------
    ValueError
        If it is no share, or there is nothing left for one of them.
    """
    if not isinstance(share, Real):
        raise ValueError(
            "what to validate with is a share of the items, a tuple (x, y) or (x, y, lengths), "
            f"not {type(share).__name__}"
        )
    count = round(len(samples) * share) if 0 < share < 1 else 0
    if not 0 < count < len(samples):
        raise ValueError(
            f"a share to validate with lies in (0, 1) and leaves items on both sides, "
            f"not {share} of {len(samples)}"
        )
    order = np.random.default_rng([seed, _SPLIT]).permutation(len(samples))
    return samples.part(np.sort(order[count:])), samples.part(np.sort(order[:count]))


def fit(
    graph: Graph,
    objective: Objective,
    optimizer: Optimizer,
    samples: Samples,
    validation: Samples | None,
    options: FitOptions,
) -> History:
    """Train to the end, or until an interrupt; see `Network.fit`."""
    reuse_memory()
    if not graph.trained(graph.parameters()):
        raise ValueError("the network has no weights to train")
    if options.patience is not None and validation is None:
        raise ValueError("patience needs a validation to look at")
    run = _Run(graph, objective, optimizer, samples, validation, options)
    interrupted = False
    try:
        while not run.finished():
            run.epoch()
    except KeyboardInterrupt:
        interrupted = True
    return run.end(interrupted)


class _Run:
    """A fit under way."""

    def __init__(
        self,
        graph: Graph,
        objective: Objective,
        optimizer: Optimizer,
        samples: Samples,
        validation: Samples | None,
        options: FitOptions,
    ) -> None:
        self.graph = graph
        self.objective = objective
        self.optimizer = optimizer
        self.samples = samples
        self.validation = validation
        self.options = options
        self.records: list[FitRecord] = []
        self.step = 0
        batches = -(-len(samples) // options.batch_size)
        self.factor = RateFactor(options.schedule, batches * options.epochs)
        self.rate = 0.0
        self.best: dict[str, np.ndarray] = {}
        self.best_loss = math.inf
        self.best_epoch: int | None = None

    def finished(self) -> bool:
        """Whether all epochs are done, or the validation has got no better for too long."""
        epoch, patience = len(self.records), self.options.patience
        if patience is not None and epoch - (self.best_epoch or 0) >= patience:
            return True
        return epoch >= self.options.epochs

    def epoch(self) -> None:
        """Run one epoch, its validation, and tell of it."""
        begun = time.monotonic()
        options, epoch = self.options, len(self.records) + 1
        order = np.arange(len(self.samples))
        if options.shuffle:
            order = np.random.default_rng([options.seed, _ORDER, epoch]).permutation(order)
        loss, right, count = 0.0, 0, 0
        for places in portions(order, options.batch_size):
            losses, found = self._step(self.samples.numbers[places], epoch)
            loss += losses
            right, count = right + found[0], count + found[1]
        loss /= len(self.samples)
        measured = None
        if self.validation is not None:
            measured = evaluate(self.graph, self.objective, self.validation, options.batch_size)
            self._keep_best(measured.loss, epoch)
        self.factor.end_epoch(loss if measured is None else measured.loss)
        record = FitRecord(
            epoch,
            loss,
            right / count if count else None,
            None if measured is None else measured.loss,
            None if measured is None else measured.accuracy,
            self.rate,
            time.monotonic() - begun,
        )
        self.records.append(record)
        if options.progress is not None:
            options.progress(record)

    def _step(self, numbers: np.ndarray, epoch: int) -> tuple[float, tuple[int, int]]:
        """Make one step; return the sum of losses, and how many places are right and of how many.

        Nothing is learnt where a number is not finite.
        """
        graph, options = self.graph, self.options
        self.rate = self.optimizer.rate * self.factor.at(self.step)
        graph.set_rng(np.random.default_rng([options.seed, _DROPOUT, self.step]))
        x, lengths = self.samples.inputs.batch(numbers, graph.dtype)
        buffers = {name: buffer.copy() for name, buffer in graph.buffers().items()}
        # What overflows shows in the loss or the gradients, and is told once, there.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            outputs, sizes = graph.forward(x, lengths, training=True)
            targets = self.samples.targets.batch(numbers, outputs, sizes)
            losses, gradient = self.objective.measure(outputs, sizes, targets)
            graph.backward(gradient / np.array(len(numbers), gradient.dtype))
            gradients = graph.trained(graph.gradients())
            if options.clip_value is not None:
                clip_by_value(gradients, options.clip_value)
            norm = clip_by_norm(gradients, options.clip or math.inf)
        loss = float(losses.sum())
        if not (math.isfinite(loss) and math.isfinite(norm)):
            for name, buffer in graph.buffers().items():
                buffer[...] = buffers[name]
            raise TrainingError(
                f"epoch {epoch}, step {self.step + 1}: the loss or its gradient is not finite; "
                "a lower learning rate or clip=1 may help"
            )
        self.optimizer.update(graph.trained(graph.parameters()), gradients, self.rate)
        self.step += 1
        return loss, self.samples.targets.right(numbers, outputs, sizes) or (0, 0)

    def _keep_best(self, loss: float, epoch: int) -> None:
        if self.options.patience is None or not loss < self.best_loss:
            return
        # Copied before it is noted: an interrupt between them must not make others the best.
        best = {name: array.copy() for name, array in self.graph.arrays().items()}
        self.best, self.best_loss, self.best_epoch = best, loss, epoch

    def end(self, interrupted: bool) -> History:
        """Go back to the best weights, if they were kept."""
        for name, array in self.graph.arrays().items():
            if name in self.best:
                array[...] = self.best[name]
        return History(tuple(self.records), interrupted, self.best_epoch)
