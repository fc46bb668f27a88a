"""What ends a network."""

from cases import Case
from ocrlstm.layers import Logistic, Softmax

ABOUT = {
    "Logistic": ("y = 1 / (1 + exp(-z)), z = W2 [1 x] or x", "OCRopus; NumPyNet"),
    "Softmax": (
        "y = exp(z / T) / sum exp(z / T), z = W2 [1 x] or x",
        "OCRopus; Bridle, 1990; Hinton, Vinyals and Dean, 2015",
    ),
}

CASES = [
    Case("Logistic", lambda: Logistic(), (None, 7), (9, 1)),
    Case("Logistic", lambda: Logistic(), (2, None, 2), (1, 7)),
    Case("Logistic", lambda: Logistic(1), (None, 1), (1,)),
    Case("Logistic", lambda: Logistic(7), (None, 9), (7, 0, 2)),
    Case("Logistic", lambda: Logistic(9, initializer="ocropus"), (None, 2), (2, 1)),
    Case("Softmax", lambda: Softmax(1), (None, 2), (3, 1)),
    Case("Softmax", lambda: Softmax(7), (None, 9), (7, 1, 4)),
    Case("Softmax", lambda: Softmax(2, log=False), (None, 1), (2, 1)),
    Case("Softmax", lambda: Softmax(9, log=False), (None, 7), (7, 1, 4)),
    Case("Softmax", lambda: Softmax(7, temperature=2.0), (None, 2), (9, 1, 2)),
    Case("Softmax", lambda: Softmax(2, log=False, temperature=0.5), (None, 7), (2, 7)),
    Case("Softmax", lambda: Softmax(2, initializer="he"), (None, 1), (2, 0)),
    Case("Softmax", lambda: Softmax(), (None, 9), (7, 1, 2)),
    Case("Softmax", lambda: Softmax(), (2, None, 7), (9, 1)),
    Case("Softmax", lambda: Softmax(log=False, temperature=3.0), (7, None, 2), (2, 9)),
    Case("Softmax", lambda: Softmax(temperature=0.7), (None, 1), (1,)),
]
