"""Named layers and joins in series, with their weights: what a network computes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from ocrlstm.layers import Dropout, Layer, SeriesPlan
from ocrlstm.layers.base import Shape
from ocrlstm.layers.group import Group
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl import default_name

__all__ = ["Graph", "walk"]

G = TypeVar("G", bound="Graph")


class Graph:
    """Layers and joins by name, planned as they are added and then built.

    Parameters
    ----------
    input_shape : tuple
        (height, width, channels) of images or (frames, features) of sequences; None for a width or
        number of frames that differs from item to item. A vector is a sequence of one frame.
    dtype : dtype, default=float32
        float32 or float64.

    Raises
    ------
    ValueError
        If shape or type are none of these.
    """

    def __init__(self, input_shape: Shape, dtype: np.dtype | type = np.float32) -> None:
        self.dtype = np.dtype(dtype)
        if self.dtype not in (np.float32, np.float64):
            raise ValueError(f"networks compute in float32 or float64, not {self.dtype}")
        self._plan = SeriesPlan(_check_shape(input_shape))
        self._built = False
        self._dropouts: list[Dropout] = []
        self._given: tuple[int, ...] | None = None  # shape of the output of the last training pass

    @property
    def input_shape(self) -> Shape:
        """(height, width, channels) or (frames, features); None where items differ."""
        return self._plan.shapes[0]

    @property
    def output_shape(self) -> Shape:
        """The same for the output of the last layer."""
        return self._plan.shapes[-1]

    @property
    def layers(self) -> dict[str, Piece]:
        """The layers and joins by name, in order."""
        return dict(self._named())

    @property
    def plan(self) -> SeriesPlan:
        """Shapes after every layer, and those of the weights."""
        return self._plan

    @property
    def built(self) -> bool:
        """Whether there are weights."""
        return self._built

    def _named(self) -> list[tuple[str, Piece]]:
        series = self._plan.series
        return [(name or "", p) for name, p in zip(series.names, series.pieces, strict=True)]

    def add(self: G, layer: Piece, name: str | None = None) -> G:
        """Put a layer or join behind the others.

        Parameters
        ----------
        layer : Layer or Join
        name : str, optional
            Unique; begins the names of the layer's weights, and is what joins call it by. By
            default the letters of its VGSL token with its number: ``Cr_0``.

        Returns
        -------
        The network itself.

        Raises
        ------
        ValueError
            If the layer does not fit what is before it, it or a part of it is in the network
            already, its name is taken, or the network is built. The network is then as it was.
        """
        if self._built:
            raise ValueError("the network is built; layers must be added before")
        if name is not None and (not isinstance(name, str) or not name or "." in name):
            raise ValueError(f"the name of a layer is a text without dots, not {name!r}")
        if not isinstance(layer, Piece):
            raise ValueError(f"expected a layer or a join, not {layer!r}")
        name = name or default_name(layer, len(self._plan.series.pieces))
        try:
            self._check_new(layer)
            self._plan.add(layer, name)
        except ValueError as error:
            raise ValueError(f"layer {name!r}, {layer!r}: {error}") from None
        return self

    def _check_new(self, layer: Piece) -> None:
        """Refuse a layer that would be in the network twice, itself or something inside it.

        What it keeps of a forward pass, and its gradients, would be those of one place only.
        """
        parts = {id(part) for piece in self._plan.series.pieces for part in walk(piece)}
        for part in walk(layer):
            if id(part) in parts:
                raise ValueError(f"{part!r} is in the network already; make another one")
            parts.add(id(part))

    def build(self: G, rng: np.random.Generator | None = None) -> G:
        """Allocate the weights.

        Parameters
        ----------
        rng : numpy.random.Generator or None
            Source of the first weights; None leaves them zero, to be loaded.

        Returns
        -------
        The network itself.

        Raises
        ------
        ValueError
            If there are no layers, the network is built already, or a layer has weights already,
            as one of another network.
        """
        if self._built:
            raise ValueError("the network is built already")
        if not self._plan.series.pieces:
            raise ValueError("a network needs at least one layer")
        for name, piece in self._named():
            if piece.parameters():
                raise ValueError(
                    f"layer {name!r}, {piece!r}, has weights already; networks cannot share it"
                )
        self._plan.build(rng, self.dtype)
        self._built = True
        self._dropouts = [
            part for _, piece in self._named() for part in walk(piece) if isinstance(part, Dropout)
        ]
        return self

    def draw(self, rng: np.random.Generator) -> None:
        """Draw first weights anew; running statistics begin again. Arrays are new ones."""
        self._plan.build(rng, self.dtype)

    def freeze(self: G, names: Iterable[str]) -> G:
        """Let the named layers keep their weights and running statistics in training.

        What lies before them is not reached by a gradient where nothing there is to be trained. A
        frozen layer behind one that is trained hands its gradient on.

        Parameters
        ----------
        names : iterable of str
            All layers that are to be frozen; the others are trained.

        Returns
        -------
        The network itself.

        Raises
        ------
        ValueError
            If there is no such layer.
        """
        frozen = set(names)
        unknown = sorted(frozen - self.layers.keys())
        if unknown:
            raise ValueError(
                f"no layer is named {unknown[0]!r}; there are {', '.join(self.layers)}"
            )
        for name, piece in self._named():
            for part in walk(piece):
                if isinstance(part, Layer):
                    part.frozen = name in frozen
        return self

    def trained(self, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return those of `parameters` or `gradients` whose layers are not frozen."""
        frozen = {
            name for name, piece in self._named() if isinstance(piece, Layer) and piece.frozen
        }
        return {name: a for name, a in arrays.items() if name.partition(".")[0] not in frozen}

    def set_rng(self, rng: np.random.Generator) -> None:
        """Give all dropout layers new sources of masks.

        The first one draws from `rng`, the others from children of it: branches run on threads of
        their own, and which of them drew first from a common source would be a matter of chance.
        """
        sources = [rng, *rng.spawn(max(len(self._dropouts) - 1, 0))]
        for layer, source in zip(self._dropouts, sources, strict=False):
            layer.rng = source

    def frames(self, widths: np.ndarray) -> np.ndarray:
        """Return how many frames or columns inputs of the given widths or frames give."""
        return self._plan.series.lengths(widths)[-1]

    def forward(
        self, x: np.ndarray, lengths: np.ndarray, training: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute the output.

        Parameters
        ----------
        x : ndarray, shape (N, H, W, C) or (T, N, F)
            Images or sequences. What lies beyond an item's length is not looked at.
        lengths : ndarray of int64, shape (N,)
            Columns or frames of each item.
        training : bool, default=False
            Apply dropout and keep what `backward` needs. With False, threads may share the network.

        Returns
        -------
        y : ndarray
            Of the last layer: log posteriors (T, N, classes) of a network that reads lines.
        lengths : ndarray of int64
            Columns or frames of each item of `y`.

        Raises
        ------
        ValueError
            If the input is not of the network's shape and type, or narrower than `lengths`.
        RuntimeError
            If the network is not built.
        """
        if not self._built:
            raise RuntimeError("forward needs a network that is built")
        x, lengths = self._check_input(x, lengths)
        y, lengths = self._plan.series.forward(
            x, lengths, training, input_gradient=not self._any_frozen()
        )
        if training:
            self._given = y.shape
        return y, lengths

    def _check_input(self, x: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Refuse what would make the kernels read beyond the arrays."""
        images = len(self.input_shape) == 3
        batch, time = (0, 2) if images else (1, 0)
        found = tuple(s for axis, s in enumerate(x.shape) if axis != batch)
        fits = len(found) == len(self.input_shape) and all(
            expected in (None, s) for s, expected in zip(found, self.input_shape, strict=True)
        )
        if not fits or x.dtype != self.dtype:
            names = [str(s) if s else ("width" if images else "frames") for s in self.input_shape]
            names.insert(batch, "items")
            kind = "images" if images else "sequences"
            raise ValueError(
                f"expected {kind} ({', '.join(names)}) of {self.dtype}, not {x.shape} of {x.dtype}"
            )
        lengths = np.ascontiguousarray(lengths, np.int64)
        if lengths.shape != (x.shape[batch],):
            raise ValueError(f"{x.shape[batch]} items, but lengths of shape {lengths.shape}")
        least, most = lengths.min(initial=x.shape[time]), lengths.max(initial=0)
        if least < (self.input_shape[-2] or 0) or most > x.shape[time]:
            raise ValueError(
                f"lengths {least} to {most} in items of {x.shape[time]} "
                f"{'columns' if images else 'frames'}"
            )
        return np.ascontiguousarray(x), lengths

    def backward(self, dy: np.ndarray, *, input_gradient: bool = False) -> np.ndarray:
        """Set the gradients of all weights.

        Parameters
        ----------
        dy : ndarray
            Gradient of the output of the last ``forward(..., training=True)``.
        input_gradient : bool, default=False
            Also compute the gradient of the input; not with frozen layers, which keep nothing for
            it.

        Returns
        -------
        ndarray
            The gradient of the input; without meaning where it was not asked for.

        Raises
        ------
        ValueError
            If `dy` is not of the shape and type of that output, or the gradient of the input is
            asked of a network with frozen layers.
        RuntimeError
            If there was no such `forward`.
        """
        if self._given is not None and (dy.shape != self._given or dy.dtype != self.dtype):
            raise ValueError(
                f"expected a gradient {self._given} of {self.dtype}, not {dy.shape} of {dy.dtype}"
            )
        if input_gradient and self._any_frozen():
            raise ValueError("a network with frozen layers gives no gradient of its input")
        self._given = None
        return self._plan.series.backward(np.ascontiguousarray(dy), input_gradient=input_gradient)

    def _any_frozen(self) -> bool:
        return any(isinstance(piece, Layer) and piece.frozen for _, piece in self._named())

    def parameters(self) -> dict[str, np.ndarray]:
        """Return all weights, named ``layer.weight``: the arrays themselves."""
        return {
            f"{name}.{weight}": array
            for name, piece in self._named()
            for weight, array in piece.parameters().items()
        }

    def gradients(self) -> dict[str, np.ndarray]:
        """Return all gradients by the names of `parameters`."""
        return {
            f"{name}.{weight}": array
            for name, piece in self._named()
            for weight, array in piece.gradients().items()
        }

    def buffers(self) -> dict[str, np.ndarray]:
        """Return what is kept beside the weights and not trained, as the statistics of BatchNorm.

        Named as `parameters` are; the arrays themselves.
        """
        return {
            f"{name}.{buffer}": array
            for name, piece in self._named()
            for buffer, array in piece.buffers().items()
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Return weights and buffers: all that makes two networks of one spec differ."""
        return self.parameters() | self.buffers()


def walk(piece: Piece) -> Iterator[Piece]:
    """Yield a layer or join, and all layers and joins inside it."""
    yield piece
    if isinstance(piece, Layer):
        for part in piece.layers if isinstance(piece, Group) else piece.children():
            yield from walk(part)


def _check_shape(shape: Shape) -> Shape:
    try:
        sizes = tuple(None if size is None else int(operator.index(size)) for size in shape)
    except TypeError:
        sizes = ()
    free = len(sizes) - 2  # the one place where there may be None
    if len(sizes) not in (2, 3) or not all(
        i == free if size is None else size > 0 for i, size in enumerate(sizes)
    ):
        raise ValueError(
            "an input shape is (height, width or None, channels) or (frames or None, features), "
            f"for vectors (1, features), not {shape}"
        )
    return sizes
