"""Outputs between 0 and 1 that know nothing of each other."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.affine import affine, affine_gradients, input_gradient
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import check_initializer, initialize
from ocrlstm.layers.masking import zero_beyond
from ocrlstm.layers.nonlinearity import activate, activation_gradient

__all__ = ["Logistic"]


class Logistic(Layer):
    """The logistic function, of a linear map as in OCRopus, or of its input as in NumPyNet.

    Parameters
    ----------
    classes : int, optional
        Number of outputs of the linear map, which takes sequences. Without it there are no
        weights, and images and sequences are taken.
    initializer : str, default="xavier"
        How the first weights are drawn, a key of `ocrlstm.layers.initializers.INITIALIZERS`. The
        bias starts at 0, but with "ocropus" it is drawn as well.

    Raises
    ------
    ValueError
        If there is no class, or the initializer is unknown.

    Notes
    -----
    ``z = W2[:, 0] + W2[:, 1:] x`` (bias first, as OCRopus' Logreg has it) or ``z = x``;
    ``y = 1 / (1 + exp(-z))``, ``dz = y (1 - y) dy``. Of a binary cross entropy, whose gradient is
    ``dy = (y - target) / (y (1 - y))``, that leaves ``y - target``.
    """

    def __init__(self, classes: int | None = None, initializer: str = "xavier") -> None:
        if classes is not None and classes < 1:
            raise ValueError(f"a logistic layer needs at least 1 class, not {classes}")
        super().__init__()
        self.classes = classes
        self.initializer = check_initializer(initializer)
        self._saved: tuple[Array, Array, Array] | None = None

    def __repr__(self) -> str:
        arguments = [] if self.classes is None else [str(self.classes)]
        if self.initializer != "xavier":
            arguments.append(f"initializer={self.initializer!r}")
        return f"Logistic({', '.join(arguments)})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan W2 for sequences, or nothing for any input; see `Layer.plan`."""
        if self.classes is None:
            return input_shape, {}
        if len(input_shape) != 2 or input_shape[1] is None:
            raise ValueError(
                f"a logistic layer of {self.classes} classes takes sequences (frames, features), "
                f"not {input_shape}"
            )
        return (input_shape[0], self.classes), {"W2": (self.classes, 1 + input_shape[1])}

    def _initialize(self, rng: np.random.Generator) -> None:
        for weights in self._parameters.values():
            first = 0 if self.initializer == "ocropus" else 1
            matrix = weights[:, first:]
            matrix[:] = initialize(self.initializer, rng, (matrix.shape[0], matrix.shape[1]))

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the outputs, zero beyond the lengths; see `Layer.forward`."""
        z = x
        if self.classes is not None:
            weights = self._parameters["W2"]
            z = affine(x.reshape(-1, x.shape[2]), weights[:, 1:], weights[:, 0])
            z = z.reshape(*x.shape[:2], self.classes)
        y = activate("logistic", z)
        zero_beyond(y, lengths)
        if training:
            self._saved = (x, y, lengths)
        return y, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (x, y, lengths), self._saved = self._saved, None
        dz = activation_gradient("logistic", None, y, dy)
        zero_beyond(dz, lengths)
        if self.classes is None:
            return dz
        dz = dz.reshape(-1, self.classes)
        gradient = self._gradients["W2"]
        affine_gradients(x.reshape(-1, x.shape[2]), dz, gradient[:, 1:], gradient[:, 0])
        if not self.input_gradient:
            return np.zeros_like(x)
        return input_gradient(self._parameters["W2"][:, 1:], dz).reshape(x.shape)
