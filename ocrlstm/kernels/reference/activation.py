"""Non-linearities in plain NumPy, slopes from the input alone: the definition and the oracle."""

from __future__ import annotations

import numpy as np
from scipy.special import erf, expit

from ocrlstm.kernels.activation import SELU_ALPHA, SELU_SCALE

__all__ = ["backward", "forward"]


def forward(name: str, z: np.ndarray) -> np.ndarray:
    """Return the values; see `ocrlstm.kernels.activation.forward`."""
    below = np.minimum(z, 0)  # keeps exp within bounds where it is not wanted
    step, half = np.floor(z), np.floor(z / 2)
    formulas = {
        "logistic": lambda: expit(z),
        "loggy": lambda: np.tanh(z / 2),  # 2 expit(z) - 1, with all digits near 0
        "tanh": lambda: np.tanh(z),
        "relu": lambda: np.where(z > 0, z, 0),
        "leaky": lambda: np.where(z > 0, z, 0.1 * z),
        "relie": lambda: np.where(z > 0, z, 0.01 * z),
        "ramp": lambda: z * (z > 0) + 0.1 * z,
        "linear": lambda: z,
        "plse": lambda: np.where(
            z < -4, 0.01 * (z + 4), np.where(z > 4, 0.01 * (z - 4) + 1, 0.125 * z + 0.5)
        ),
        "stair": lambda: np.where(step % 2 == 0, half, z - step + half),
        "hardtan": lambda: np.clip(z, -1, 1),
        "lhtan": lambda: np.where(z < 0, 0.001 * z, np.where(z > 1, 0.001 * (z - 1) + 1, z)),
        "elu": lambda: np.where(z > 0, z, np.expm1(below)),
        "selu": lambda: SELU_SCALE * np.where(z > 0, z, SELU_ALPHA * np.expm1(below)),
        "elliot": lambda: 0.5 * z / (1 + np.abs(z)) + 0.5,
        "symmelliot": lambda: z / (1 + np.abs(z)),
        "softplus": lambda: np.logaddexp(0, z),
        "softsign": lambda: z / (1 + np.abs(z)),
        "gelu": lambda: 0.5 * z * (1 + erf(z / np.sqrt(2))),
        "swish": lambda: z * expit(z),
        "hardswish": lambda: z * (np.clip(z + 3, 0, 6) / 6),
    }
    return formulas[name]()


def backward(name: str, z: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """Return the gradient of the input; see `ocrlstm.kernels.activation.backward`."""
    below = np.minimum(z, 0)
    density = np.exp(-(np.clip(z, -99, 99) ** 2) / 2) / np.sqrt(2 * np.pi)
    formulas = {
        "logistic": lambda: expit(z) * expit(-z),
        "loggy": lambda: 2 * expit(z) * expit(-z),
        "tanh": lambda: 4 * expit(2 * z) * expit(-2 * z),
        "relu": lambda: z > 0,
        "leaky": lambda: np.where(z > 0, 1, 0.1),
        "relie": lambda: np.where(z > 0, 1, 0.01),
        "ramp": lambda: np.where(z > 0, 1.1, 0.1),
        "linear": lambda: 1,
        "plse": lambda: np.where(np.abs(z) > 4, 0.01, 0.125),
        "stair": lambda: np.floor(z) % 2 == 1,
        "hardtan": lambda: np.abs(z) < 1,
        "lhtan": lambda: np.where((z < 0) | (z > 1), 0.001, 1),
        "elu": lambda: np.where(z > 0, 1, np.exp(below)),
        "selu": lambda: SELU_SCALE * np.where(z > 0, 1, SELU_ALPHA * np.exp(below)),
        "elliot": lambda: 0.5 * (1 / (1 + np.abs(z))) ** 2,
        "symmelliot": lambda: (1 / (1 + np.abs(z))) ** 2,
        "softplus": lambda: expit(z),
        "softsign": lambda: (1 / (1 + np.abs(z))) ** 2,
        "gelu": lambda: 0.5 * (1 + erf(z / np.sqrt(2))) + z * density,
        "swish": lambda: expit(z) * (1 + z * expit(-z)),
        "hardswish": lambda: np.where(z <= -3, 0, np.where(z > 3, 1, z / 3 + 0.5)),
    }
    return dy * formulas[name]()
