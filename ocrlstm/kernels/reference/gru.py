r"""The gated recurrent unit, forward and backward, one line and one step at a time.

This file is the definition; `ocrlstm.kernels.gru` computes the same for whole batches.

Notation
--------
``ni`` inputs, ``ns`` states. Every weight matrix (ns, 1 + ni + ns) has columns for the bias, the
input and the state before, ``W = [b | U | V]``, and with ``h(-1) = 0``

.. math::

    z(t) &= σ(b_Z + U_Z x(t) + V_Z h(t-1)) \\
    r(t) &= σ(b_R + U_R x(t) + V_R h(t-1)) \\
    n(t) &= tanh(b_N + U_N x(t) + m(t)) \\
    h(t) &= (1 - z(t)) ∘ n(t) + z(t) ∘ h(t-1)

The reset gate acts after the product with the state before, which then has a bias of its own, or
before it:

.. math::

    m(t) &= r(t) ∘ (V_N h(t-1) + bh) \qquad \text{reset after} \\
    m(t) &= V_N (r(t) ∘ h(t-1)) \qquad \text{reset before}

References
----------
Cho et al., *Learning phrase representations using RNN encoder-decoder*, EMNLP 2014, equations 5 to
8: reset before, as in EpyNN and NumPyNet. Reset after is the form of cuDNN, PyTorch and Keras.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ocrlstm.kernels.reference.lstm import Weights, logistic

__all__ = ["GRUGradients", "GRUState", "backward", "forward"]


@dataclass
class GRUState:
    """What forward leaves for backward; every array has one row a step.

    Attributes
    ----------
    x : ndarray, shape (T, ni)
    z, r, n, output : ndarray, shape (T, ns)
    """

    x: np.ndarray
    z: np.ndarray
    r: np.ndarray
    n: np.ndarray
    output: np.ndarray


@dataclass
class GRUGradients:
    """What backward gives.

    Attributes
    ----------
    x : ndarray, shape (T, ni)
        Gradient of the input.
    zerr, rerr, nerr : ndarray, shape (T, ns)
        Gradients of the gates' sums before the non-linearity.
    weights : dict of ndarray
        Same names and shapes as the weights.
    """

    x: np.ndarray
    zerr: np.ndarray
    rerr: np.ndarray
    nerr: np.ndarray
    weights: Weights


def _parts(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return bias, input and recurrent weights of a matrix [b | U | V]."""
    ni = weights.shape[1] - 1 - weights.shape[0]
    return weights[:, 0], weights[:, 1 : 1 + ni], weights[:, 1 + ni :]


def forward(weights: Weights, x: np.ndarray, *, reset_after: bool = True) -> GRUState:
    """Run the unit over one sequence.

    Parameters
    ----------
    weights : dict of ndarray
        WZ, WR, WN of shape (ns, 1 + ni + ns); bh of shape (ns,), which only reset after reads.
    x : ndarray, shape (T, ni)
    reset_after : bool, default=True

    Returns
    -------
    GRUState
        Its `output` (T, ns) is the result.
    """
    steps, ns = x.shape[0], weights["WZ"].shape[0]
    z, r, n, output = (np.zeros((steps, ns), x.dtype) for _ in range(4))
    for t in range(steps):
        previous = output[t - 1] if t > 0 else np.zeros(ns, x.dtype)
        source = np.concatenate([[1], x[t], previous])
        z[t] = logistic(weights["WZ"] @ source)
        r[t] = logistic(weights["WR"] @ source)
        bias, by_input, by_state = _parts(weights["WN"])
        if reset_after:
            memory = r[t] * (by_state @ previous + weights["bh"])
        else:
            memory = by_state @ (r[t] * previous)
        n[t] = np.tanh(bias + by_input @ x[t] + memory)
        output[t] = (1 - z[t]) * n[t] + z[t] * previous
    return GRUState(x, z, r, n, output)


def backward(
    weights: Weights, s: GRUState, deltas: np.ndarray, *, reset_after: bool = True
) -> GRUGradients:
    """Propagate `deltas`, the gradient of the output, back through time.

    Parameters
    ----------
    weights : dict of ndarray
        As in `forward`.
    s : GRUState
        What `forward` returned.
    deltas : ndarray, shape (T, ns)
    reset_after : bool, default=True
        As in `forward`.

    Returns
    -------
    GRUGradients
    """
    steps, ns = deltas.shape
    xerr = np.zeros_like(s.x)
    zerr, rerr, nerr = (np.zeros_like(s.output) for _ in range(3))
    gradients = {name: np.zeros_like(w) for name, w in weights.items()}
    outerr = np.zeros(ns, s.x.dtype)  # what the step after gives to this one's h(t)
    for t in reversed(range(steps)):
        previous = s.output[t - 1] if t > 0 else np.zeros(ns, s.x.dtype)
        source = np.concatenate([[1], s.x[t], previous])
        _, by_input, by_state = _parts(weights["WN"])
        bias_gradient, input_gradient, state_gradient = _parts(gradients["WN"])  # views
        # h(t) goes to the layer above and into the next step.
        err = deltas[t] + outerr
        zerr[t] = err * (previous - s.n[t]) * s.z[t] * (1 - s.z[t])
        nerr[t] = err * (1 - s.z[t]) * (1 - s.n[t] ** 2)
        bias_gradient += nerr[t]
        input_gradient += np.outer(nerr[t], s.x[t])
        # h(t-1) goes past the candidate, ...
        outerr = err * s.z[t]
        # ... into the candidate, reset after or before the product, ...
        if reset_after:
            product = by_state @ previous + weights["bh"]
            producterr = nerr[t] * s.r[t]
            rerr[t] = nerr[t] * product * s.r[t] * (1 - s.r[t])
            gradients["bh"] += producterr
            state_gradient += np.outer(producterr, previous)
            outerr += producterr @ by_state
        else:
            reseterr = nerr[t] @ by_state  # gradient of r(t) h(t-1)
            rerr[t] = reseterr * previous * s.r[t] * (1 - s.r[t])
            state_gradient += np.outer(nerr[t], s.r[t] * previous)
            outerr += reseterr * s.r[t]
        # ... and into the two gates.
        gradients["WZ"] += np.outer(zerr[t], source)
        gradients["WR"] += np.outer(rerr[t], source)
        sourceerr = zerr[t] @ weights["WZ"] + rerr[t] @ weights["WR"]
        outerr += sourceerr[-ns:]
        xerr[t] = sourceerr[1:-ns] + nerr[t] @ by_input
    return GRUGradients(xerr, zerr, rerr, nerr, gradients)
