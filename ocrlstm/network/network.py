"""A network: the layers of a spec, built and run one after another."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ocrlstm.layers import Dropout, Layer, Softmax
from ocrlstm.network.spec import Spec, parse_spec

__all__ = ["Network", "weight_shapes"]


def weight_shapes(spec: Spec) -> dict[str, tuple[int, ...]]:
    """Return the shape of every weight of a network, without building it."""
    shapes: dict[str, tuple[int, ...]] = {}
    shape: tuple[int | None, ...] = spec.input_shape
    for named in spec.layers:
        shape, weights = named.layer.plan(shape)
        shapes |= {f"{named.name}.{name}": size for name, size in weights.items()}
    return shapes


class Network:
    """The network that a VGSL spec describes.

    Parameters
    ----------
    spec : str or Spec
        See `ocrlstm.network.spec`.
    classes : int, optional
        Number of classes with the blank, where the spec does not tell it.
    rng : numpy.random.Generator or None
        Source of the first weights; None leaves them zero, to be loaded.
    dtype : dtype, default=float32

    Raises
    ------
    SpecError
        If the spec cannot be built.
    """

    def __init__(
        self,
        spec: str | Spec,
        classes: int | None = None,
        rng: np.random.Generator | None = None,
        dtype: np.dtype | type = np.float32,
    ) -> None:
        self._spec = parse_spec(spec, classes) if isinstance(spec, str) else spec
        self.dtype = np.dtype(dtype)
        shape: tuple[int | None, ...] = self._spec.input_shape
        for named in self._spec.layers:
            shape = named.layer.build(shape, rng, dtype)
        self._dropouts = [
            layer
            for named in self._spec.layers
            for layer in _walk(named.layer)
            if isinstance(layer, Dropout)
        ]

    def __repr__(self) -> str:
        return f"Network({self.spec!r})"

    @property
    def spec(self) -> str:
        """The spec as text, with the number of classes written out."""
        output = self._spec.layers[-1]
        name = re.search(r"\{.*?\}", output.token)
        token = f"O{name.group() if name else ''}1c{self.classes}"
        return f"{self._spec.text[: output.position + 1]}{token}]"

    @property
    def height(self) -> int:
        """Height of the line images."""
        return self._spec.height

    @property
    def classes(self) -> int:
        """Number of classes, the blank among them."""
        last = self._spec.layers[-1].layer
        return last.classes if isinstance(last, Softmax) else 0

    def set_rng(self, rng: np.random.Generator) -> None:
        """Give all dropout layers a new source of masks."""
        for layer in self._dropouts:
            layer.rng = rng

    def frames(self, widths: np.ndarray) -> np.ndarray:
        """Return how many frames images of the given widths give."""
        for named in self._spec.layers:
            widths = named.layer.output_lengths(widths)
        return widths

    def forward(
        self, x: np.ndarray, lengths: np.ndarray, training: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute log posteriors.

        Parameters
        ----------
        x : ndarray, shape (N, height, W, 1), C-contiguous
            Normalised lines, ink 1.0; zero beyond each line's width.
        lengths : ndarray of int64, shape (N,)
            Widths of the lines.
        training : bool, default=False
            Apply dropout and keep what `backward` needs. With False, threads may share the network.

        Returns
        -------
        log_posteriors : ndarray, shape (T, N, classes)
        lengths : ndarray of int64, shape (N,)
            Frames of each line.

        Raises
        ------
        ValueError
            If the images are not of the network's height and type, or narrower than `lengths`.
        """
        x, lengths = self._check_input(x, lengths)
        for named in self._spec.layers:
            x, lengths = named.layer.forward(x, lengths, training)
        return x, lengths

    def _check_input(self, x: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Refuse what would make the kernels read beyond the arrays."""
        height, _, channels = self._spec.input_shape
        if x.ndim != 4 or x.shape[1::2] != (height, channels) or x.dtype != self.dtype:
            raise ValueError(
                f"expected images (lines, {height}, width, {channels}) of {self.dtype}, "
                f"not {x.shape} of {x.dtype}"
            )
        lengths = np.ascontiguousarray(lengths, np.int64)
        if lengths.shape != x.shape[:1]:
            raise ValueError(f"{x.shape[0]} images, but lengths of shape {lengths.shape}")
        if lengths.min(initial=0) < 0 or lengths.max(initial=0) > x.shape[2]:
            raise ValueError(
                f"lengths {lengths.min()} to {lengths.max()} in images {x.shape[2]} wide"
            )
        return np.ascontiguousarray(x), lengths

    def backward(self, dy: np.ndarray, *, input_gradient: bool = False) -> np.ndarray:
        """Set the gradients of all weights.

        Parameters
        ----------
        dy : ndarray, shape (T, N, classes)
            Gradient of the log posteriors.
        input_gradient : bool, default=False
            Also compute the gradient of the images.

        Returns
        -------
        ndarray, shape (N, height, W, 1)
            The gradient of the images; without meaning where it was not asked for.
        """
        # Below the first layer with weights nobody needs a gradient.
        needed = input_gradient
        for named in self._spec.layers:
            named.layer.input_gradient = needed
            needed = needed or bool(named.layer.parameters())
        for named in reversed(self._spec.layers):
            dy = named.layer.backward(dy)
            if not named.layer.input_gradient and named.layer.parameters():
                break
        return dy

    def parameters(self) -> dict[str, np.ndarray]:
        """Return all weights, named ``layer.weight``: the arrays themselves."""
        return {
            f"{named.name}.{name}": array
            for named in self._spec.layers
            for name, array in named.layer.parameters().items()
        }

    def gradients(self) -> dict[str, np.ndarray]:
        """Return all gradients by the names of `parameters`."""
        return {
            f"{named.name}.{name}": array
            for named in self._spec.layers
            for name, array in named.layer.gradients().items()
        }


def _walk(layer: Layer) -> Iterator[Layer]:
    yield layer
    for child in layer.children():
        yield from _walk(child)
