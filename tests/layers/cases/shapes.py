"""Layers that move values and change none."""

from cases import Case
from ocrlstm.layers import Columns

ABOUT = {
    "Columns": ("y(t) = column t, top row first", "VGSL S1(1x0)1,3"),
}

CASES = [
    Case("Columns", lambda: Columns(), (7, None, 2), (9, 1, 2)),
    Case("Columns", lambda: Columns(), (1, None, 1), (1,)),
]
