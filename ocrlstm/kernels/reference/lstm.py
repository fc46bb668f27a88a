r"""The peephole LSTM of OCRopus, forward and backward, one line and one step at a time.

This file is the definition; `ocrlstm.kernels.lstm` computes the same for whole batches.

Notation
--------
``ni`` inputs, ``ns`` states, ``na = 1 + ni + ns``. At step ``t`` the source vector is
``[1 | x(t) | h(t-1)]`` (bias first, as in OCRopus), and

.. math::

    gi(t) &= σ(WGI · source + WIP ∘ c(t-1)) \\
    gf(t) &= σ(WGF · source + WFP ∘ c(t-1)) \\
    ci(t) &= tanh(WCI · source) \\
    c(t)  &= gi(t) ∘ ci(t) + gf(t) ∘ c(t-1) \\
    go(t) &= σ(WGO · source + WOP ∘ c(t)) \\
    h(t)  &= go(t) ∘ tanh(c(t))

with ``c(-1) = h(-1) = 0``.

References
----------
Gers, Schraudolph and Schmidhuber, *Learning precise timing with LSTM recurrent networks*,
JMLR 3 (2002): peepholes. Graves and Schmidhuber, Neural Networks 18 (2005), appendix A: the exact
gradient. Breuel et al., ICDAR 2013: use on text lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["LSTMGradients", "LSTMState", "backward", "forward", "logistic"]

Weights = dict[str, np.ndarray]


def logistic(x: np.ndarray) -> np.ndarray:
    """Return ``1 / (1 + exp(-x))``, without overflow for any finite `x`."""
    return 0.5 * np.tanh(0.5 * x) + 0.5


@dataclass
class LSTMState:
    """What forward leaves for backward; every array has one row a step.

    Attributes
    ----------
    source : ndarray, shape (T, 1 + ni + ns)
    gi, gf, go, ci, state, output : ndarray, shape (T, ns)
    """

    source: np.ndarray
    gi: np.ndarray
    gf: np.ndarray
    go: np.ndarray
    ci: np.ndarray
    state: np.ndarray
    output: np.ndarray


@dataclass
class LSTMGradients:
    """What backward gives: the OCRopus arrays and the gradient of every weight.

    Attributes
    ----------
    sourceerr : ndarray, shape (T, 1 + ni + ns)
        Gradient of the source vector; columns 1 to ni are the gradient of the input.
    stateerr, outerr, gierr, gferr, goerr, cierr : ndarray, shape (T, ns)
        Gradients of state, output and of the gates' sums before the non-linearity.
    weights : dict of ndarray
        Same names and shapes as the weights.
    """

    sourceerr: np.ndarray
    stateerr: np.ndarray
    outerr: np.ndarray
    gierr: np.ndarray
    gferr: np.ndarray
    goerr: np.ndarray
    cierr: np.ndarray
    weights: Weights


def forward(weights: Weights, x: np.ndarray, *, peephole_at_start: bool = True) -> LSTMState:
    """Run the LSTM over one sequence.

    Parameters
    ----------
    weights : dict of ndarray
        WGI, WGF, WGO, WCI of shape (ns, 1 + ni + ns); WIP, WFP, WOP of shape (ns,).
    x : ndarray, shape (T, ni)
    peephole_at_start : bool, default=True
        False leaves the output peephole out at t=0, as the historical OCRopus forward does;
        for models trained there.

    Returns
    -------
    LSTMState
        Its `output` (T, ns) is the result.
    """
    steps, ni = x.shape
    ns = weights["WIP"].shape[0]
    source = np.zeros((steps, 1 + ni + ns), x.dtype)
    gi, gf, go, ci, state, output = (np.zeros((steps, ns), x.dtype) for _ in range(6))
    for t in range(steps):
        previous_state = state[t - 1] if t > 0 else np.zeros(ns, x.dtype)
        previous_output = output[t - 1] if t > 0 else np.zeros(ns, x.dtype)
        source[t, 0] = 1
        source[t, 1 : 1 + ni] = x[t]
        source[t, 1 + ni :] = previous_output
        gi[t] = logistic(weights["WGI"] @ source[t] + weights["WIP"] * previous_state)
        gf[t] = logistic(weights["WGF"] @ source[t] + weights["WFP"] * previous_state)
        ci[t] = np.tanh(weights["WCI"] @ source[t])
        state[t] = ci[t] * gi[t] + gf[t] * previous_state
        peep = weights["WOP"] * state[t] if t > 0 or peephole_at_start else 0.0
        go[t] = logistic(weights["WGO"] @ source[t] + peep)
        output[t] = np.tanh(state[t]) * go[t]
    return LSTMState(source, gi, gf, go, ci, state, output)


def backward(
    weights: Weights, s: LSTMState, deltas: np.ndarray, *, peephole_at_start: bool = True
) -> LSTMGradients:
    """Propagate `deltas`, the gradient of the output, back through time.

    Parameters
    ----------
    weights : dict of ndarray
        As in `forward`.
    s : LSTMState
        What `forward` returned.
    deltas : ndarray, shape (T, ns)
        Gradient of the loss with respect to ``s.output`` (OCRopus passes its negative).
    peephole_at_start : bool, default=True
        As in `forward`.

    Returns
    -------
    LSTMGradients
    """
    steps, ns = deltas.shape
    ni = s.source.shape[1] - 1 - ns
    sourceerr = np.zeros_like(s.source)
    stateerr, outerr, gierr, gferr, goerr, cierr = (np.zeros_like(s.state) for _ in range(6))
    for t in reversed(range(steps)):
        # The output goes to the layer above and, as h(t), into the next step's source.
        outerr[t] = deltas[t]
        if t < steps - 1:
            outerr[t] += sourceerr[t + 1, 1 + ni :]
        squashed = np.tanh(s.state[t])
        goerr[t] = outerr[t] * squashed * s.go[t] * (1 - s.go[t])
        # The state goes through tanh into the output, by WOP into this step's output gate, ...
        stateerr[t] = outerr[t] * s.go[t] * (1 - squashed**2)
        if t > 0 or peephole_at_start:
            stateerr[t] += goerr[t] * weights["WOP"]
        # ... and into the next step: through its forget gate and by its two peepholes.
        if t < steps - 1:
            stateerr[t] += stateerr[t + 1] * s.gf[t + 1]
            stateerr[t] += gierr[t + 1] * weights["WIP"] + gferr[t + 1] * weights["WFP"]
        previous_state = s.state[t - 1] if t > 0 else np.zeros(ns, s.state.dtype)
        gferr[t] = stateerr[t] * previous_state * s.gf[t] * (1 - s.gf[t])
        gierr[t] = stateerr[t] * s.ci[t] * s.gi[t] * (1 - s.gi[t])
        cierr[t] = stateerr[t] * s.gi[t] * (1 - s.ci[t] ** 2)
        sourceerr[t] = (
            gierr[t] @ weights["WGI"]
            + gferr[t] @ weights["WGF"]
            + goerr[t] @ weights["WGO"]
            + cierr[t] @ weights["WCI"]
        )
    first = 0 if peephole_at_start else 1
    gradients = {
        "WGI": gierr.T @ s.source,
        "WGF": gferr.T @ s.source,
        "WGO": goerr.T @ s.source,
        "WCI": cierr.T @ s.source,
        "WIP": np.sum(gierr[1:] * s.state[:-1], axis=0),
        "WFP": np.sum(gferr[1:] * s.state[:-1], axis=0),
        "WOP": np.sum(goerr[first:] * s.state[first:], axis=0),
    }
    return LSTMGradients(sourceerr, stateerr, outerr, gierr, gferr, goerr, cierr, gradients)
