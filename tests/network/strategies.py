"""Random small networks over the whole of VGSL, and one small network for each kind of token."""

from __future__ import annotations

from hypothesis import strategies as st

from ocrlstm.errors import SpecError
from ocrlstm.layers import SeriesPlan
from ocrlstm.layers.nonlinearity import ACTIVATIONS
from ocrlstm.network import parse_spec

#: All but the one that jumps: there the last digit of a sum may decide on the next step.
SMOOTH = sorted(set(ACTIVATIONS) - {"stair"})
LETTERS = ["r", "s", "t", "l", "lr", *(f":{name}:" for name in SMOOTH)]

#: Networks that hold every kind of token between them, at least one each.
EXAMPLES = [
    "[1,6,0,2 Cr3,3,4 Clrn3,2,3,2,1 C:gelu:2,3,2,1,1,2,2,1,0 Cm1,1,3 Lfys4 Lbx3 O1c5]",
    "[1,9,0,1 Cs3,3,4 Mp2,2 Mp3,3,1,2,1,1 Ap2,3,1,1,1,0 Ap2,1 Lbys3 Gfxs4 O0s3]",
    "[1,4,0,4 Up2,2 Dn1,3,0.5 Ps2,2 S2,2 S1(2x0)1,3 S2(0x2)2,3 S3(2x0)2,3 Suy S1(1x0)1,3 Ol]",
    "[1,4,0,3 Gn3 L1n L2ni Acr Ac:softsign O2s4 Op,2.0]",
    "[1,4,0,3 Bn Do0.5,2 (I [Ct3,3,6 Cl3,3,3] I) A3,3 A1,2 O2l4 Sux S1(1x2)1,3 Lfx3 Ft5 O0l3]",
    "[1,4,0,3 Cr{a}3,3,3 Cl3,3,3 Scr@a,0.5,2 Rt-1,-4 Rtb-1,-1 Cl3,3,3,2,2 Cr1,1,4 Sc-3 Os]",
    "[1,3,0,2 Rx[Cr2,2,2 Lfx3] R2Gbx2 Rbx:relu:3 Rrx3,4 RxLfxn3 Lrxh3 Grxb2 Sc-2 Sux Fm3 O0p3]",
    "[1,4,0,2 Ry[Cr2,2,2] Rby3 Gry2 ([Mp2,2 Lfx2] [Mp1,2 Rfx3]) Do O1p3]",
    "[1,5,0,1 Cr{c}3,3,4 Lfx5 Rt@c Mp2,2 Lfx3 Fs4 O1l4]",
    "[1,0,4 (Lfx3 [Lrx3 Do] I) O1c4]",
    "[1,0,4 Gbx3 S3(3x0)2,3 L2n Gn1 Rtb-1,-1 Bn O1c4]",
    "[1,0,3 Fr4 Lbxs3 O0s4]",
    "[1,5,7,2 Cr3,3,3 Mp2,2 Fr6 O0s4]",
]  # fmt: skip


def input_text(shape):
    """The first token of a spec for inputs of a shape."""
    return ",".join(["1", *(str(size or 0) for size in shape)])


def output_shape(shape, tokens):
    """Shape after some tokens, or None if they do not fit."""
    try:
        spec = parse_spec(f"[{input_text(shape)} {' '.join(tokens)}]")
    except SpecError:
        return None
    plan = SeriesPlan(shape)
    for named in spec.layers:
        plan.add(named.layer, named.name)
    return plan.shapes[-1]


