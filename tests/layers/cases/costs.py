"""The end of a network."""

from cases import Case
from ocrlstm.layers import Cost

ABOUT = {
    "Cost": ("y = x; the loss scale * l(x, t) is its own table", "NumPyNet"),
}

CASES = [
    Case("Cost", lambda: Cost("mse"), (None, 2), (7, 1)),
    Case("Cost", lambda: Cost("seg", 2.0, noobject_scale=0.1), (2, None, 1), (9, 1, 2)),
]
