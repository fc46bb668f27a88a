"""Layers that change the size of images without weights."""

from cases import Case
from ocrlstm.layers import Shuffler, Upsample

ABOUT = {
    "Upsample": (
        "up: y(r, c) = s x(r // fy, c // fx); down: y = s / (fy fx) sum of the block",
        "NumPyNet",
    ),
    "Shuffler": (
        "y(r fy + i, c fx + j, k) = x(r, c, (k fy + i) fx + j), and its inverse",
        "Shi et al., CVPR 2016; VGSL S",
    ),
}

CASES = [
    Case("Upsample", lambda: Upsample(1), (1, None, 1), (1,)),
    Case("Upsample", lambda: Upsample(2), (7, None, 2), (9, 1, 2)),
    Case("Upsample", lambda: Upsample((1, 7)), (2, None, 1), (2, 1)),
    Case("Upsample", lambda: Upsample((3, 1), scale=0.7), (1, 7, 9), (7, 2)),
    Case("Upsample", lambda: Upsample(1, True), (1, None, 1), (1,)),
    Case("Upsample", lambda: Upsample(2, True), (7, None, 2), (9, 1, 2)),
    Case("Upsample", lambda: Upsample((1, 2), True, -3.0), (2, None, 7), (7, 2)),
    Case("Upsample", lambda: Upsample((4, 3), down=True, scale=12.0), (9, 9, 1), (9, 2, 7)),
    Case("Shuffler", lambda: Shuffler(1), (1, None, 1), (1,)),
    Case("Shuffler", lambda: Shuffler(2), (7, None, 4), (9, 1, 2)),
    Case("Shuffler", lambda: Shuffler((1, 2)), (2, None, 2), (7, 2)),
    Case("Shuffler", lambda: Shuffler((3, 2)), (1, 7, 12), (7, 1)),
    Case("Shuffler", lambda: Shuffler(1, inverse=True), (1, None, 1), (1,)),
    Case("Shuffler", lambda: Shuffler(2, inverse=True), (2, None, 1), (9, 1, 2)),
    Case("Shuffler", lambda: Shuffler((1, 7), True), (7, None, 1), (9, 7)),
    Case("Shuffler", lambda: Shuffler((3, 2), True), (9, 9, 2), (9, 2, 1)),
]
