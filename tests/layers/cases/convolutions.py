"""Convolutions."""

from cases import Case
from ocrlstm.layers import Convolution

ABOUT = {
    "Convolution": (
        "y(r, c) = f(b + sum x(r sy + i dy - py, c sx + j dx - px) W(i, j))",
        "LeCun et al., 1989; dilated: Yu and Koltun, ICLR 2016",
    ),
}

CASES = [
    Case("Convolution", lambda: Convolution(1, 1), (1, None, 1), (1,)),
    Case("Convolution", lambda: Convolution(2, 2), (7, None, 1), (7, 2, 1)),
    Case("Convolution", lambda: Convolution(7, 3), (2, None, 1), (9, 1, 2)),
    Case("Convolution", lambda: Convolution(2, 3), (7, None, 2), (2, 7)),
    Case("Convolution", lambda: Convolution(2, (3, 5)), (7, None, 2), (9, 1, 4)),
    Case("Convolution", lambda: Convolution(2, 3, 2), (9, None, 1), (9, 2, 1)),
    Case("Convolution", lambda: Convolution(2, 3, (2, 1)), (7, None, 2), (1, 7)),
    Case("Convolution", lambda: Convolution(3, (2, 3), (1, 3)), (2, None, 1), (7, 9)),
    Case("Convolution", lambda: Convolution(2, 1, 2), (2, None, 7), (7, 1)),
    Case("Convolution", lambda: Convolution(2, 3, activation="tanh"), (7, None, 1), (7, 1, 2)),
    Case("Convolution", lambda: Convolution(2, (3, 5), 2, "tanh"), (2, None, 2), (9, 7)),
    Case("Convolution", lambda: Convolution(2, 3, activation="logistic"), (7, None, 1), (7, 1, 2)),
    Case(
        "Convolution", lambda: Convolution(1, (1, 9), activation="logistic"), (1, None, 2), (2, 9)
    ),
    Case("Convolution", lambda: Convolution(2, 3), (7, None, 8), (7, 1, 2)),
    Case("Convolution", lambda: Convolution(2, (3, 4), (2, 1), "tanh"), (7, None, 9), (9, 1)),
    # Whole sums and half a one as bias: never at the rectifier's kink.
    Case("Convolution", lambda: Convolution(1, 1, activation="relu"), (1, None, 1), (1,), "whole"),
    Case(
        "Convolution",
        lambda: Convolution(7, 3, activation="relu"),
        (2, None, 1),
        (9, 1, 2),
        "whole",
    ),
    Case("Convolution", lambda: Convolution(2, (3, 5), 2, "relu"), (7, None, 2), (2, 9), "whole"),
    Case("Convolution", lambda: Convolution(2, 2, (2, 1), "relu"), (7, None, 2), (7, 1), "whole"),
    Case(
        "Convolution",
        lambda: Convolution(2, 3, activation="relu"),
        (2, None, 9),
        (7, 1, 2),
        "whole",
    ),
    # Paddings, dilations, and no bias: with few channels and with many.
    Case("Convolution", lambda: Convolution(2, 3, padding=0), (7, None, 2), (9, 2, 3)),
    Case("Convolution", lambda: Convolution(2, 3, padding=0), (7, None, 9), (9, 2, 3)),
    Case("Convolution", lambda: Convolution(2, (2, 3), padding=(4, 5)), (2, None, 1), (7, 1)),
    Case("Convolution", lambda: Convolution(1, (2, 3), padding=(4, 5)), (2, None, 9), (2, 1)),
    Case("Convolution", lambda: Convolution(2, 3, dilation=2), (7, None, 2), (9, 1, 2)),
    Case("Convolution", lambda: Convolution(2, 3, dilation=2), (7, None, 9), (9, 1, 2)),
    Case(
        "Convolution",
        lambda: Convolution(2, (3, 2), (2, 3), "tanh", padding=(0, 3), dilation=(1, 4)),
        (9, None, 2),
        (9, 2, 7),
    ),
    Case(
        "Convolution",
        lambda: Convolution(2, (2, 3), (2, 1), "tanh", padding=1, dilation=(2, 3), bias=False),
        (7, None, 9),
        (9, 7, 1),
    ),
    Case("Convolution", lambda: Convolution(7, 3, bias=False), (2, None, 1), (9, 1, 2)),
    Case("Convolution", lambda: Convolution(2, 3, 2, initializer="xavier"), (7, 9, 1), (9, 7)),
    # Other activations: slopes made of the output, and of the sums.
    Case("Convolution", lambda: Convolution(2, 3, 1, "leaky"), (7, None, 1), (7, 1), "whole"),
    Case("Convolution", lambda: Convolution(2, 3, 2, "hardtan"), (7, None, 1), (9, 2), "whole"),
    Case("Convolution", lambda: Convolution(2, (1, 3), 1, "softplus"), (2, None, 9), (7, 1, 2)),
    Case("Convolution", lambda: Convolution(2, 3, 1, "gelu"), (7, None, 2), (7, 1, 2)),
    Case("Convolution", lambda: Convolution(2, 3, 1, "swish", bias=False), (2, None, 9), (7, 2)),
]
