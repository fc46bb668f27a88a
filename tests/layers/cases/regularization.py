"""Dropout."""

from cases import Case
from ocrlstm.layers import Dropout

ABOUT = {
    "Dropout": ("y = m x / (1 - p), m random in {0, 1}", "Srivastava et al., JMLR 15 (2014)"),
}

CASES = [
    Case("Dropout", lambda: Dropout(0.5), (None, 7), (9, 1, 4)),
    Case("Dropout", lambda: Dropout(0.5, channels=True), (None, 7), (9, 1, 4)),
    Case("Dropout", lambda: Dropout(0.0), (None, 2), (2, 1)),
    Case("Dropout", lambda: Dropout(0.5), (2, None, 2), (7, 1)),
    Case("Dropout", lambda: Dropout(0.5, channels=True), (2, None, 7), (7, 1)),
    Case("Dropout", lambda: Dropout(0.9), (9, None, 1), (2, 0, 7)),
    Case("Dropout", lambda: Dropout(0.1, channels=True), (None, 1), (1,)),
]
