"""A learning rate that falls when what is measured gets no better."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ocrlstm.optimizers.checks import check_shares

__all__ = ["ReduceOnPlateau"]


class ReduceOnPlateau:
    """Lower the learning rate each time that a measured value stops falling.

    Unlike the functions of `schedules`, which know only how far the run is, it is told a value
    after every epoch, and has a state that a resumed run must load.

    Parameters
    ----------
    factor : float, default=0.5
        What the rate is multiplied with each time, in [0, 1).
    patience : int, default=5
        So many values in a row may be no better; one more and the rate falls.
    threshold : float, default=1e-4
        A value is better if it is below the best by more than this share of it, in [0, 1).
    minimum : float, default=0.0
        The lowest factor it comes to, in [0, 1).

    Attributes
    ----------
    value : float
        The factor as it is now, for the caller to multiply with his learning rate; 1 at first.

    Examples
    --------
    >>> plateau = ReduceOnPlateau(factor=0.5, patience=1)
    >>> [plateau.step(loss) for loss in (4.0, 3.0, 3.5, 3.1, 3.2)]
    [1.0, 1.0, 1.0, 0.5, 0.5]
    """

    def __init__(
        self,
        factor: float = 0.5,
        patience: int = 5,
        threshold: float = 1e-4,
        minimum: float = 0.0,
    ) -> None:
        check_shares(factor=factor, threshold=threshold, minimum=minimum)
        if patience < 0:
            raise ValueError(f"patience must be 0 or more, not {patience}")
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.minimum = minimum
        self.value = 1.0
        self._best = math.inf
        self._no_better = 0

    def step(self, measured: float) -> float:
        """Take note of a value that should fall, such as a validation's loss.

        Parameters
        ----------
        measured : float
            nan is no better than anything.

        Returns
        -------
        float
            The factor from now on.
        """
        margin = self.threshold * abs(self._best) if math.isfinite(self._best) else 0.0
        if measured < self._best - margin:
            self._best = float(measured)
            self._no_better = 0
        else:
            self._no_better += 1
        if self._no_better > self.patience:
            self.value = max(self.value * self.factor, self.minimum)
            self._no_better = 0
        return self.value

    def state(self) -> dict[str, np.ndarray]:
        """Return all that the next step depends on."""
        return {
            "value": np.array(self.value),
            "best": np.array(self._best),
            "no_better": np.array(self._no_better, np.int64),
        }

    def load_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Take over what `state` returned.

        Raises
        ------
        ValueError
            If it is the state of something else.
        """
        if state.keys() != self.state().keys():
            odd = sorted(state.keys() ^ self.state().keys())
            raise ValueError(f"not the state of ReduceOnPlateau: {', '.join(odd)}")
        self.value = float(state["value"])
        self._best = float(state["best"])
        self._no_better = int(state["no_better"])
