"""Sums with an earlier output: residual connections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.layers.base import Array, Shape
from ocrlstm.layers.join import Join
from ocrlstm.layers.masking import zero_beyond
from ocrlstm.layers.nonlinearity import (
    activate,
    activation_gradient,
    check_activation,
    needs_preactivation,
)

__all__ = ["Shortcut"]

#: For rows and for columns: from one pixel that is added to the next, here and in the earlier.
Steps = tuple[tuple[int, int], tuple[int, int]]
_LARGEST = 256


class Shortcut(Join):
    """Add an earlier output to that of the layer before: ``y = f(alpha x + beta earlier)``.

    The output has the shape and lengths of ``x``, the output of the layer before. Where the
    earlier one is of another shape, the common part is added and the rest of ``x`` is left:

    - of channels (features), the first ones that both have;
    - of images of different sizes, every s-th row or column of the larger stands for one of the
      smaller: an earlier image that is larger is read at pixels 0, s, 2s, ..., a smaller one is
      added to those pixels. The stride s is the smallest whole number for which the smaller size
      is the larger one divided by s, rounded down or up, for every width that the network may get.
      Rows and columns have strides of their own, the same one if it fits both.

    Sequences must have equal lengths. Pixels beyond an item's length count as zero.

    Parameters
    ----------
    source : int or str
        The earlier layer; see `Join`.
    alpha, beta : float, default=1.0
        Factors of the output before and of the earlier one.
    activation : str, default="linear"
        Non-linearity ``f``; see `ocrlstm.layers.nonlinearity`.

    Raises
    ------
    ValueError
        If a factor is not finite or the activation is unknown.

    References
    ----------
    He et al., "Deep residual learning for image recognition", CVPR 2016; strides and common
    channels as in darknet and NumPyNet, ``[shortcut]``, which however cut odd sizes short.
    """

    def __init__(
        self,
        source: int | str,
        alpha: float = 1.0,
        beta: float = 1.0,
        activation: str = "linear",
    ) -> None:
        if not (np.isfinite(alpha) and np.isfinite(beta)):
            raise ValueError(f"alpha and beta must be finite, not {alpha} and {beta}")
        super().__init__(-1, source)
        self.source = source
        self.alpha = alpha
        self.beta = beta
        self.activation = check_activation(activation)
        self._steps: Steps | None = None
        self._saved: tuple[Array | None, Array, Sequence[Array], tuple[int, ...]] | None = None

    def __repr__(self) -> str:
        arguments = [repr(self.source)]
        if (self.alpha, self.beta) != (1.0, 1.0):
            arguments += [f"{self.alpha:g}", f"{self.beta:g}"]
        if self.activation != "linear":
            arguments.append(f"activation={self.activation!r}")
        return f"Shortcut({', '.join(arguments)})"

    def plan(self, input_shapes: Sequence[Shape]) -> Shape:
        """Return the shape of the output before; see `Join.plan`."""
        shape, earlier = input_shapes
        if len(shape) != len(earlier):
            raise ValueError(f"images and sequences cannot be added: {shape} and {earlier}")
        if (shape[-2] is None) != (earlier[-2] is None):
            raise ValueError(f"free and fixed lengths cannot be added: {shape} and {earlier}")
        return shape

    def check_lengths(self, shapes: Sequence[Shape], lengths: Sequence[Array]) -> None:
        """Raise ValueError if the images differ by no whole stride, or sequences in length."""
        _find_steps(shapes, lengths)

    def build(self, shapes: Sequence[Shape], lengths: Sequence[Array]) -> None:
        """Find the strides; see `Join.build`."""
        self._steps = _find_steps(shapes, lengths)

    def output_lengths(self, lengths: Sequence[Array]) -> Array:
        """Return the lengths of the output before."""
        return lengths[0]

    def forward(
        self, inputs: Sequence[Array], lengths: Sequence[Array], training: bool = False
    ) -> tuple[Array, Array]:
        """Return the sum under the non-linearity; see `Join.forward`."""
        x, earlier = inputs
        if self._steps is None:
            raise RuntimeError("a Shortcut is built by the series that it is part of")
        columns = self._steps[1]
        _check_items(lengths)
        if not np.all(_fits(lengths[0], lengths[1], columns)):
            raise ValueError(
                f"{lengths[0].tolist()} and {lengths[1].tolist()} columns or frames "
                f"cannot be added with stride {max(columns)}"
            )
        if self._is_plain(x.shape, earlier.shape):
            z = np.add(x, earlier)
        else:
            here, there = _common(x.shape, earlier.shape, self._steps)
            z = np.multiply(x, self.alpha)
            part = np.multiply(earlier[there], self.beta)
            zero_beyond(part, -(-lengths[1] // columns[1]))
            z[here] += part
        y = activate(self.activation, z)
        zero_beyond(y, lengths[0])
        if training:
            kept = z if needs_preactivation(self.activation) else None
            self._saved = (kept, y, lengths, earlier.shape)
        return y, lengths[0]

    def backward(self, dy: Array) -> list[Array]:
        """Return the gradients of the output before and of the earlier one; see `Join.backward`.

        ``dz = f'(z) dy``, ``dx = alpha dz``, and ``beta dz`` for each pixel that was added.
        """
        if self._saved is None or self._steps is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (z, y, lengths, earlier_shape), self._saved = self._saved, None
        dz = activation_gradient(self.activation, z, y, dy)
        dz = dz.copy() if dz is dy else dz
        zero_beyond(dz, lengths[0])
        if self._is_plain(dz.shape, earlier_shape):
            return [dz, dz]
        here, there = _common(dz.shape, earlier_shape, self._steps)
        earlier = np.zeros(earlier_shape, dz.dtype)
        np.multiply(dz[here], self.beta, out=earlier[there])
        zero_beyond(earlier, lengths[1])
        dz *= self.alpha
        return [dz, earlier]

    def _is_plain(self, shape: tuple[int, ...], earlier: tuple[int, ...]) -> bool:
        """Whether all values are added as they are: the usual case, which needs no copies."""
        same = shape == earlier and self._steps == ((1, 1), (1, 1))
        return same and self.alpha == self.beta == 1.0


def _find_steps(shapes: Sequence[Shape], lengths: Sequence[Array]) -> Steps:
    """Return the steps of rows and of columns (of frames, for sequences) that fit the inputs."""
    _check_items(lengths)
    if len(shapes[0]) == 2:
        if not np.array_equal(lengths[0], lengths[1]):
            raise ValueError(
                f"sequences of {_differing(lengths)} frames cannot be added: lengths must be equal"
            )
        return (1, 1), (1, 1)
    heights = [np.array([shape[0]]) for shape in shapes]
    rows, columns = _possible(*heights), _possible(*lengths)
    for sizes, possible, kind in ((heights, rows, "rows"), (lengths, columns, "columns")):
        if not possible:
            raise ValueError(
                f"images of {_differing(sizes)} {kind} cannot be added: "
                f"their sizes differ by no whole stride up to {_LARGEST}"
            )
    common = [steps for steps in rows if steps in columns]
    return (common[0], common[0]) if common else (rows[0], columns[0])


def _check_items(lengths: Sequence[Array]) -> None:
    if len(lengths[0]) != len(lengths[1]):
        raise ValueError(f"{len(lengths[0])} and {len(lengths[1])} items cannot be added")


def _possible(here: Array, earlier: Array) -> list[tuple[int, int]]:
    """Return the steps in the one and in the other for which all sizes fit, small ones first."""
    larger = earlier.sum() > here.sum()
    both = ((1, step) if larger else (step, 1) for step in range(1, _LARGEST + 1))
    # Few steps fit the widest item, which is soon found out.
    i = int(np.argmax(here + earlier))
    widest = int(here[i]), int(earlier[i])
    return [
        steps for steps in both if _fits(*widest, steps) and np.all(_fits(here, earlier, steps))
    ]


def _fits(here: Array | int, earlier: Array | int, steps: tuple[int, int]) -> Array | bool:
    large, small = (here, earlier) if steps[0] > 1 else (earlier, here)
    step = max(steps)
    return (small == large // step) | (small == -(-large // step))


def _differing(sizes: Sequence[Array]) -> str:
    here, earlier = sizes
    i = int(np.argmax(here != earlier))
    return f"{here[i]} and {earlier[i]}"


def _common(
    shape: tuple[int, ...], earlier: tuple[int, ...], steps: Steps
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Return where the pixels and channels that both arrays have lie in the one and the other."""
    channels = slice(min(shape[-1], earlier[-1]))
    if len(shape) == 3:
        frames = slice(min(shape[0], earlier[0]))
        return (frames, slice(None), channels), (frames, slice(None), channels)
    here, there = [slice(None)], [slice(None)]
    for axis, (step, other) in zip((1, 2), steps, strict=True):
        count = min(-(-shape[axis] // step), -(-earlier[axis] // other))
        here.append(slice(0, count * step, step))
        there.append(slice(0, count * other, other))
    return (*here, channels), (*there, channels)
