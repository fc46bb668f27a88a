"""The gated recurrent unit for batches: what `ocrlstm.kernels.reference.gru` defines, made quick.

Built as `ocrlstm.kernels.lstm` is: one matrix product for the inputs of all steps, the recurrent
products of a step in registers for the lines that are not yet at their end, the gates in fused
loops.

Arrays hold the gates side by side, in the order z, r, n: ``wx`` (ni, 3 ns), ``bias`` (3 ns,). The
recurrent weights are ``wh`` (ns, 2 ns) of z and r, and ``wn`` (ns, ns) of the candidate n, whose
product has the bias ``bh`` (ns,) of its own where the reset gate acts after it.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.squash import logistic, tanh
from ocrlstm.kernels.tile import pad_columns, row_product
from ocrlstm.kernels.unfinished import unfinished

__all__ = ["backward", "forward"]


@compiled
def _reset(gates, recurrent, bias, previous, memory, reset_after):  # type: ignore[no-untyped-def]
    """Turn one line's sums of z and r into gates, and prepare the operand of the candidate.

    `memory` becomes what is multiplied by the candidate's weights: r h(t-1) where the reset gate
    acts before the product, else it is left alone.
    """
    ns = previous.shape[0]
    for k in range(2 * ns):
        gates[k] = logistic(gates[k] + (recurrent[k] + bias[k]))
    if not reset_after:
        for k in range(ns):
            memory[k] = gates[ns + k] * previous[k]


@compiled
def _candidate(  # type: ignore[no-untyped-def]
    gates, product, bias, bh, previous, memory, output, reset_after
):
    """Turn one line's sum of n into the candidate and the output.

    `memory` becomes V h(t-1) + bh where the reset gate acts after the product.
    """
    ns = previous.shape[0]
    one = previous.dtype.type(1)
    if reset_after:
        for k in range(ns):
            memory[k] = product[k] + bh[k]
        for k in range(ns):
            gates[2 * ns + k] = tanh(
                gates[2 * ns + k] + bias[2 * ns + k] + gates[ns + k] * memory[k]
            )
    else:
        for k in range(ns):
            gates[2 * ns + k] = tanh(gates[2 * ns + k] + bias[2 * ns + k] + product[k])
    for k in range(ns):
        output[k] = (one - gates[k]) * gates[2 * ns + k] + gates[k] * previous[k]


@compiled
def forward(  # type: ignore[no-untyped-def]
    x, wx, wh, wn, bias, bh, lengths, reset_after, gates, memory, output
):
    """Run the unit over a batch.

    Parameters
    ----------
    x : ndarray, shape (T, N, ni), C-contiguous
    wx, wh, wn, bias, bh : ndarray
        Weights, laid out as the module says.
    lengths : ndarray of int64, shape (N,)
        Valid steps of each line. Beyond them all results are zero.
    reset_after : bool
        Whether the reset gate acts after the product with the state before; else `bh` is not read.
    gates : ndarray, shape (T, N, 3 ns)
        Filled with the gates' values z, r, n.
    memory : ndarray, shape (T, N, ns)
        Filled with what the reset gate and the candidate's weights share: V h(t-1) + bh where the
        reset gate acts after, r h(t-1) where it acts before.
    output : ndarray, shape (T, N, ns)
        Filled with h.
    """
    steps, lines, ni = x.shape
    ns = output.shape[2]
    zero = x.dtype.type(0)
    np.dot(x.reshape(steps * lines, ni), wx, gates.reshape(steps * lines, 3 * ns))
    wide, wide_n = pad_columns(wh), pad_columns(wn)
    recurrent = np.zeros((lines, wide.shape[1]), x.dtype)
    product = np.zeros((lines, wide_n.shape[1]), x.dtype)
    nothing = np.zeros(ns, x.dtype)
    for t in range(steps):
        count = unfinished(lengths, t)
        if t > 0:
            row_product(output[t - 1], wide, count, recurrent)
        for i in range(lines):
            if t >= lengths[i]:
                gates[t, i] = zero
                memory[t, i] = zero
                output[t, i] = zero
                continue
            previous = nothing if t == 0 else output[t - 1, i]
            _reset(gates[t, i], recurrent[i], bias, previous, memory[t, i], reset_after)
        if t > 0:
            row_product(output[t - 1] if reset_after else memory[t], wide_n, count, product)
        for i in range(count):
            if t < lengths[i]:
                previous = nothing if t == 0 else output[t - 1, i]
                _candidate(
                    gates[t, i], product[i], bias, bh, previous, memory[t, i], output[t, i],
                    reset_after,
                )  # fmt: skip


@compiled
def _output_errors(  # type: ignore[no-untyped-def]
    gates, previous, deltas, outerr, producterr, reset_after
):
    """Put the errors of z and n into `gates`, and that of the candidate's product beside.

    `outerr` enters as what later steps give to h(t) and leaves as what goes past the candidate to
    h(t-1).
    """
    ns = previous.shape[0]
    one = previous.dtype.type(1)
    for k in range(ns):
        z = gates[k]
        n = gates[2 * ns + k]
        err = deltas[k] + outerr[k]
        nerr = err * (one - z) * (one - n * n)
        gates[k] = err * (previous[k] - n) * z * (one - z)
        gates[2 * ns + k] = nerr
        producterr[k] = nerr * gates[ns + k] if reset_after else nerr
        outerr[k] = err * z


@compiled
def _reset_errors(  # type: ignore[no-untyped-def]
    gates, previous, memory, operanderr, outerr, gateerr, reset_after
):
    """Put the error of r into `gates`; add to `outerr` what the product's operand gives to h(t-1).

    `gateerr` becomes a copy of the errors of z and r, side by side.
    """
    ns = previous.shape[0]
    one = previous.dtype.type(1)
    if reset_after:
        for k in range(ns):
            r = gates[ns + k]
            outerr[k] += operanderr[k]
            gates[ns + k] = gates[2 * ns + k] * memory[k] * r * (one - r)
    else:
        for k in range(ns):
            r = gates[ns + k]
            outerr[k] += operanderr[k] * r
            gates[ns + k] = operanderr[k] * previous[k] * r * (one - r)
    for k in range(2 * ns):
        gateerr[k] = gates[k]


@compiled
def backward(  # type: ignore[no-untyped-def]
    deltas,
    x,
    wx,
    wh,
    wn,
    lengths,
    reset_after,
    gates,
    memory,
    output,
    dx,
    dwx,
    dwh,
    dwn,
    dbias,
    dbh,
):
    """Propagate `deltas` back through what `forward` computed.

    Parameters
    ----------
    deltas : ndarray, shape (T, N, ns)
        Gradient of the output. Values beyond a line's length are ignored.
    x, wx, wh, wn, lengths, reset_after, memory, output
        As in `forward`.
    gates : ndarray, shape (T, N, 3 ns)
        As `forward` left it; holds the errors of the sums of z, r, n afterwards.
    dx : ndarray, shape (T, N, ni), or (0, 0, 0) where the input gradient is not wanted
        Overwritten.
    dwx, dwh, dwn, dbias, dbh : ndarray
        Like the weights; overwritten. `dbh` is zero where the reset gate acts before the product.
    """
    steps, lines, ni = x.shape
    ns = output.shape[2]
    zero = x.dtype.type(0)
    wide, wide_n = pad_columns(wh.T), pad_columns(wn.T)
    gateerr = np.zeros((steps, lines, 2 * ns), x.dtype)
    producterr = np.zeros((steps, lines, ns), x.dtype)
    outerr = np.zeros((lines, ns), x.dtype)
    operanderr = np.zeros((lines, wide_n.shape[1]), x.dtype)
    recurrent = np.zeros((lines, wide.shape[1]), x.dtype)
    nothing = np.zeros(ns, x.dtype)
    for t in range(steps - 1, -1, -1):
        count = unfinished(lengths, t)
        for i in range(count):
            if t < lengths[i]:
                previous = nothing if t == 0 else output[t - 1, i]
                _output_errors(
                    gates[t, i], previous, deltas[t, i], outerr[i], producterr[t, i], reset_after
                )
        if t > 0:
            row_product(producterr[t], wide_n, count, operanderr)
        for i in range(count):
            if t < lengths[i]:
                previous = nothing if t == 0 else output[t - 1, i]
                _reset_errors(
                    gates[t, i], previous, memory[t, i], operanderr[i], outerr[i], gateerr[t, i],
                    reset_after,
                )  # fmt: skip
        if t > 0:
            row_product(gateerr[t], wide, count, recurrent)
            for i in range(count):
                for k in range(ns):
                    outerr[i, k] += recurrent[i, k]
    errors = gates.reshape(steps * lines, 3 * ns)
    np.dot(x.reshape(steps * lines, ni).T, errors, dwx)
    if steps > 1:
        rows = (steps - 1) * lines
        previous_outputs = output[:-1].reshape(rows, ns)
        operands = previous_outputs if reset_after else memory[1:].reshape(rows, ns)
        np.dot(previous_outputs.T, gateerr[1:].reshape(rows, 2 * ns), dwh)
        np.dot(operands.T, producterr[1:].reshape(rows, ns), dwn)
    else:
        dwh[:] = zero
        dwn[:] = zero
    dbias[:] = zero
    dbh[:] = zero
    for row in range(steps * lines):
        for k in range(3 * ns):
            dbias[k] += errors[row, k]
    if reset_after:
        for t in range(steps):
            for i in range(lines):
                for k in range(ns):
                    dbh[k] += producterr[t, i, k]
    if dx.size > 0:
        np.dot(errors, np.ascontiguousarray(wx.T), dx.reshape(steps * lines, ni))
