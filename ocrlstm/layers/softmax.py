"""The output layer: one score a class at every frame, and their softmax."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import xavier

__all__ = ["Softmax"]


class Softmax(Layer):
    """A linear map and the softmax of its scores, as OCRopus ends its networks.

    Parameters
    ----------
    classes : int
        Number of classes, the blank among them.
    log : bool, default=True
        Give log posteriors, which stay exact where posteriors round to 0 or 1; False gives the
        posteriors themselves.

    Notes
    -----
    ``z = W2[:, 0] + W2[:, 1:] x`` (bias first, as in OCRopus), ``y = z - log(sum(exp(z)))``.
    Gradient: ``dz = dy - exp(y) sum(dy)`` for log posteriors, ``dz = y (dy - sum(y dy))`` for
    posteriors.
    """

    def __init__(self, classes: int, *, log: bool = True) -> None:
        if classes < 1:
            raise ValueError(f"a softmax needs at least 1 class, not {classes}")
        super().__init__()
        self.classes = classes
        self.log = log
        self._saved: tuple[Array, Array, Array] | None = None

    def __repr__(self) -> str:
        return f"Softmax({self.classes})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan W2 for sequences (frames, features); see `Layer.plan`."""
        if len(input_shape) != 2 or input_shape[1] is None:
            raise ValueError(f"a softmax takes sequences (frames, features), not {input_shape}")
        return (input_shape[0], self.classes), {"W2": (self.classes, 1 + input_shape[1])}

    def _initialize(self, rng: np.random.Generator) -> None:
        weights = self._parameters["W2"]
        weights[:, 1:] = xavier(rng, (self.classes, weights.shape[1] - 1))

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return (log) posteriors (T, N, classes), zero beyond the lengths."""
        steps, lines, features = x.shape
        weights = self._parameters["W2"]
        y = np.empty((steps, lines, self.classes), x.dtype)
        inside = np.arange(steps)[:, None] < lengths

        def scores(low: int, high: int) -> None:
            part = y[low:high]
            np.matmul(
                x[low:high].reshape(-1, features),
                weights[:, 1:].T,
                out=part.reshape(-1, self.classes),
            )
            part += weights[:, 0]
            part -= part.max(axis=-1, keepdims=True)
            exponentials = np.exp(part)
            total = exponentials.sum(axis=-1, keepdims=True)
            if self.log:
                part -= np.log(total)
            else:
                np.divide(exponentials, total, out=part)
            part[~inside[low:high]] = 0

        run_parallel(scores, split(steps))
        if training:
            self._saved = (x, y, inside)
        return y, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        x, y, inside = self._saved
        self._saved = None
        features = x.shape[2]
        weights, gradient = self._parameters["W2"], self._gradients["W2"]
        dx = np.empty_like(x)

        def errors(low: int, high: int) -> tuple[Array, Array]:
            d, part = dy[low:high], y[low:high]
            if self.log:
                dz = d - np.exp(part) * d.sum(axis=-1, keepdims=True)
            else:
                dz = part * (d - (part * d).sum(axis=-1, keepdims=True))
            dz[~inside[low:high]] = 0
            dz = dz.reshape(-1, self.classes)
            np.matmul(dz, weights[:, 1:], out=dx[low:high].reshape(-1, features))
            return dz.T @ x[low:high].reshape(-1, features), dz.sum(axis=0)

        gradient[:] = 0
        for dweights, dbias in run_parallel(errors, split(x.shape[0])):
            gradient[:, 1:] += dweights
            gradient[:, 0] += dbias
        return dx
