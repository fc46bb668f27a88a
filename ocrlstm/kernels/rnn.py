"""The simple recurrent network for batches: `ocrlstm.kernels.reference.rnn`, made quick.

The recurrent products of a step are those of the lines that are not yet at their end, held in
registers (`ocrlstm.kernels.tile`). What the inputs give is a matrix product of all steps and left
to the layer. ``wh`` is (ns, ns) with a column for
every state, ``bias`` (ns,).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ocrlstm.kernels.activation import slope, value
from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.tile import pad_columns, row_product
from ocrlstm.kernels.unfinished import unfinished

__all__ = ["backward", "forward"]


def forward(
    name: str,
    u: np.ndarray,
    wh: np.ndarray,
    bias: np.ndarray,
    lengths: np.ndarray,
    apart: bool,
    sums: np.ndarray,
    output: np.ndarray,
) -> None:
    """Run the network over a batch.

    Parameters
    ----------
    name : str
        The non-linearity, one of `ocrlstm.kernels.activation.NAMES`.
    u : ndarray, shape (T, N, ns)
        What the inputs give.
    wh, bias : ndarray
        Weights, laid out as the module says.
    lengths : ndarray of int64, shape (N,)
        Valid steps of each line. Beyond them all results are zero.
    apart : bool
        Whether the non-linearity acts on the recurrent part alone, ``u + f(bias + h wh)``, or on
        its sum with `u`.
    sums : ndarray, shape (T, N, ns)
        Filled with what the non-linearity acts on; may be `u` itself unless `apart`.
    output : ndarray, shape (T, N, ns)
        Filled with h.
    """
    _kernels(name)[0](u, wh, bias, lengths, apart, sums, output)


def backward(
    name: str,
    deltas: np.ndarray,
    wh: np.ndarray,
    lengths: np.ndarray,
    apart: bool,
    sums: np.ndarray,
    output: np.ndarray,
    du: np.ndarray,
    dwh: np.ndarray,
    dbias: np.ndarray,
) -> None:
    """Propagate `deltas` back through what `forward` computed.

    Parameters
    ----------
    name, wh, lengths, apart, output
        As in `forward`.
    deltas : ndarray, shape (T, N, ns)
        Gradient of the output. Values beyond a line's length are ignored.
    sums : ndarray, shape (T, N, ns)
        As `forward` left it; holds the errors of the sums afterwards.
    du : ndarray, shape (T, N, ns)
        Overwritten with the gradient of `u`; may be `sums` itself unless `apart`.
    dwh, dbias : ndarray
        Like the weights; overwritten.
    """
    _kernels(name)[1](deltas, wh, lengths, apart, sums, output, du, dwh, dbias)


@functools.cache
def _kernels(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return both kernels for a non-linearity, which is fixed in them."""

    @compiled
    def run(u, wh, bias, lengths, apart, sums, output):  # type: ignore[no-untyped-def]
        steps, lines, ns = u.shape
        zero = u.dtype.type(0)
        wide = pad_columns(wh)
        recurrent = np.zeros((lines, wide.shape[1]), u.dtype)
        for t in range(steps):
            if t > 0:
                row_product(output[t - 1], wide, unfinished(lengths, t), recurrent)
            for i in range(lines):
                if t >= lengths[i]:
                    sums[t, i] = zero
                    output[t, i] = zero
                    continue
                given, total, result, added = u[t, i], sums[t, i], output[t, i], recurrent[i]
                if apart:
                    for k in range(ns):
                        total[k] = bias[k] + added[k]
                        result[k] = given[k] + value(name, total[k])
                else:
                    for k in range(ns):
                        total[k] = given[k] + (bias[k] + added[k])
                        result[k] = value(name, total[k])

    @compiled
    def run_back(  # type: ignore[no-untyped-def]
        deltas, wh, lengths, apart, sums, output, du, dwh, dbias
    ):
        steps, lines, ns = output.shape
        zero = output.dtype.type(0)
        wide = pad_columns(wh.T)
        # What the step after gives to h(t), then all.
        outerr = np.zeros((lines, wide.shape[1]), output.dtype)
        for t in range(steps - 1, -1, -1):
            if t < steps - 1:
                row_product(sums[t + 1], wide, unfinished(lengths, t), outerr)
            for i in range(lines):
                if t >= lengths[i]:
                    du[t, i] = zero
                    continue
                err, total, result, given = outerr[i], sums[t, i], output[t, i], deltas[t, i]
                for k in range(ns):
                    err[k] += given[k]
                if apart:
                    for k in range(ns):
                        # Not the output less u, which rounding may move off a kink.
                        squashed = value(name, total[k])
                        total[k] = err[k] * slope(name, total[k], squashed)
                        du[t, i, k] = err[k]
                else:
                    for k in range(ns):
                        total[k] = err[k] * slope(name, total[k], result[k])
                        du[t, i, k] = total[k]
        if steps > 1:
            rows = (steps - 1) * lines
            np.dot(output[:-1].reshape(rows, ns).T, sums[1:].reshape(rows, ns), dwh)
        else:
            dwh[:] = zero
        dbias[:] = zero
        for t in range(steps):
            for i in range(lines):
                for k in range(ns):
                    dbias[k] += sums[t, i, k]

    return run, run_back
