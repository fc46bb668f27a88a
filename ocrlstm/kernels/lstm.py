"""The peephole LSTM for batches: what `ocrlstm.kernels.reference.lstm` defines, made quick.

One batch is one call. The input products of many steps are one matrix product; the recurrent
products of a step are those of the lines that are not yet at their end, held in registers
(`ocrlstm.kernels.tile`), so that lines in order of their length, longest first, cost least; the
gates are computed together (`ocrlstm.kernels.lstm_gates`).

Arrays hold the gates side by side, in the order gi, gf, go, ci: ``wx`` (ni, 4 ns), ``wh``
(ns, 4 ns), ``bias`` (4 ns,). ``peepholes`` (3, ns) are WIP, WFP, WOP.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.lstm_gates import step_errors, step_gates
from ocrlstm.kernels.tile import pad_columns, row_product
from ocrlstm.kernels.unfinished import unfinished

__all__ = ["backward", "forward", "steps_at_once"]

# Rows of the input's matrix product: enough for BLAS, few enough to be in the cache when the steps
# come to them.
_ROWS = 512


def steps_at_once(lines: int) -> int:
    """Return how many steps `forward` takes at a time, and needs room for where nothing is kept."""
    return max(1, _ROWS // max(lines, 1))


@compiled
def forward(  # type: ignore[no-untyped-def]
    x, wx, wh, bias, peepholes, lengths, peephole_at_start, backwards, gates, state, output
):
    """Run the LSTM over a batch.

    Parameters
    ----------
    x : ndarray, shape (T, N, ni), C-contiguous
    wx, wh, bias, peepholes : ndarray
        Weights, laid out as the module says.
    lengths : ndarray of int64, shape (N,)
        Valid steps of each line. Beyond them all results are zero.
    peephole_at_start : bool
        False leaves the output peephole out at each line's first step.
    backwards : bool
        Read each line from its end: what would be step t - 1 for step t is then step t + 1.
    gates : ndarray, shape (T, N, 4 ns) or (S, N, 4 ns)
        Filled with the gates' values gi, gf, go, ci. With fewer steps S than there are, those of
        the last S steps overwrite each other, for whom needs only the output.
    state : ndarray, shape (T, N, ns) or (S, N, ns)
        Filled with c, in the same way.
    output : ndarray, shape (T, N, ns)
        Filled with h.
    """
    steps, lines, ni = x.shape
    ns = output.shape[2]
    room = gates.shape[0]
    at_once = max(1, min(room, _ROWS // max(lines, 1)))
    one = x.dtype.type(1)
    zero = x.dtype.type(0)
    wide = pad_columns(wh)
    recurrent = np.zeros((lines, wide.shape[1]), x.dtype)
    before = np.zeros((lines, ns), x.dtype)
    for done in range(0, steps, at_once):
        count = min(at_once, steps - done)
        begin = steps - done - count if backwards else done
        low = begin if room >= steps else 0  # where the portion lies in `gates` and `state`
        rows = count * lines
        np.dot(
            x[begin : begin + count].reshape(rows, ni),
            wx,
            gates[low : low + count].reshape(rows, 4 * ns),
        )
        for n in range(count):
            offset = count - 1 - n if backwards else n
            t, place = begin + offset, low + offset
            if done + n > 0:
                # Beyond a line's end the output is zero, as it should be where reading begins.
                row_product(
                    output[t + 1 if backwards else t - 1], wide, unfinished(lengths, t), recurrent
                )
            for i in range(lines):
                if t >= lengths[i]:
                    gates[place, i] = zero
                    state[place, i] = zero
                    output[t, i] = zero
                    continue
                first = t == (lengths[i] - 1 if backwards else 0)
                peep_out = zero if first and not peephole_at_start else one
                if n == 0:
                    previous = before[i]
                else:
                    previous = state[place + 1 if backwards else place - 1, i]
                step_gates(
                    gates[place, i],
                    recurrent[i],
                    bias,
                    peepholes,
                    previous,
                    state[place, i],
                    output[t, i],
                    peep_out,
                )
        last = low if backwards else low + count - 1
        for i in range(lines):
            for k in range(ns):
                before[i, k] = state[last, i, k]


@compiled
def backward(  # type: ignore[no-untyped-def]
    deltas,
    x,
    wx,
    wh,
    peepholes,
    lengths,
    peephole_at_start,
    backwards,
    gates,
    state,
    output,
    dx,
    dwx,
    dwh,
    dbias,
    dpeepholes,
):
    """Propagate `deltas` back through what `forward` computed.

    Parameters
    ----------
    deltas : ndarray, shape (T, N, ns)
        Gradient of the output. Values beyond a line's length are ignored.
    x, wx, wh, peepholes, lengths, peephole_at_start, backwards, state, output
        As in `forward`.
    gates : ndarray, shape (T, N, 4 ns)
        As `forward` left it; holds gierr, gferr, goerr, cierr afterwards.
    dx : ndarray, shape (T, N, ni), or (0, 0, 0) where the input gradient is not wanted
        Overwritten.
    dwx, dwh, dbias, dpeepholes : ndarray
        Like the weights; overwritten.
    """
    steps, lines, ni = x.shape
    ns = state.shape[2]
    one = x.dtype.type(1)
    zero = x.dtype.type(0)
    stateerr = np.zeros((lines, ns), x.dtype)  # what the step after gives to c(t) directly
    wide = pad_columns(wh.T)
    recurrent = np.zeros((lines, wide.shape[1]), x.dtype)
    nothing = np.zeros(ns, x.dtype)
    dpeepholes[:] = zero
    for n in range(steps):
        # From the step that was read last to the first: `after` was read after t, `earlier` before.
        t = n if backwards else steps - 1 - n
        after = t - 1 if backwards else t + 1
        earlier = t + 1 if backwards else t - 1
        if n > 0:
            row_product(gates[after], wide, unfinished(lengths, after), recurrent)
        for i in range(lines):
            if t >= lengths[i]:
                continue
            first = t == (lengths[i] - 1 if backwards else 0)
            peep_out = zero if first and not peephole_at_start else one
            previous = nothing if first else state[earlier, i]
            # At the step that a line reads last, nothing comes from later ones.
            later = recurrent[i, :ns] if 0 <= after < lengths[i] else nothing
            step_errors(
                gates[t, i],
                peepholes,
                previous,
                state[t, i],
                deltas[t, i],
                later,
                stateerr[i],
                dpeepholes,
                peep_out,
            )
    errors = gates.reshape(steps * lines, 4 * ns)
    np.dot(x.reshape(steps * lines, ni).T, errors, dwx)
    if steps > 1:
        rows = (steps - 1) * lines
        before = output[1:] if backwards else output[:-1]
        of_step = gates[:-1] if backwards else gates[1:]
        np.dot(before.reshape(rows, ns).T, of_step.reshape(rows, 4 * ns), dwh)
    else:
        dwh[:] = zero
    dbias[:] = zero
    for row in range(steps * lines):
        for k in range(4 * ns):
            dbias[k] += errors[row, k]
    if dx.size > 0:
        np.dot(errors, np.ascontiguousarray(wx.T), dx.reshape(steps * lines, ni))
