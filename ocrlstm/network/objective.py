"""What a network is trained to make small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ocrlstm.layers import Cost
from ocrlstm.losses import ALIGNMENTS, LOSSES
from ocrlstm.network.graph import Graph

__all__ = ["Loss", "Objective", "make_objective"]

#: (outputs (T, N, F) or (N, H, W, C), lengths (N,), targets) -> losses (N,), gradient of outputs.
Loss = Callable[[np.ndarray, np.ndarray, Any], tuple[np.ndarray, np.ndarray]]

# A log posterior that came out a little above 0 is rounding; probabilities lie well above.
_ROUNDING = 1e-3


@dataclass(frozen=True)
class Objective:
    """A loss and its name.

    Attributes
    ----------
    kind : str
        A name of `ocrlstm.losses.LOSSES`; empty for a loss of the user's own.
    loss : callable
    """

    kind: str
    loss: Loss

    def measure(
        self, outputs: np.ndarray, lengths: np.ndarray, targets: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the loss of every item (N,) and its gradient, not averaged, typed as `outputs`.

        Raises
        ------
        ValueError
            If the loss cannot take them, or a loss of the user's own gives something else.
        """
        if self.kind in ALIGNMENTS and outputs.max(initial=0) > _ROUNDING:
            raise ValueError(
                f"{self.kind} takes log posteriors, which are 0 or less, not {outputs.max():g}; "
                "let the network end with a Softmax"
            )
        losses, gradient = map(np.asarray, self.loss(outputs, lengths, targets))
        if losses.shape != lengths.shape or gradient.shape != outputs.shape:
            raise ValueError(
                f"a loss gives losses {lengths.shape} and a gradient {outputs.shape}, "
                f"not {losses.shape} and {gradient.shape}"
            )
        return losses, gradient.astype(outputs.dtype, copy=False)


def make_objective(graph: Graph, loss: str | Loss | None) -> Objective:
    """Return what a network is to be trained with.

    Parameters
    ----------
    graph : Graph
    loss : str, callable or None
        None takes that of a Cost at the end of the network.

    Raises
    ------
    ValueError
        If there is no such loss, or the network ends with another, or gives nothing for it.
    """
    pieces = graph.plan.series.pieces
    last = pieces[-1] if pieces else None
    if isinstance(last, Cost):
        if loss is not None:
            raise ValueError(f"the network ends with {last!r}; compile it without another loss")
        objective = Objective(last.kind, last.measure)
    elif loss is None:
        raise ValueError(f"compile needs a loss: a function, or one of {', '.join(LOSSES)}")
    elif isinstance(loss, str):
        if loss not in LOSSES:
            raise ValueError(f"{loss!r} is no loss; choose one of {', '.join(LOSSES)}")
        objective = Objective(loss, LOSSES[loss])
    elif callable(loss):
        objective = Objective("", loss)
    else:
        raise ValueError(f"a loss is a function, or one of {', '.join(LOSSES)}, not {loss!r}")
    if objective.kind in ALIGNMENTS and len(graph.output_shape) != 2:
        raise ValueError(
            f"{objective.kind} takes sequences, the network gives {graph.output_shape}"
        )
    plan = graph.plan
    if len(plan.lengths[-1]) != len(plan.lengths[0]):
        raise ValueError("the network makes several items of one; there is no target for each")
    return objective
