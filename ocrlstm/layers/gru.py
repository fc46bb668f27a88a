"""The layer of gated recurrent units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ocrlstm.kernels import gru as kernel
from ocrlstm.layers.base import Array, Shapes
from ocrlstm.layers.initializers import initialize
from ocrlstm.layers.recurrent import Recurrent, first_weights

__all__ = ["GRU"]

# The order in which the kernel holds the gates side by side.
_GATES = ("WZ", "WR", "WN")


class GRU(Recurrent):
    """A layer of gated recurrent units, read from the first frame to the last.

    Parameters
    ----------
    states : int
        Number of units, ``ns``.
    reset_after : bool, default=True
        Whether the reset gate acts on the product of weights and state, as in cuDNN and PyTorch, or
        on the state before the product (Cho et al., EMNLP 2014; EpyNN, NumPyNet).
    sequences, initializer
        As in `Recurrent`.

    Notes
    -----
    ``h(t) = (1 - z) n + z h(t-1)``. Weights WZ, WR, WN (ns, 1 + ni + ns) with columns
    [1 | x | h(t-1)] for the update gate z, the reset gate r and the candidate n, and with
    `reset_after` bh (ns,), the bias of the product that r acts on. The formulas, forward and
    backward, are in `ocrlstm.kernels.reference.gru`.
    """

    def __init__(
        self,
        states: int,
        *,
        reset_after: bool = True,
        sequences: bool = True,
        initializer: str | None = None,
    ) -> None:
        super().__init__(states, sequences, initializer)
        self.reset_after = reset_after

    def _shapes(self, inputs: int) -> Shapes:
        weights: Shapes = {name: (self.states, 1 + inputs + self.states) for name in _GATES}
        if self.reset_after:
            weights["bh"] = (self.states,)
        return weights

    def _initialize(self, rng: np.random.Generator) -> None:
        inputs = self._parameters["WZ"].shape[1] - 1 - self.states
        for name in _GATES:
            self._parameters[name][:] = first_weights(rng, self.initializer, self.states, inputs)
        if self.reset_after and self.initializer == "ocropus":
            self._parameters["bh"][:] = initialize("ocropus", rng, (1, self.states))[0]

    def _arrange(self) -> tuple[Array, ...]:
        """Return input weights, recurrent weights of gates and candidate, and both biases."""
        gates = np.concatenate([self._parameters[name] for name in _GATES]).T
        ni = gates.shape[0] - 1 - self.states
        wx = np.ascontiguousarray(gates[1 : 1 + ni])
        wh = np.ascontiguousarray(gates[1 + ni :, : 2 * self.states])
        wn = np.ascontiguousarray(gates[1 + ni :, 2 * self.states :])
        bh = self._parameters["bh"] if self.reset_after else np.zeros(self.states, gates.dtype)
        return wx, wh, wn, np.ascontiguousarray(gates[0]), bh

    def _run(
        self, weights: tuple[Array, ...], x: Array, lengths: Array, training: bool
    ) -> tuple[Array, Any]:
        gates = np.empty((*x.shape[:2], 3 * self.states), x.dtype)
        memory = np.empty((*x.shape[:2], self.states), x.dtype)
        output = np.empty_like(memory)
        kernel.forward(x, *weights, lengths, self.reset_after, gates, memory, output)
        return output, (gates, memory, output)

    def _propagate(
        self, weights: tuple[Array, ...], saved: Any, x: Array, lengths: Array, dy: Array
    ) -> tuple[Array, ...]:
        wx, wh, wn, _, _ = weights
        dx = np.empty(x.shape if self.input_gradient else (0, 0, 0), x.dtype)
        gradients = tuple(np.empty_like(array) for array in weights)
        kernel.backward(dy, x, wx, wh, wn, lengths, self.reset_after, *saved, dx, *gradients)
        return dx, *gradients

    def _store(self, gradients: tuple[Array, ...]) -> None:
        dwx, dwh, dwn, dbias, dbh = gradients
        side_by_side = np.concatenate([dbias[None], dwx, np.concatenate([dwh, dwn], axis=1)]).T
        for name, part in zip(_GATES, np.split(side_by_side, 3), strict=True):
            self._gradients[name][:] = part
        if self.reset_after:
            self._gradients["bh"][:] = dbh