class Grower:
    """Writes random tokens.

    Plain random numbers, because drawing each by hypothesis takes ten times as long as running the
    networks; hypothesis chooses the seed and the sizes, and makes these smaller where a test fails.
    """

    def __init__(self, random, training):
        self.random = random
        self.training = training

    def pick(self, *choices):
        return self.random.choice(choices)

    def numbers(self, count, low, high):
        return ",".join(str(self.random.randint(low, high)) for _ in range(count))

    def network(self, shape, most, depth):
        return f"[{input_text(shape)} {' '.join(self.series(shape, most, depth))}]"

    def series(self, shape, most, depth):
        """Tokens that fit one after another."""
        tokens, names, now = [], [], shape
        for number in range(most):
            token = self.token(now, len(tokens), names, depth)
            name = None
            if token[0] not in "[(" and self.random.random() < 0.25:
                name = f"n{number}"
                token = f"{token[0]}{{{name}}}{token[1:]}"
            after = output_shape(shape, [*tokens, token])
            if after is not None:
                tokens.append(token)
                names += [name] if name else []
                now = after
        return tokens or ["I"]

    def token(self, shape, count, names, depth):
        """A token that may fit where `count` others are before it."""
        makers = [self.norm, self.activation, self.output, self.shape_change]
        if depth:
            makers += [lambda: self.brackets(shape, depth)] * 2
        if len(shape) == 3:
            makers += [self.convolution, self.convolution, self.pool, self.resizing]
            makers += [lambda: self.recurrent("y"), lambda: self.recurrent("x")]
        else:
            makers += [lambda: self.recurrent("x")] * 4
        if self.random.random() < 0.2:
            return self.join(count, names)
        return self.pick(*makers)()

    def convolution(self):
        token = f"C{self.pick(*LETTERS, 'm')}{self.pick('', 'n')}{self.numbers(2, 1, 3)}"
        token += f",{self.numbers(1, 1, 4)}"
        for low, high in [(1, 2), (1, 2), (0, 2)][: self.random.randint(0, 3)]:
            token += f",{self.numbers(2, low, high)}"
        return token

    def pool(self):
        sizes = self.random.randint(1, 3), self.random.randint(1, 3)
        token = f"{self.pick('Mp', 'Ap')}{sizes[0]},{sizes[1]}"
        if self.pick(True, False):
            token += f",{self.numbers(2, 1, 2)}"
            if self.pick(True, False):
                token += "".join(f",{self.random.randint(0, size // 2)}" for size in sizes)
        return token

    def resizing(self):
        return f"{self.pick('Up', 'Dn', 'Ps', 'S')}{self.numbers(2, 1, 2)}"

    def shape_change(self):
        axis = self.pick(1, 2, 3)
        parts = f"{self.random.randint(0, 3)}x{self.random.randint(0, 3)}"
        others = [axis, self.pick(1, 2, 3)]
        self.random.shuffle(others)
        reshape = f"S{axis}({parts}){others[0]},{others[1]}"
        chunk = f"A{self.pick(1, 3)},{self.random.randint(1, 3)}"
        return self.pick(reshape, reshape, chunk, "Sux", "Suy")

    def recurrent(self, axis):
        kind = self.pick("L", "G", "R")
        token = f"{kind}{self.pick('f', 'r', 'b')}{axis}{self.pick('', '', '', 's')}"
        if kind == "R":
            # Those that have no bound would grow from step to step.
            token += self.pick("", "", ":logistic:", ":hardtan:", ":softsign:")
            return f"{token}{self.numbers(1, 1, 3)}{self.pick('', '', ',2')}"
        options = ["", "n", "h"] if kind == "L" else ["", "b"]
        return f"{token}{self.pick(*options)}{self.numbers(1, 1, 3)}"

    def norm(self):
        choices = ["Gn1", "Gn2", "L1n", "L2n", "L1ni", "L2ni", "I"]
        return self.pick(*choices, *([] if self.training else ["Bn", "Do0.3", "Do0.3,2"]))

    def activation(self):
        letters = self.pick(*LETTERS)
        return self.pick(f"Ac{letters}", f"F{letters}{self.pick('', 'n')}{self.numbers(1, 1, 3)}")

    def output(self):
        return self.pick(
            "Os", "Op", "Ol", "Os,2.0", "Fm3", "O1c3", "O1p3", "O1l3", "O0s2", "O2s2", "O2l2",
            "O2p2",
        )  # fmt: skip

    def join(self, count, names):
        sources = [f"-{number}" for number in range(1, count + 2)] + [f"@{name}" for name in names]
        if self.pick(True, False):
            letters = self.pick("", "", *LETTERS)
            return f"Sc{letters}{self.pick(*sources)}{self.pick('', '', ',0.5,-1.5')}"
        chosen = [self.pick(*sources) for _ in range(self.random.randint(1, 3))]
        return f"Rt{self.pick('', '', 'b')}{','.join(chosen)}"

    def brackets(self, shape, depth):
        kind = self.pick("[]", "()", "()", "Rx", "Ry", "R2")
        inside = self.series(shape, self.random.randint(1, 3), depth - 1)
        net = f"[{' '.join(inside)}]"
        if kind == "()":
            other = self.series(shape, self.random.randint(1, 2), depth - 1)
            return f"({net} {self.pick('I', '[' + ' '.join(other) + ']')})"
        if kind == "[]":
            return net
        return kind + (inside[0] if len(inside) == 1 and self.pick(True, False) else net)


images = st.tuples(st.integers(1, 9), st.none(), st.integers(1, 4))
sequences = st.tuples(st.none(), st.integers(1, 4))
fixed = st.one_of(
    st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4)),
    st.tuples(st.integers(1, 9), st.integers(1, 4)),
)


def specs(training=False):
    """The text of a small network; with `training`, one without dropout and batch norms."""
    return st.builds(
        lambda random, *sizes: Grower(random, training).network(*sizes),
        st.randoms(use_true_random=True),
        st.one_of(images, images, images, sequences, fixed),
        st.integers(1, 8),
        st.integers(0, 2),
    )
