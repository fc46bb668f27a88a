"""The recurrent network of three connected layers, as NumPyNet has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ocrlstm.kernels import rnn as kernel
from ocrlstm.layers.base import Array, Shapes
from ocrlstm.layers.initializers import initialize
from ocrlstm.layers.masking import zero_beyond
from ocrlstm.layers.nonlinearity import activate, activation_gradient, check_activation
from ocrlstm.layers.recurrent import Recurrent, product, weight_gradient

__all__ = ["ConnectedRNN"]

_LAYERS = ("input", "self", "output")


class ConnectedRNN(Recurrent):
    """An input layer and a layer of the state before, added, and an output layer on the sum.

    Parameters
    ----------
    states : int
        Size of the state, ``ns``.
    outputs : int
        Features of the output, ``no``; NumPyNet has as many as states.
    activation : str, default="tanh"
        Of each of the three layers, one of `ocrlstm.layers.nonlinearity.ACTIVATIONS`.
    sequences, initializer
        As in `Recurrent`; "orthogonal" is the default for the state's own weights only.

    Notes
    -----
    ``h(t) = f(Wi x(t) + bi) + f(Ws h(t-1) + bs)`` and ``y(t) = f(Wo h(t) + bo)`` with
    ``h(-1) = 0``. The non-linearity acts on both parts of the sum: with one around the sum this
    would be an `RNN` and a connected layer behind it. Weights input.W (ns, ni), self.W (ns, ns),
    output.W (no, ns), and their biases input.b, self.b, output.b.
    """

    def __init__(
        self,
        states: int,
        outputs: int,
        activation: str = "tanh",
        *,
        sequences: bool = True,
        initializer: str | None = None,
    ) -> None:
        super().__init__(states, sequences, initializer)
        if outputs < 1:
            raise ValueError(f"ConnectedRNN needs at least 1 output, not {outputs}")
        self.outputs = outputs
        self.activation = check_activation(activation)

    @property
    def features(self) -> int:
        """Features of an output frame."""
        return self.outputs

    def _shapes(self, inputs: int) -> Shapes:
        sizes = ((self.states, inputs), (self.states, self.states), (self.outputs, self.states))
        shapes: Shapes = {}
        for name, size in zip(_LAYERS, sizes, strict=True):
            shapes |= {f"{name}.W": size, f"{name}.b": size[:1]}
        return shapes

    def _initialize(self, rng: np.random.Generator) -> None:
        for name in _LAYERS:
            kind = self.initializer or ("orthogonal" if name == "self" else "xavier")
            outputs, inputs = self._parameters[f"{name}.W"].shape
            self._parameters[f"{name}.W"][:] = initialize(kind, rng, (outputs, inputs))
            if kind == "ocropus":
                self._parameters[f"{name}.b"][:] = initialize(kind, rng, (1, outputs))[0]

    def _arrange(self) -> tuple[Array, ...]:
        """Return weights and bias of each layer, the weights with a column for every output."""
        parts = []
        for name in _LAYERS:
            parts.append(np.ascontiguousarray(self._parameters[f"{name}.W"].T))
            parts.append(self._parameters[f"{name}.b"].copy())
        return tuple(parts)

    def _run(
        self, weights: tuple[Array, ...], x: Array, lengths: Array, training: bool
    ) -> tuple[Array, Any]:
        wi, bi, ws, bs, wo, bo = weights
        z_in = product(x, wi) + bi
        given = activate(self.activation, z_in)
        sums, state = np.empty_like(given), np.empty_like(given)
        kernel.forward(self.activation, given, ws, bs, lengths, True, sums, state)
        z_out = product(state, wo) + bo
        y = activate(self.activation, z_out)
        zero_beyond(y, lengths)
        return y, (z_in, given, sums, state, z_out, y)

    def _propagate(
        self, weights: tuple[Array, ...], saved: Any, x: Array, lengths: Array, dy: Array
    ) -> tuple[Array, ...]:
        wi, _, ws, bs, wo, _ = weights
        z_in, given, sums, state, z_out, y = saved
        dz_out = activation_gradient(self.activation, z_out, y, dy).copy()
        zero_beyond(dz_out, lengths)
        dgiven, dws, dbs = np.empty_like(state), np.empty_like(ws), np.empty_like(bs)
        kernel.backward(
            self.activation, product(dz_out, wo.T), ws, lengths, True, sums, state, dgiven, dws, dbs
        )
        dz_in = activation_gradient(self.activation, z_in, given, dgiven)
        dx = product(dz_in, wi.T) if self.input_gradient else dz_in
        dwi, dwo = weight_gradient(x, dz_in), weight_gradient(state, dz_out)
        return dx, dwi, dz_in.sum(axis=(0, 1)), dws, dbs, dwo, dz_out.sum(axis=(0, 1))

    def _store(self, gradients: tuple[Array, ...]) -> None:
        for i, name in enumerate(_LAYERS):
            self._gradients[f"{name}.W"][:] = gradients[2 * i].T
            self._gradients[f"{name}.b"][:] = gradients[2 * i + 1]
