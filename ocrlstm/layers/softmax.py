"""The output layer: one score a class at every frame, and their softmax."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ocrlstm.kernels import softmax as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import check_initializer, initialize
from ocrlstm.layers.masking import valid

__all__ = ["Softmax"]


class Softmax(Layer):
    """A linear map and the softmax of its scores, as OCRopus ends its networks.

    Parameters
    ----------
    classes : int, optional
        Number of classes, the blank among them, of the linear map, which takes sequences. Without
        it there are no weights, and the features of sequences or the channels of images are the
        scores.
    log : bool, default=True
        Give log posteriors, which stay exact where posteriors round to 0 or 1; False gives the
        posteriors themselves.
    temperature : float, default=1.0
        The scores are divided by it: above 1 the posteriors come nearer to each other.
    initializer : str, default="xavier"
        How the first weights are drawn, a key of `ocrlstm.layers.initializers.INITIALIZERS`. The
        bias starts at 0, but with "ocropus" it is drawn as well.

    Raises
    ------
    ValueError
        If there is no class, the temperature is not above 0 and finite, or the initializer is
        unknown.

    Notes
    -----
    ``z = (W2[:, 0] + W2[:, 1:] x) / T`` (bias first, as in OCRopus) or ``z = x / T``;
    ``y = z - log(sum(exp(z)))``. Gradient of ``T z``: ``(dy - exp(y) sum(dy)) / T`` for log
    posteriors, ``y (dy - sum(y dy)) / T`` for posteriors (Bridle, 1990, with the temperature of
    Hinton, Vinyals and Dean, "Distilling the knowledge in a neural network", 2015).
    """

    def __init__(
        self,
        classes: int | None = None,
        *,
        log: bool = True,
        temperature: float = 1.0,
        initializer: str = "xavier",
    ) -> None:
        if classes is not None and classes < 1:
            raise ValueError(f"a softmax needs at least 1 class, not {classes}")
        if not 0 < temperature < math.inf:
            raise ValueError(f"the temperature of a softmax must be above 0, not {temperature}")
        super().__init__()
        self.classes = classes
        self.log = log
        self.temperature = temperature
        self.initializer = check_initializer(initializer)
        self._saved: tuple[Array, Array, Array] | None = None

    def __repr__(self) -> str:
        arguments = [] if self.classes is None else [str(self.classes)]
        if not self.log:
            arguments.append("log=False")
        if self.temperature != 1:
            arguments.append(f"temperature={self.temperature}")
        if self.initializer != "xavier":
            arguments.append(f"initializer={self.initializer!r}")
        return f"Softmax({', '.join(arguments)})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan W2 for sequences (frames, features), or nothing for any input; see `Layer.plan`."""
        features = input_shape[-1]
        if features is None:
            raise ValueError(f"a softmax needs a fixed number of scores, not {input_shape}")
        if self.classes is None:
            return input_shape, {}
        if len(input_shape) != 2:
            raise ValueError(f"a softmax takes sequences (frames, features), not {input_shape}")
        return (input_shape[0], self.classes), {"W2": (self.classes, 1 + features)}

    def _initialize(self, rng: np.random.Generator) -> None:
        for weights in self._parameters.values():
            matrix = weights if self.initializer == "ocropus" else weights[:, 1:]
            matrix[:] = initialize(self.initializer, rng, (matrix.shape[0], matrix.shape[1]))

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return (log) posteriors, zero beyond the lengths; see `Layer.forward`."""
        y = np.empty((*x.shape[:-1], self.classes or x.shape[-1]), x.dtype)
        inside = np.ascontiguousarray(np.broadcast_to(valid(x, lengths), (*x.shape[:-1], 1)))
        bias = np.zeros(y.shape[-1], x.dtype)
        if self.classes is not None:
            bias[:] = self._parameters["W2"][:, 0]

        def squash(low: int, high: int) -> None:
            scores = _rows(y[low:high])
            if self.classes is None:
                scores[:] = _rows(x[low:high])
            else:
                np.matmul(_rows(x[low:high]), self._parameters["W2"][:, 1:].T, out=scores)
            kernel.forward(scores, bias, self._scale(x), inside[low:high].ravel(), self.log)

        run_parallel(squash, split(len(x)))
        if training:
            self._saved = (x, y, inside)
        return y, lengths

    def _scale(self, x: Array) -> Any:
        return x.dtype.type(1.0 / self.temperature)

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (x, y, inside), self._saved = self._saved, None
        dx = np.zeros_like(x)
        dy = np.ascontiguousarray(dy)

        def errors(low: int, high: int) -> tuple[Array, Array] | None:
            rows, place = _rows(x[low:high]), _rows(dx[low:high])
            dz = place if self.classes is None else np.empty(_rows(y[low:high]).shape, x.dtype)
            kernel.backward(
                _rows(dy[low:high]), _rows(y[low:high]), self._scale(x), inside[low:high].ravel(),
                self.log, dz,
            )  # fmt: skip
            if self.classes is None:
                return None
            if self.input_gradient:
                np.matmul(dz, self._parameters["W2"][:, 1:], out=place)
            return dz.T @ rows, dz.sum(axis=0)

        parts = run_parallel(errors, split(len(x)))
        for gradient in self._gradients.values():
            gradient[:] = 0
            for dweights, dbias in parts:
                gradient[:, 1:] += dweights
                gradient[:, 0] += dbias
        return dx


def _rows(x: Array) -> Array:
    """Return a view of C-contiguous images or sequences, a row a pixel or frame."""
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
