"""What one training step changes: the network, its optimiser, and the average of its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ocrlstm.losses import LOSSES, minimum_frames
from ocrlstm.network import Network
from ocrlstm.optimizers import OPTIMIZERS, MovingAverage, Optimizer, clip_by_norm
from ocrlstm.training.config import TrainingConfig
from ocrlstm.training.protection import Protection

__all__ = ["Learner", "copy_weights", "draw_network"]

# Key that keeps the first weights apart from the other random streams of a seed.
_WEIGHTS = 3


class Learner:
    """A network that learns.

    Parameters
    ----------
    config : TrainingConfig
    network : Network
        With its first weights. Frozen layers do not learn.
    protected : ndarray of int64, optional
        Labels that take no part: see `Protection`.

    Attributes
    ----------
    network : Network
    average : MovingAverage
        Of the network's weights and buffers; this is what is validated and saved.
    """

    def __init__(
        self, config: TrainingConfig, network: Network, protected: np.ndarray | None = None
    ) -> None:
        self._config = config
        self.network = network
        unused = np.zeros(0, np.int64) if protected is None else protected
        self._protection = Protection(network, unused)
        self._optimizer = _make_optimizer(config)
        self.average = MovingAverage(network.arrays(), config.average)

    def learn(
        self,
        x: np.ndarray,
        widths: np.ndarray,
        targets: Sequence[np.ndarray],
        rate: float,
        rng: np.random.Generator,
    ) -> tuple[float, int] | None:
        """Make one step.

        Parameters
        ----------
        x : ndarray, shape (N, H, W, 1)
        widths : ndarray of int64, shape (N,)
        targets : sequence of ndarray
            The labels of each line.
        rate : float
        rng : numpy.random.Generator
            Source of the dropout masks.

        Returns
        -------
        tuple of (float, int), or None
            The sum of the losses and the number of lines it is of. A distortion may have narrowed
            a line below what its text needs; such a line teaches nothing and is not counted. None
            if a number was not finite: nothing was learnt then, and `retreat` must follow.
        """
        # What overflows shows in the loss or the weights, and is told once, there.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return self._learn(x, widths, targets, rate, rng)

    def retreat(self) -> None:
        """Go back to the average, and forget the momentum that led astray."""
        self.average.copy_to(self.network.arrays())
        self._optimizer = _make_optimizer(self._config)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all that the next step depends on, named ``part:name``."""
        parts = {
            "weights": self.network.arrays(),
            "optimizer": self._optimizer.state(),
            "average": self.average.state(),
        }
        return {f"{part}:{name}": a for part, named in parts.items() for name, a in named.items()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take over what `arrays` returned.

        Raises
        ------
        ValueError
            If the arrays are those of another network or optimiser.
        """
        parts: dict[str, dict[str, np.ndarray]] = {"weights": {}, "optimizer": {}, "average": {}}
        for name, array in arrays.items():
            part, _, rest = name.partition(":")
            parts[part][rest] = array
        copy_weights(parts["weights"], self.network.arrays())
        self._optimizer.load_state(parts["optimizer"])
        self.average.load_state(parts["average"])

    def _learn(
        self,
        x: np.ndarray,
        widths: np.ndarray,
        targets: Sequence[np.ndarray],
        rate: float,
        rng: np.random.Generator,
    ) -> tuple[float, int] | None:
        network, config = self.network, self._config
        network.set_rng(rng)
        posteriors, frames = network.forward(x, widths, training=True)
        learnt = self._protection.share_out(posteriors, frames)
        losses, gradient = LOSSES[config.ctc](learnt, frames, targets)
        fits = frames >= [minimum_frames(target) for target in targets]
        lines = int(fits.sum())
        if lines == 0:
            return 0.0, 0
        loss = float(losses[fits].sum())
        if not np.isfinite(loss):
            return None
        gradient /= lines
        network.backward(self._protection.pass_back(gradient, learnt, frames))
        gradients = network.trained(network.gradients())
        self._protection.clear(gradients)
        if not np.isfinite(clip_by_norm(gradients, config.clip or np.inf)):
            return None
        self._optimizer.update(network.trained(network.parameters()), gradients, rate)
        self._protection.put_back()
        arrays = network.arrays()
        # Looked at before they come into the average, which must stay a place to go back to.
        if not all(np.isfinite(array).all() for array in arrays.values()):
            return None
        self.average.update(arrays)
        return loss, lines


def draw_network(config: TrainingConfig, classes: int) -> Network:
    """Return a network with random first weights, as the seed wills."""
    rng = np.random.default_rng([config.seed, _WEIGHTS])
    return Network(config.sized_spec, classes, rng)


def copy_weights(source: Mapping[str, np.ndarray], target: Mapping[str, np.ndarray]) -> None:
    """Copy weights into the arrays of a network.

    Raises
    ------
    ValueError
        If they differ in name or shape.
    """
    if source.keys() != target.keys():
        raise ValueError(f"weights differ in {sorted(source.keys() ^ target.keys())}")
    for name, array in target.items():
        if array.shape != source[name].shape:
            raise ValueError(f"{name} is {source[name].shape}, not {array.shape}")
        array[...] = source[name]


def _make_optimizer(config: TrainingConfig) -> Optimizer:
    kind = OPTIMIZERS[config.optimizer]
    if config.optimizer in ("momentum", "nesterov"):
        return kind(momentum=config.momentum)
    if config.optimizer == "adamw":
        return kind(weight_decay=config.weight_decay)
    return kind()
