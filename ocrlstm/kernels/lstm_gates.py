"""The gates of one line of an LSTM at one step, and their errors.

In float32 they are computed a vector of cells at a time, all that belongs to a cell together,
with the vector instructions given to LLVM as in `ocrlstm.kernels.tile`: it splits such a loop over
a few cells into many short ones with most of the work in their ends. In float64, and of fewer cells
than a vector has, it is the plain loops.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ocrlstm.kernels import squash
from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.tile import VECTOR

__all__ = ["step_errors", "step_gates"]

_LANES = VECTOR // 4


@compiled
def _plain(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out):  # type: ignore[no-untyped-def]
    ns = state.shape[0]
    for k in range(4 * ns):
        gates[k] += bias[k]
    for k in range(ns):
        gates[k] = squash.logistic(gates[k] + recurrent[k] + peepholes[0, k] * previous_state[k])
    for k in range(ns):
        gates[ns + k] = squash.logistic(
            gates[ns + k] + recurrent[ns + k] + peepholes[1, k] * previous_state[k]
        )
    for k in range(ns):
        gates[3 * ns + k] = squash.tanh(gates[3 * ns + k] + recurrent[3 * ns + k])
    for k in range(ns):
        state[k] = gates[3 * ns + k] * gates[k] + gates[ns + k] * previous_state[k]
    for k in range(ns):
        gates[2 * ns + k] = squash.logistic(
            gates[2 * ns + k] + recurrent[2 * ns + k] + peep_out * (peepholes[2, k] * state[k])
        )
    for k in range(ns):
        output[k] = squash.tanh(state[k]) * gates[2 * ns + k]


@compiled
def _plain_errors(  # type: ignore[no-untyped-def]
    gates, peepholes, previous_state, state, deltas, later, stateerr, dpeepholes, peep_out
):
    ns = state.shape[0]
    one = state.dtype.type(1)
    for k in range(ns):
        gi, gf, go, ci = gates[k], gates[ns + k], gates[2 * ns + k], gates[3 * ns + k]
        outerr = deltas[k] + later[k]
        squashed = squash.tanh(state[k])
        goerr = outerr * squashed * go * (one - go)
        err = stateerr[k] + outerr * go * (one - squashed * squashed)
        err += goerr * (peep_out * peepholes[2, k])
        gferr = err * previous_state[k] * gf * (one - gf)
        gierr = err * ci * gi * (one - gi)
        gates[k] = gierr
        gates[ns + k] = gferr
        gates[2 * ns + k] = goerr
        gates[3 * ns + k] = err * gi * (one - ci * ci)
        stateerr[k] = err * gf + gierr * peepholes[0, k] + gferr * peepholes[1, k]
    for k in range(ns):
        dpeepholes[0, k] += gates[k] * previous_state[k]
        dpeepholes[1, k] += gates[ns + k] * previous_state[k]
        dpeepholes[2, k] += peep_out * (gates[2 * ns + k] * state[k])


class _Arithmetic:
    """Vectors of float32 in LLVM: the operations that the gates are made of."""

    def __init__(self, builder) -> None:  # type: ignore[no-untyped-def]
        self.builder = builder
        self.number = ir.FloatType()
        self.vector = ir.VectorType(self.number, _LANES)
        self._fma = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(self.vector, [self.vector] * 3),
            f"llvm.fma.v{_LANES}f32",
        )

    def constant(self, value):  # type: ignore[no-untyped-def]
        return ir.Constant(self.vector, [ir.Constant(self.number, float(value))] * _LANES)

    def multiply_add(self, a, b, c):  # type: ignore[no-untyped-def]
        return self.builder.call(self._fma, [a, b, c])

    def spread(self, scalar):  # type: ignore[no-untyped-def]
        undefined, integer = ir.Constant(self.vector, ir.Undefined), ir.IntType(32)
        first = self.builder.insert_element(undefined, scalar, ir.Constant(integer, 0))
        everywhere = ir.Constant(ir.VectorType(integer, _LANES), [0] * _LANES)
        return self.builder.shuffle_vector(first, undefined, everywhere)

    def clamp(self, x, low, high):  # type: ignore[no-untyped-def]
        """Bound `x`; a NaN is neither below nor above, and stays."""
        for order, bound in (("<", low), (">", high)):
            limit = self.constant(bound)
            x = self.builder.select(self.builder.fcmp_ordered(order, x, limit), limit, x)
        return x

    def tanh(self, x):  # type: ignore[no-untyped-def]
        """Return the rational function of `ocrlstm.kernels.squash`."""
        x = self.clamp(x, -squash.LIMIT, squash.LIMIT)
        square = self.builder.fmul(x, x)
        p, q = (self._polynomial(square, terms) for terms in (squash.P_TERMS, squash.Q_TERMS))
        return self.clamp(self.builder.fdiv(self.builder.fmul(x, p), q), -1.0, 1.0)

    def logistic(self, x):  # type: ignore[no-untyped-def]
        half = self.constant(0.5)
        return self.multiply_add(self.tanh(self.builder.fmul(x, half)), half, half)

    def over_cells(self, size, load, finish):  # type: ignore[no-untyped-def]
        """Write the loop over all vectors of cells, of `size` bytes in all.

        The last vector ends with the last cell, so it may overlap the one before: `load` gets all
        that changes of it before anything is stored, and what `finish` computes twice comes out the
        same.
        """
        builder, integer = self.builder, size.type
        zero, vector = ir.Constant(integer, 0), ir.Constant(integer, VECTOR)
        last = builder.sub(size, vector)
        loaded = load(last)
        entry = builder.block
        each, end = builder.append_basic_block("vector"), builder.append_basic_block("last")
        builder.cbranch(builder.icmp_signed(">", last, zero), each, end)
        builder.position_at_end(each)
        offset = builder.phi(integer)
        finish(offset, load(offset))
        following = builder.add(offset, vector)
        offset.add_incoming(zero, entry)
        offset.add_incoming(following, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, last), each, end)
        builder.position_at_end(end)
        finish(last, loaded)

    def place(self, array, size, row, offset):  # type: ignore[no-untyped-def]
        """Return where a vector lies in a row of an array whose rows have `size` bytes."""
        offset = self.builder.add(self.builder.mul(size, ir.Constant(size.type, row)), offset)
        address = self.builder.add(array, offset)
        return self.builder.inttoptr(address, self.vector.as_pointer())

    def load(self, array, size, row, offset):  # type: ignore[no-untyped-def]
        return self.builder.load(self.place(array, size, row, offset), align=4)

    def store(self, value, array, size, row, offset):  # type: ignore[no-untyped-def]
        self.builder.store(value, self.place(array, size, row, offset), align=4)

    def _polynomial(self, x, terms):  # type: ignore[no-untyped-def]
        value = self.constant(terms[0])
        for term in terms[1:]:
            value = self.multiply_add(value, x, self.constant(term))
        return value


@intrinsic
def _in_vectors(  # type: ignore[no-untyped-def]
    typing_context, gates, recurrent, bias, peepholes, previous_state, state, output, ns, peep_out
):
    """Compute the gates of at least a vector of cells; the arrays are given by their addresses."""
    signature = types.void(*[types.intp] * 8, types.float32)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        gates, recurrent, bias, peepholes, previous_state, state, output, ns, peep_out = arguments
        arithmetic = _Arithmetic(builder)
        add, multiply_add = builder.fadd, arithmetic.multiply_add
        integer = ns.type
        size = builder.mul(ns, ir.Constant(integer, 4))
        peep_out = arithmetic.spread(peep_out)

        def load(array, row, offset):  # type: ignore[no-untyped-def]
            return arithmetic.load(array, size, row, offset)

        def store(value, array, row, offset):  # type: ignore[no-untyped-def]
            arithmetic.store(value, array, size, row, offset)

        def sums(offset):  # type: ignore[no-untyped-def]
            """Load what the gates act on, and the state before."""
            total = [
                add(add(load(gates, n, offset), load(bias, n, offset)), load(recurrent, n, offset))
                for n in range(4)
            ]
            return [*total, load(previous_state, 0, offset)]

        def finish(offset, loaded):  # type: ignore[no-untyped-def]
            zi, zf, zo, zc, before = loaded
            gi = arithmetic.logistic(multiply_add(load(peepholes, 0, offset), before, zi))
            gf = arithmetic.logistic(multiply_add(load(peepholes, 1, offset), before, zf))
            ci = arithmetic.tanh(zc)
            c = multiply_add(ci, gi, builder.fmul(gf, before))
            peephole = builder.fmul(peep_out, load(peepholes, 2, offset))
            go = arithmetic.logistic(multiply_add(peephole, c, zo))
            for n, value in enumerate((gi, gf, go, ci)):
                store(value, gates, n, offset)
            store(c, state, 0, offset)
            store(builder.fmul(arithmetic.tanh(c), go), output, 0, offset)

        arithmetic.over_cells(size, sums, finish)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _errors_in_vectors(  # type: ignore[no-untyped-def]
    typing_context, gates, peepholes, previous_state, state, deltas, later, stateerr, dpeepholes,
    ns, peep_out,
):  # fmt: skip
    """Compute the errors of at least a vector of cells; the arrays are given by their addresses."""
    signature = types.void(*[types.intp] * 9, types.float32)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        (gates, peepholes, previous_state, state, deltas, later, stateerr, dpeepholes, ns,
         peep_out) = arguments  # fmt: skip
        arithmetic = _Arithmetic(builder)
        multiply_add, times = arithmetic.multiply_add, builder.fmul
        size = builder.mul(ns, ir.Constant(ns.type, 4))
        peep_out = arithmetic.spread(peep_out)
        one = arithmetic.constant(1.0)

        def load(array, row, offset):  # type: ignore[no-untyped-def]
            return arithmetic.load(array, size, row, offset)

        def changing(offset):  # type: ignore[no-untyped-def]
            """Load all that is stored to: gates, stateerr, and the gradient of the peepholes."""
            rows = [(gates, n) for n in range(4)] + [(stateerr, 0)]
            return [load(*row, offset) for row in [*rows, *((dpeepholes, n) for n in range(3))]]

        def slope(value):  # type: ignore[no-untyped-def]
            return times(value, builder.fsub(one, value))  # of the logistic function

        def square_slope(value):  # type: ignore[no-untyped-def]
            return builder.fsub(one, times(value, value))  # of tanh

        def finish(offset, loaded):  # type: ignore[no-untyped-def]
            gi, gf, go, ci, later_err, *of_peepholes = loaded
            before, c = load(previous_state, 0, offset), load(state, 0, offset)
            outerr = builder.fadd(load(deltas, 0, offset), load(later, 0, offset))
            squashed = arithmetic.tanh(c)
            goerr = times(times(outerr, squashed), slope(go))
            err = multiply_add(times(outerr, go), square_slope(squashed), later_err)
            err = multiply_add(goerr, times(peep_out, load(peepholes, 2, offset)), err)
            gferr = times(times(err, before), slope(gf))
            gierr = times(times(err, ci), slope(gi))
            cierr = times(times(err, gi), square_slope(ci))
            before_err = multiply_add(gferr, load(peepholes, 1, offset), times(err, gf))
            before_err = multiply_add(gierr, load(peepholes, 0, offset), before_err)
            values = [
                *((value, gates, n) for n, value in enumerate((gierr, gferr, goerr, cierr))),
                (before_err, stateerr, 0),
                (multiply_add(gierr, before, of_peepholes[0]), dpeepholes, 0),
                (multiply_add(gferr, before, of_peepholes[1]), dpeepholes, 1),
                (multiply_add(times(peep_out, goerr), c, of_peepholes[2]), dpeepholes, 2),
            ]
            for value, array, row in values:
                arithmetic.store(value, array, size, row, offset)

        arithmetic.over_cells(size, changing, finish)
        return context.get_dummy_value()

    return signature, generate


@compiled
def step_gates(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out):  # type: ignore[no-untyped-def]
    """Turn what the inputs give to one line at one step into gates, state and output.

    Parameters
    ----------
    gates : ndarray, shape (4 ns,), C-contiguous as all are
        In: what the inputs give to gi, gf, go, ci. Out: the gates' values.
    recurrent : ndarray, shape (>= 4 ns,)
        What the output of the step before gives.
    bias : ndarray, shape (4 ns,)
    peepholes : ndarray, shape (3, ns)
    previous_state : ndarray, shape (ns,)
    state, output : ndarray, shape (ns,)
        Overwritten with c and h.
    peep_out : float
        1, or 0 where the output peephole does not act.
    """
    if gates.itemsize != 4 or state.shape[0] < _LANES:
        _plain(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out)
    else:
        _in_vectors(
            gates.ctypes.data,
            recurrent.ctypes.data,
            bias.ctypes.data,
            peepholes.ctypes.data,
            previous_state.ctypes.data,
            state.ctypes.data,
            output.ctypes.data,
            state.shape[0],
            peep_out,
        )


@compiled
def step_errors(  # type: ignore[no-untyped-def]
    gates, peepholes, previous_state, state, deltas, later, stateerr, dpeepholes, peep_out
):
    """Turn one line's gates of one step into their errors, and pass on those of the state.

    Parameters
    ----------
    gates : ndarray, shape (4 ns,), C-contiguous as all are
        In: the gates' values. Out: gierr, gferr, goerr, cierr.
    peepholes : ndarray, shape (3, ns)
    previous_state, state : ndarray, shape (ns,)
    deltas : ndarray, shape (ns,)
        Gradient of the output.
    later : ndarray, shape (>= ns,)
        What the step after gives to the output.
    stateerr : ndarray, shape (ns,)
        In: what later steps give to c(t). Out: what this one gives to c(t-1).
    dpeepholes : ndarray, shape (3, ns)
        The gradient of the peepholes is added to it.
    peep_out : float
        As in `step_gates`.
    """
    if gates.itemsize != 4 or state.shape[0] < _LANES:
        _plain_errors(
            gates, peepholes, previous_state, state, deltas, later, stateerr, dpeepholes, peep_out
        )
    else:
        _errors_in_vectors(
            gates.ctypes.data,
            peepholes.ctypes.data,
            previous_state.ctypes.data,
            state.ctypes.data,
            deltas.ctypes.data,
            later.ctypes.data,
            stateerr.ctypes.data,
            dpeepholes.ctypes.data,
            state.shape[0],
            peep_out,
        )
