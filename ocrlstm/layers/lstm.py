"""The peephole LSTM layer in the OCRopus formulation."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels import lstm as kernel
from ocrlstm.kernels.threads import single_threaded
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import orthogonal, xavier

__all__ = ["LSTM"]

# The order in which the kernel holds the gates side by side.
_GATES = ("WGI", "WGF", "WGO", "WCI")
_PEEPHOLES = ("WIP", "WFP", "WOP")


class LSTM(Layer):
    """A layer of peephole LSTM cells, read from the first frame to the last.

    Parameters
    ----------
    states : int
        Number of cells, ``ns``.
    peephole_at_start : bool, default=True
        False gives the forward of the historical OCRopus code, whose output peephole does not act
        at the first frame; for models trained there.
    forget_bias : float, default=1.0
        First bias of the forget gate (Jozefowicz, Zaremba and Sutskever, ICML 2015).

    Notes
    -----
    Weights WGI, WGF, WGO, WCI (ns, 1 + ni + ns) with columns [1 | x | h(t-1)], and peepholes WIP,
    WFP, WOP (ns,). The formulas, forward and backward, are in `ocrlstm.kernels.reference.lstm`.
    """

    def __init__(
        self, states: int, *, peephole_at_start: bool = True, forget_bias: float = 1.0
    ) -> None:
        if states < 1:
            raise ValueError(f"an LSTM needs at least 1 state, not {states}")
        super().__init__()
        self.states = states
        self.peephole_at_start = peephole_at_start
        self.forget_bias = forget_bias
        self._saved: tuple[Array, ...] | None = None

    def __repr__(self) -> str:
        return f"LSTM({self.states})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for sequences (frames, features); see `Layer.plan`."""
        if len(input_shape) != 2 or input_shape[1] is None:
            raise ValueError(f"an LSTM takes sequences (frames, features), not {input_shape}")
        weights: Shapes = {name: (self.states, 1 + input_shape[1] + self.states) for name in _GATES}
        weights |= {name: (self.states,) for name in _PEEPHOLES}
        return (input_shape[0], self.states), weights

    def _initialize(self, rng: np.random.Generator) -> None:
        ns = self.states
        for name in _GATES:
            weights = self._parameters[name]
            ni = weights.shape[1] - 1 - ns
            weights[:, 1 : 1 + ni] = xavier(rng, (ns, ni))
            weights[:, 1 + ni :] = orthogonal(rng, (ns, ns))
        self._parameters["WGF"][:, 0] = self.forget_bias

    def _side_by_side(self) -> tuple[Array, Array, Array, Array]:
        """Return input, recurrent, bias and peephole weights as the kernel wants them."""
        gates = np.concatenate([self._parameters[name] for name in _GATES]).T
        ni = gates.shape[0] - 1 - self.states
        peepholes = np.stack([self._parameters[name] for name in _PEEPHOLES])
        wx = np.ascontiguousarray(gates[1 : 1 + ni])
        wh = np.ascontiguousarray(gates[1 + ni :])
        return wx, wh, np.ascontiguousarray(gates[0]), peepholes

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the outputs h (T, N, ns); see `Layer.forward`."""
        steps, lines = x.shape[:2]
        wx, wh, bias, peepholes = self._side_by_side()
        gates = np.empty((steps, lines, 4 * self.states), x.dtype)
        state = np.empty((steps, lines, self.states), x.dtype)
        output = np.empty_like(state)
        with single_threaded():  # the products are too small for BLAS to share out
            kernel.forward(
                x, wx, wh, bias, peepholes, lengths, self.peephole_at_start, gates, state, output
            )
        if training:
            self._saved = (x, lengths, wx, wh, peepholes, gates, state, output)
        return output, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input (T, N, ni); see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        x, lengths, wx, wh, peepholes, gates, state, output = self._saved
        self._saved = None
        dx = np.empty(x.shape if self.input_gradient else (0, 0, 0), x.dtype)
        dwx, dwh = np.empty_like(wx), np.empty_like(wh)
        dbias = np.empty(4 * self.states, x.dtype)
        dpeepholes = np.empty_like(peepholes)
        with single_threaded():
            kernel.backward(
                dy, x, wx, wh, peepholes, lengths, self.peephole_at_start, gates, state, output,
                dx, dwx, dwh, dbias, dpeepholes,
            )  # fmt: skip
        for i, name in enumerate(_GATES):
            columns = slice(i * self.states, (i + 1) * self.states)
            gradient = self._gradients[name]
            gradient[:, 0] = dbias[columns]
            gradient[:, 1 : 1 + x.shape[2]] = dwx[:, columns].T
            gradient[:, 1 + x.shape[2] :] = dwh[:, columns].T
        for i, name in enumerate(_PEEPHOLES):
            self._gradients[name][:] = dpeepholes[i]
        return dx
