"""What the layers that read sequences step by step have in common."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from typing import Any

import numpy as np

from ocrlstm.kernels.threads import run_parallel
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import check_initializer, initialize, orthogonal, xavier
from ocrlstm.layers.summary import last_frame, spread_frame

__all__ = ["Recurrent", "first_weights", "product", "weight_gradient"]

# Lines that one thread takes at a time. The number is fixed, so that sums over lines do not depend
# on the thread count; a batch of text lines is below it, the columns of a batch of images above.
_LINES = 64


class Recurrent(Layer):
    """A layer of cells that are read from the first frame to the last.

    A kind of cells gives `_shapes`, `_initialize`, and the way through its kernel: `_arrange`,
    `_run`, `_propagate`, `_store`.

    Parameters
    ----------
    states : int
        Number of cells, ``ns``.
    sequences : bool, default=True
        Whether the outputs at all frames come out, or only that at each sequence's last: (1, N, ns)
        with lengths 1, or 0 for a sequence without frames.
    initializer : str, optional
        One of `ocrlstm.layers.initializers.INITIALIZERS` for all the weights of inputs and states;
        "ocropus" also for biases and peepholes. None takes "xavier" for the inputs' weights,
        "orthogonal" for the states', and biases of 0.
    """

    #: Whether `_run` takes ``backwards=True`` and then reads each sequence from its end.
    both_ways: bool = False

    def __init__(self, states: int, sequences: bool, initializer: str | None) -> None:
        if states < 1:
            raise ValueError(f"{type(self).__name__} needs at least 1 state, not {states}")
        super().__init__()
        self.states = states
        self.sequences = sequences
        self.initializer = None if initializer is None else check_initializer(initializer)
        self._saved: tuple[tuple[Array, ...], list[Any], list[Array], Array, bool] | None = None

    def __repr__(self) -> str:
        """Write the sizes, and of the options those that are not the default."""
        written = []
        for name, parameter in inspect.signature(type(self)).parameters.items():
            value = getattr(self, name)
            if parameter.default is parameter.empty:
                written.append(repr(value))
            elif value != parameter.default:
                written.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(written)})"

    @property
    def features(self) -> int:
        """Features of an output frame."""
        return self.states

    @abstractmethod
    def _shapes(self, inputs: int) -> Shapes:
        """Return the shapes of the weights."""

    @abstractmethod
    def _arrange(self) -> tuple[Array, ...]:
        """Return the weights as the kernel wants them."""

    @abstractmethod
    def _run(
        self, weights: tuple[Array, ...], x: Array, lengths: Array, training: bool
    ) -> tuple[Array, Any]:
        """Return the outputs (T, N, features) of all frames, and what `_propagate` needs.

        `_propagate` follows only where `training` is true.
        """

    @abstractmethod
    def _propagate(
        self, weights: tuple[Array, ...], saved: Any, x: Array, lengths: Array, dy: Array
    ) -> tuple[Array, ...]:
        """Return the gradients of the input, and of the weights in the order of `_arrange`.

        That of the input is of any size where `input_gradient` is False. `dy` may have anything
        beyond the lengths.
        """

    @abstractmethod
    def _store(self, gradients: tuple[Array, ...]) -> None:
        """Put gradients in the order of `_arrange` into `gradients`."""

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for sequences (frames, features); see `Layer.plan`."""
        if len(input_shape) != 2 or input_shape[1] is None:
            raise ValueError(
                f"{type(self).__name__} takes sequences (frames, features), not {input_shape}"
            )
        frames = input_shape[0] if self.sequences else 1
        return (frames, self.features), self._shapes(input_shape[1])

    def output_lengths(self, lengths: Array) -> Array:
        """Return the same lengths, or 1 where only the last frame comes out."""
        return lengths if self.sequences else np.minimum(lengths, 1)

    def forward(
        self, x: Array, lengths: Array, training: bool = False, *, backwards: bool = False
    ) -> tuple[Array, Array]:
        """Return the outputs at all frames (T, N, features) or the last; see `Layer.forward`.

        With `backwards`, for cells that go both ways, the last is the first frame.
        """
        weights = self._arrange()
        portions = _portions(x.shape[1])
        inputs = [_cut(x, low, high) for low, high in portions]
        jobs = [
            (weights, part, lengths[low:high], training, *([True] if backwards else []))
            for part, (low, high) in zip(inputs, portions, strict=True)
        ]
        results = run_parallel(self._run, jobs)
        if training:
            self._saved = (weights, [saved for _, saved in results], inputs, lengths, backwards)
        y = _join([output for output, _ in results])
        if not self.sequences:
            y = last_frame(y, np.minimum(lengths, 1) if backwards else lengths)
        return y, self.output_lengths(lengths)

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input (T, N, inputs); see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (weights, saved, inputs, lengths, backwards), self._saved = self._saved, None
        dy = np.ascontiguousarray(dy)  # kernels read whole vectors of it
        if not self.sequences:
            ends = np.minimum(lengths, 1) if backwards else lengths
            dy = spread_frame(dy, ends, inputs[0].shape[0])
        jobs = [
            (weights, kept, part, lengths[low:high], _cut(dy, low, high))
            for kept, part, (low, high) in zip(saved, inputs, _portions(dy.shape[1]), strict=True)
        ]
        results = run_parallel(self._propagate, jobs)
        total = results[0][1:]
        for result in results[1:]:
            for sum_, gradient in zip(total, result[1:], strict=True):
                sum_ += gradient
        self._store(total)
        return _join([result[0] for result in results])


def first_weights(
    rng: np.random.Generator, initializer: str | None, states: int, inputs: int
) -> Array:
    """Return a first matrix [bias | inputs | states] (states, 1 + inputs + states).

    Parameters
    ----------
    rng : numpy.random.Generator
    initializer : str or None
        As in `Recurrent`.
    states, inputs : int
    """
    weights = np.zeros((states, 1 + inputs + states))
    if initializer is None:
        weights[:, 1 : 1 + inputs] = xavier(rng, (states, inputs))
        weights[:, 1 + inputs :] = orthogonal(rng, (states, states))
    elif initializer == "ocropus":
        weights[:] = initialize(initializer, rng, weights.shape)
    else:
        weights[:, 1:] = initialize(initializer, rng, (states, inputs + states))
    return weights


def product(x: Array, weights: Array) -> Array:
    """Return the products (T, N, outputs) of all frames (T, N, inputs) and a matrix, as one."""
    frames = x.reshape(x.shape[0] * x.shape[1], x.shape[2])
    return (frames @ weights).reshape(*x.shape[:2], weights.shape[1])


def weight_gradient(x: Array, dy: Array) -> Array:
    """Return the gradient (inputs, outputs) of the matrix of `product`, for that of its result."""
    rows = x.shape[0] * x.shape[1]
    return x.reshape(rows, x.shape[2]).T @ dy.reshape(rows, dy.shape[2])


def _portions(lines: int) -> list[tuple[int, int]]:
    return [(low, min(low + _LINES, lines)) for low in range(0, max(lines, 1), _LINES)]


def _cut(x: Array, low: int, high: int) -> Array:
    """Return lines of sequences; the array itself where they are all."""
    return x if high - low == x.shape[1] else np.ascontiguousarray(x[:, low:high])


def _join(parts: list[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
