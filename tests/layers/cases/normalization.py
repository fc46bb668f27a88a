"""Normalisations."""

from cases import Case
from ocrlstm.layers import BatchNorm, GroupNorm, L1Norm, L2Norm

ABOUT = {
    "BatchNorm": (
        "y = gamma (x - mean) / sqrt(var + eps) + beta, mean and var of a channel over the batch",
        "Ioffe and Szegedy, ICML 2015",
    ),
    "GroupNorm": (
        "as BatchNorm, mean and var of a group of channels over the item",
        "Wu and He, ECCV 2018",
    ),
    "L1Norm": ("y = x / sum |x|", "NumPyNet"),
    "L2Norm": ("y = x / sqrt(sum x^2)", "NumPyNet"),
}

CASES = [
    Case("BatchNorm", lambda: BatchNorm(), (1, None, 1), (1,)),
    Case("BatchNorm", lambda: BatchNorm(), (2, None, 7), (9, 1, 0)),
    Case("BatchNorm", lambda: BatchNorm(momentum=1.0), (7, None, 2), (2, 7, 1)),
    Case("BatchNorm", lambda: BatchNorm(epsilon=0.1), (1, None, 9), (7, 2)),
    Case("BatchNorm", lambda: BatchNorm(), (None, 1), (9, 2)),
    Case("BatchNorm", lambda: BatchNorm(0.5, 0.01), (None, 7), (2, 9, 1)),
    Case("GroupNorm", lambda: GroupNorm(1), (1, None, 1), (2, 1)),
    Case("GroupNorm", lambda: GroupNorm(2), (2, None, 2), (9, 1, 7)),
    Case("GroupNorm", lambda: GroupNorm(3), (7, None, 9), (1, 2)),
    Case("GroupNorm", lambda: GroupNorm(7, epsilon=0.1), (2, None, 7), (7, 2)),
    Case("GroupNorm", lambda: GroupNorm(1), (None, 9), (7, 1, 2)),
    Case("GroupNorm", lambda: GroupNorm(1), (None, 2), (9, 0, 1)),
    # Every value away from zero, the kink of |x|.
    Case("L1Norm", lambda: L1Norm(), (1, None, 1), (2, 1), "distinct"),
    Case("L1Norm", lambda: L1Norm(), (2, None, 7), (9, 1, 0), "distinct"),
    Case("L1Norm", lambda: L1Norm("channels", 0.5), (None, 9), (7, 1, 2), "distinct"),
    Case("L1Norm", lambda: L1Norm("item"), (7, None, 2), (2, 1), "distinct"),
    Case("L1Norm", lambda: L1Norm("item", 9.0), (None, 2), (9, 1, 7), "distinct"),
    Case("L2Norm", lambda: L2Norm(), (2, None, 7), (9, 1, 0)),
    Case("L2Norm", lambda: L2Norm(), (1, None, 2), (7, 2)),
    Case("L2Norm", lambda: L2Norm("channels", 0.5), (None, 9), (7, 1, 2)),
    Case("L2Norm", lambda: L2Norm("item"), (7, None, 1), (9, 1, 2)),
    Case("L2Norm", lambda: L2Norm("item", 0.5), (None, 7), (2, 9, 1)),
]
