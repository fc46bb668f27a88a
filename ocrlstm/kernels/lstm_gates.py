"""The gates of one line of an LSTM at one step.

In float32 they are computed a vector of cells at a time, all four gates, state and output together,
with the vector instructions given to LLVM as in `ocrlstm.kernels.tile`: it splits such a loop over
a few cells into many short ones with most of the work in their ends. In float64, and of fewer cells
than a vector has, it is the plain loops.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ocrlstm.kernels import squash
from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.tile import VECTOR

__all__ = ["step_gates"]

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

        def place(array, gate, offset):  # type: ignore[no-untyped-def]
            offset = builder.add(builder.mul(size, ir.Constant(integer, gate)), offset)
            address = builder.add(array, offset)
            return builder.inttoptr(address, arithmetic.vector.as_pointer())

        def load(array, gate, offset):  # type: ignore[no-untyped-def]
            return builder.load(place(array, gate, offset), align=4)

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
                builder.store(value, place(gates, n, offset), align=4)
            builder.store(c, place(state, 0, offset), align=4)
            h = builder.fmul(arithmetic.tanh(c), go)
            builder.store(h, place(output, 0, offset), align=4)

        # The last vector ends with the last cell, so it may overlap the one before: it is loaded
        # before anything is stored, and what is computed twice comes out the same.
        zero = ir.Constant(integer, 0)
        last = builder.sub(size, ir.Constant(integer, VECTOR))
        last_sums = sums(last)
        entry = builder.block
        each, end = builder.append_basic_block("vector"), builder.append_basic_block("last")
        builder.cbranch(builder.icmp_signed(">", last, zero), each, end)
        builder.position_at_end(each)
        offset = builder.phi(integer)
        finish(offset, sums(offset))
        following = builder.add(offset, ir.Constant(integer, VECTOR))
        offset.add_incoming(zero, entry)
        offset.add_incoming(following, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, last), each, end)
        builder.position_at_end(end)
        finish(last, last_sums)
        return context.get_dummy_value()

    return signature, generate


def _step_gates(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out):  # type: ignore[no-untyped-def]
    raise NotImplementedError("only for compiled code")


@overload(_step_gates)
def _overload_step_gates(  # type: ignore[no-untyped-def]
    gates, recurrent, bias, peepholes, previous_state, state, output, peep_out
):
    if gates.dtype != types.float32:
        return lambda gates, recurrent, bias, peepholes, previous_state, state, output, peep_out: (
            _plain(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out)
        )

    def choose(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out):  # type: ignore[no-untyped-def]
        if state.shape[0] < _LANES:
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

    return choose


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
    _step_gates(gates, recurrent, bias, peepholes, previous_state, state, output, peep_out)
