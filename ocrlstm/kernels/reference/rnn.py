r"""The simple recurrent network, forward and backward, one line and one step at a time.

This file is the definition; `ocrlstm.kernels.rnn` computes the same for whole batches. What the
inputs give, ``u(t)``, is computed beforehand for all steps.

Notation
--------
``ns`` states, ``V`` (ns, ns) the recurrent weights, ``b`` (ns,) their bias, ``f`` any
non-linearity, and ``h(-1) = 0``. As Elman's network:

.. math::

    h(t) = f(u(t) + b + V h(t-1)), \qquad u(t) = U x(t)

Apart, as in NumPyNet's network of connected layers, of which each has its own non-linearity:

.. math::

    h(t) = u(t) + f(b + V h(t-1)), \qquad u(t) = f(a + U x(t))

References
----------
Elman, *Finding structure in time*, Cognitive Science 14 (1990).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ocrlstm.kernels.reference import activation

__all__ = ["RNNGradients", "RNNState", "backward", "forward"]


@dataclass
class RNNState:
    """What forward leaves for backward; every array has one row a step.

    Attributes
    ----------
    sums : ndarray, shape (T, ns)
        What the non-linearity acted on.
    output : ndarray, shape (T, ns)
    """

    sums: np.ndarray
    output: np.ndarray


@dataclass
class RNNGradients:
    """What backward gives.

    Attributes
    ----------
    u : ndarray, shape (T, ns)
        Gradient of what the inputs gave.
    sums : ndarray, shape (T, ns)
    recurrent : ndarray, shape (ns, ns)
        Gradient of V.
    bias : ndarray, shape (ns,)
    """

    u: np.ndarray
    sums: np.ndarray
    recurrent: np.ndarray
    bias: np.ndarray


def forward(
    u: np.ndarray, recurrent: np.ndarray, bias: np.ndarray, name: str, *, apart: bool = False
) -> RNNState:
    """Run the network over one sequence.

    Parameters
    ----------
    u : ndarray, shape (T, ns)
        What the inputs give.
    recurrent : ndarray, shape (ns, ns)
        V.
    bias : ndarray, shape (ns,)
    name : str
        One of `ocrlstm.kernels.activation.NAMES`.
    apart : bool, default=False

    Returns
    -------
    RNNState
        Its `output` (T, ns) is the result.
    """
    sums, output = np.zeros_like(u), np.zeros_like(u)
    for t in range(len(u)):
        previous = output[t - 1] if t > 0 else np.zeros_like(bias)
        sums[t] = bias + recurrent @ previous
        if not apart:
            sums[t] += u[t]
        squashed = activation.forward(name, sums[t])
        output[t] = squashed + u[t] if apart else squashed
    return RNNState(sums, output)


def backward(
    recurrent: np.ndarray, s: RNNState, deltas: np.ndarray, name: str, *, apart: bool = False
) -> RNNGradients:
    """Propagate `deltas`, the gradient of the output, back through time.

    Parameters
    ----------
    recurrent, name, apart
        As in `forward`.
    s : RNNState
        What `forward` returned.
    deltas : ndarray, shape (T, ns)

    Returns
    -------
    RNNGradients
    """
    steps = len(deltas)
    outerr, sumerr = np.zeros_like(s.output), np.zeros_like(s.output)
    gradient = np.zeros_like(recurrent)
    for t in reversed(range(steps)):
        # The output goes to the layer above and by V into the next step.
        outerr[t] = deltas[t]
        if t < steps - 1:
            outerr[t] += sumerr[t + 1] @ recurrent
        sumerr[t] = activation.backward(name, s.sums[t], outerr[t])
        if t > 0:
            gradient += np.outer(sumerr[t], s.output[t - 1])
    return RNNGradients(outerr if apart else sumerr, sumerr, gradient, sumerr.sum(axis=0))
