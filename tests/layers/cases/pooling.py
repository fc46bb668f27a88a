"""Pooling."""

from cases import Case
from ocrlstm.layers import MaxPool

ABOUT = {
    "MaxPool": ("y = max of the window", "Ranzato et al., CVPR 2007"),
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
]
