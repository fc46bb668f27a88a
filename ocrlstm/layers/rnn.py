"""The simple recurrent network of Elman, as EpyNN has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ocrlstm.kernels import rnn as kernel
from ocrlstm.layers.base import Array, Shapes
from ocrlstm.layers.nonlinearity import check_activation
from ocrlstm.layers.recurrent import Recurrent, first_weights, product, weight_gradient

__all__ = ["RNN"]


class RNN(Recurrent):
    """A layer of states that see the input and one another, read from the first frame to the last.

    Parameters
    ----------
    states : int
        Number of states, ``ns``.
    activation : str, default="tanh"
        One of `ocrlstm.layers.nonlinearity.ACTIVATIONS`.
    sequences, initializer
        As in `Recurrent`.

    Notes
    -----
    ``h(t) = f(W [1 | x(t) | h(t-1)])`` with ``h(-1) = 0``. Weights W (ns, 1 + ni + ns). Elman,
    *Finding structure in time*, Cognitive Science 14 (1990). Forward and backward are in
    `ocrlstm.kernels.reference.rnn`.
    """

    def __init__(
        self,
        states: int,
        activation: str = "tanh",
        *,
        sequences: bool = True,
        initializer: str | None = None,
    ) -> None:
        super().__init__(states, sequences, initializer)
        self.activation = check_activation(activation)

    def _shapes(self, inputs: int) -> Shapes:
        return {"W": (self.states, 1 + inputs + self.states)}

    def _initialize(self, rng: np.random.Generator) -> None:
        weights = self._parameters["W"]
        inputs = weights.shape[1] - 1 - self.states
        weights[:] = first_weights(rng, self.initializer, self.states, inputs)

    def _arrange(self) -> tuple[Array, ...]:
        """Return input and recurrent weights with a column for every state, and the biases."""
        weights = self._parameters["W"].T
        edge = weights.shape[0] - self.states
        bias, wx, wh = weights[0], weights[1:edge], weights[edge:]
        return np.ascontiguousarray(wx), np.ascontiguousarray(wh), np.ascontiguousarray(bias)

    def _run(
        self, weights: tuple[Array, ...], x: Array, lengths: Array, training: bool
    ) -> tuple[Array, Any]:
        wx, wh, bias = weights
        sums = product(x, wx)
        output = np.empty_like(sums)
        kernel.forward(self.activation, sums, wh, bias, lengths, False, sums, output)
        return output, (sums, output)

    def _propagate(
        self, weights: tuple[Array, ...], saved: Any, x: Array, lengths: Array, dy: Array
    ) -> tuple[Array, ...]:
        wx, wh, bias = weights
        errors, output = saved
        dwh, dbias = np.empty_like(wh), np.empty_like(bias)
        kernel.backward(self.activation, dy, wh, lengths, False, errors, output, errors, dwh, dbias)
        dx = product(errors, wx.T) if self.input_gradient else errors
        return dx, weight_gradient(x, errors), dwh, dbias

    def _store(self, gradients: tuple[Array, ...]) -> None:
        dwx, dwh, dbias = gradients
        self._gradients["W"][:] = np.concatenate([dbias[None], dwx, dwh]).T
