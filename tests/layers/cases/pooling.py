"""Pooling."""

from cases import Case
from ocrlstm.layers import AvgPool, MaxPool

ABOUT = {
    "MaxPool": ("y = max of the window", "Ranzato et al., CVPR 2007"),
    "AvgPool": ("y = sum of the window's n pixels / n", "LeCun et al., Proc. IEEE 86 (1998)"),
}

CASES = [
    Case("MaxPool", lambda: MaxPool(1), (1, None, 1), (1,), "distinct"),
    Case("MaxPool", lambda: MaxPool(2), (7, None, 2), (9, 1, 2), "distinct"),
    Case("MaxPool", lambda: MaxPool((1, 2)), (1, None, 1), (7, 2), "distinct"),
    Case("MaxPool", lambda: MaxPool((2, 1)), (2, None, 7), (1, 7), "distinct"),
    Case("MaxPool", lambda: MaxPool(3, 1), (7, None, 1), (7, 2, 3), "distinct"),
    Case("MaxPool", lambda: MaxPool(2, (1, 2)), (9, None, 2), (2, 9), "distinct"),
    Case("MaxPool", lambda: MaxPool((2, 3), 4), (7, None, 1), (9, 7), "distinct"),
    Case("MaxPool", lambda: MaxPool(7, 2), (9, None, 1), (9, 7), "distinct"),
    Case("MaxPool", lambda: MaxPool(2, 2, 1), (7, None, 2), (9, 1, 2), "distinct"),
    Case("MaxPool", lambda: MaxPool(3, 1, 1), (2, None, 1), (7, 1), "distinct"),
    Case("MaxPool", lambda: MaxPool((7, 4), (2, 3), (3, 2)), (1, 9, 2), (9, 1, 2), "distinct"),
    Case("MaxPool", lambda: MaxPool((1, 3), None, (0, 1)), (9, None, 7), (2, 1), "distinct"),
    Case("AvgPool", lambda: AvgPool(1), (1, None, 1), (1,)),
    Case("AvgPool", lambda: AvgPool(2), (7, None, 2), (9, 1, 2)),
    Case("AvgPool", lambda: AvgPool((1, 2)), (1, None, 9), (7, 2)),
    Case("AvgPool", lambda: AvgPool(3, 1), (7, None, 1), (7, 2, 3)),
    Case("AvgPool", lambda: AvgPool((2, 3), (4, 1)), (9, None, 2), (9, 7)),
    Case("AvgPool", lambda: AvgPool(2, 2, 1), (7, None, 2), (9, 1, 2)),
    Case("AvgPool", lambda: AvgPool(3, 1, 1), (2, None, 1), (7, 1)),
    Case("AvgPool", lambda: AvgPool((7, 4), (2, 3), (3, 2)), (1, 9, 2), (9, 1, 2)),
    Case("AvgPool", lambda: AvgPool((1, 3), None, (0, 1)), (9, None, 7), (2, 1)),
]
