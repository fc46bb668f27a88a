"""Layers that move values and change none."""

from cases import Case
from ocrlstm.layers import Columns, Reshape

ABOUT = {
    "Columns": ("y(t) = column t, top row first", "VGSL S1(1x0)1,3"),
    "Reshape": ("dimension d as a x b, one part moved to another dimension", "VGSL S"),
}

CASES = [
    Case("Columns", lambda: Columns(), (7, None, 2), (9, 1, 2)),
    Case("Columns", lambda: Columns(), (1, None, 1), (1,)),
    Case("Reshape", lambda: Reshape(1, 1, 0, 1, 3), (7, None, 2), (9, 1, 2)),
    Case("Reshape", lambda: Reshape(1, 0, 3, 3, 1), (9, None, 1), (2, 7)),
    Case("Reshape", lambda: Reshape(1, 2, 1, 1, 1), (2, None, 1), (1,)),
    Case("Reshape", lambda: Reshape(1, 7, 1, 2, 1), (7, None, 2), (2, 1)),
    Case("Reshape", lambda: Reshape(3, 3, 0, 1, 3), (2, None, 9), (7, 0)),
    Case("Reshape", lambda: Reshape(3, 3, 3, 3, 3), (1, None, 9), (2, 1)),
    Case("Reshape", lambda: Reshape(3, 0, 2, 3, 2), (2, None, 2), (7, 1)),
    Case("Reshape", lambda: Reshape(3, 7, 0, 2, 3), (None, 7), (2, 1)),
    Case("Reshape", lambda: Reshape(2, 0, 2, 2, 3), (2, None, 7), (9, 1, 2)),
    Case("Reshape", lambda: Reshape(2, 2, 0, 3, 2), (None, 2), (9, 7, 1)),
    Case("Reshape", lambda: Reshape(2, 0, 3, 2, 1), (2, None, 1), (9, 2, 7)),
    Case("Reshape", lambda: Reshape(2, 0, 2, 2, 2), (1, None, 2), (9, 1, 7)),
    Case("Reshape", lambda: Reshape(2, 3, 3, 1, 2), (1, 9, 2), (9, 7)),
]
