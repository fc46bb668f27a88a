"""The LSTM layer in the OCRopus formulation, with or without peepholes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ocrlstm.kernels import lstm as kernel
from ocrlstm.layers.base import Array, Shapes
from ocrlstm.layers.initializers import initialize
from ocrlstm.layers.recurrent import Recurrent, first_weights

__all__ = ["LSTM"]

# The order in which the kernel holds the gates side by side.
_GATES = ("WGI", "WGF", "WGO", "WCI")
_PEEPHOLES = ("WIP", "WFP", "WOP")


class LSTM(Recurrent):
    """A layer of LSTM cells, read from the first frame to the last.

    Parameters
    ----------
    states : int
        Number of cells, ``ns``.
    peepholes : bool, default=True
        Whether the gates see the cells' states; False is the LSTM of EpyNN, cuDNN and PyTorch.
    peephole_at_start : bool, default=True
        False gives the forward of the historical OCRopus code, whose output peephole does not act
        at the first frame; for models trained there.
    forget_bias : float, default=1.0
        Added to the first bias of the forget gate (Jozefowicz, Zaremba and Sutskever, ICML 2015).
        OCRopus has 0.
    sequences, initializer
        As in `Recurrent`.

    Notes
    -----
    Weights WGI, WGF, WGO, WCI (ns, 1 + ni + ns) with columns [1 | x | h(t-1)], and with peepholes
    WIP, WFP, WOP (ns,). The formulas, forward and backward, are in
    `ocrlstm.kernels.reference.lstm`.
    """

    both_ways = True

    def __init__(
        self,
        states: int,
        *,
        peepholes: bool = True,
        peephole_at_start: bool = True,
        forget_bias: float = 1.0,
        sequences: bool = True,
        initializer: str | None = None,
    ) -> None:
        super().__init__(states, sequences, initializer)
        self.peepholes = peepholes
        self.peephole_at_start = peephole_at_start
        self.forget_bias = forget_bias

    def _shapes(self, inputs: int) -> Shapes:
        weights: Shapes = {name: (self.states, 1 + inputs + self.states) for name in _GATES}
        if self.peepholes:
            weights |= {name: (self.states,) for name in _PEEPHOLES}
        return weights

    def _initialize(self, rng: np.random.Generator) -> None:
        inputs = self._parameters["WGI"].shape[1] - 1 - self.states
        for name in _GATES:
            self._parameters[name][:] = first_weights(rng, self.initializer, self.states, inputs)
        self._parameters["WGF"][:, 0] += self.forget_bias
        if self.peepholes and self.initializer == "ocropus":
            for name in _PEEPHOLES:
                self._parameters[name][:] = initialize("ocropus", rng, (1, self.states))[0]

    def _arrange(self) -> tuple[Array, ...]:
        """Return input, recurrent, bias and peephole weights, the gates side by side."""
        gates = np.concatenate([self._parameters[name] for name in _GATES]).T
        ni = gates.shape[0] - 1 - self.states
        if self.peepholes:
            peepholes = np.stack([self._parameters[name] for name in _PEEPHOLES])
        else:
            peepholes = np.zeros((3, self.states), gates.dtype)
        wx = np.ascontiguousarray(gates[1 : 1 + ni])
        wh = np.ascontiguousarray(gates[1 + ni :])
        return wx, wh, np.ascontiguousarray(gates[0]), peepholes

    def _run(
        self,
        weights: tuple[Array, ...],
        x: Array,
        lengths: Array,
        training: bool,
        backwards: bool = False,
    ) -> tuple[Array, Any]:
        wx, wh, bias, peepholes = weights
        steps, lines = x.shape[:2]
        kept = steps if training else min(steps, kernel.steps_at_once(lines))
        gates = np.empty((kept, lines, 4 * self.states), x.dtype)
        state = np.empty((kept, lines, self.states), x.dtype)
        output = np.empty((steps, lines, self.states), x.dtype)
        kernel.forward(
            x, wx, wh, bias, peepholes, lengths, self.peephole_at_start, backwards, gates, state,
            output,
        )  # fmt: skip
        return output, (backwards, gates, state, output)

    def _propagate(
        self, weights: tuple[Array, ...], saved: Any, x: Array, lengths: Array, dy: Array
    ) -> tuple[Array, ...]:
        wx, wh, bias, peepholes = weights
        backwards, gates, state, output = saved
        dx = np.empty(x.shape if self.input_gradient else (0, 0, 0), x.dtype)
        dwx, dwh, dbias, dpeepholes = (np.empty_like(array) for array in weights)
        kernel.backward(
            dy, x, wx, wh, peepholes, lengths, self.peephole_at_start, backwards, gates, state,
            output, dx, dwx, dwh, dbias, dpeepholes,
        )  # fmt: skip
        return dx, dwx, dwh, dbias, dpeepholes

    def _store(self, gradients: tuple[Array, ...]) -> None:
        dwx, dwh, dbias, dpeepholes = gradients
        side_by_side = np.concatenate([dbias[None], dwx, dwh]).T
        for name, part in zip(_GATES, np.split(side_by_side, 4), strict=True):
            self._gradients[name][:] = part
        if self.peepholes:
            for name, part in zip(_PEEPHOLES, dpeepholes, strict=True):
                self._gradients[name][:] = part
