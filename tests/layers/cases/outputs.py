"""What ends a network."""

from cases import Case
from ocrlstm.layers import Softmax

ABOUT = {
    "Softmax": ("y = exp(z) / sum exp(z), z = W2 [1 x]", "OCRopus; Bridle, 1990"),
}

CASES = [
    Case("Softmax", lambda: Softmax(1), (None, 2), (3, 1)),
    Case("Softmax", lambda: Softmax(7), (None, 9), (7, 1, 4)),
    Case("Softmax", lambda: Softmax(2, log=False), (None, 1), (2, 1)),
    Case("Softmax", lambda: Softmax(9, log=False), (None, 7), (7, 1, 4)),
]
