"""The end of a network that knows its loss."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.losses import LOSSES

__all__ = ["Cost"]

# Which loss has which option.
_LOSS_OF_OPTION = {"smoothing": "cross_entropy", "mask": "masked", "noobject_scale": "seg"}


class Cost(Layer):
    """A loss as the last layer, as NumPyNet ends its networks.

    What comes in goes on unchanged, so that the network still gives its outputs; `measure` compares
    them with targets.

    Parameters
    ----------
    kind : str
        A name of `ocrlstm.losses.LOSSES`.
    scale : float, default=1.0
        Factor on losses and gradient, above 0.
    smoothing : float, optional
        Of "cross_entropy": the share of every target spread over all classes.
    mask : float, optional
        Of "masked": the target that says nothing is known.
    noobject_scale : float, optional
        Of "seg": the weight of values whose target is 0.

    Raises
    ------
    ValueError
        If the loss is not known, an option belongs to another, or a number is out of range.
    """

    def __init__(
        self,
        kind: str = "mse",
        scale: float = 1.0,
        *,
        smoothing: float | None = None,
        mask: float | None = None,
        noobject_scale: float | None = None,
    ) -> None:
        if kind not in LOSSES:
            raise ValueError(f"{kind!r} is no loss; choose one of {', '.join(LOSSES)}")
        if not 0.0 < scale < math.inf:
            raise ValueError(f"scale must be above 0, not {scale}")
        super().__init__()
        self.kind = kind
        self.scale = scale
        self.smoothing = smoothing
        self.mask = mask
        self.noobject_scale = noobject_scale
        for name in self._options():
            if _LOSS_OF_OPTION[name] != kind:
                raise ValueError(f"{name} is an option of {_LOSS_OF_OPTION[name]}, not of {kind}")
        if self._options():
            # A batch without items: the loss looks at its options only.
            empty = np.zeros((1, 0, 1))
            LOSSES[kind](empty, np.zeros(0, np.int64), empty, **self._options())
        self._trained = False

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self._options().items())
        scale = "" if self.scale == 1.0 else f", {self.scale!r}"
        return f"Cost({self.kind!r}{scale}{options})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan nothing: outputs are shaped as inputs; see `Layer.plan`."""
        return input_shape, {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return `x` itself; see `Layer.forward`."""
        self._trained = self._trained or training
        return x, lengths

    def backward(self, dy: Array) -> Array:
        """Return `dy` itself; see `Layer.backward`."""
        if not self._trained:
            raise RuntimeError("backward needs a forward(training=True) before it")
        self._trained = False
        return dy

    def measure(
        self, outputs: Array, lengths: Array, targets: Array | Sequence[Array]
    ) -> tuple[Array, Array]:
        """Return the loss of every item and the gradient to begin `backward` with.

        Parameters
        ----------
        outputs : ndarray (T, N, F) or (N, H, W, C)
            What `forward` gave.
        lengths : ndarray (N,) of int
            Valid frames or columns of each item.
        targets : ndarray or sequence of ndarray
            As the loss takes them; see `ocrlstm.losses`.

        Returns
        -------
        losses : ndarray (N,) of float64
            Times `scale`.
        gradient : ndarray, shaped and typed as `outputs`
            Of each item's loss times `scale`, not averaged over the batch.

        Raises
        ------
        ValueError
            If outputs, lengths and targets do not belong together.
        """
        losses, gradient = LOSSES[self.kind](outputs, lengths, targets, **self._options())
        losses *= self.scale
        gradient *= self.scale
        return losses, gradient

    def _options(self) -> dict[str, float]:
        named = {name: getattr(self, name) for name in _LOSS_OF_OPTION}
        return {name: value for name, value in named.items() if value is not None}
