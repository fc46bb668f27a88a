"""Tokens of layers for images: convolution and pooling."""

from __future__ import annotations

import re

from ocrlstm.layers import AvgPool, Convolution, MaxPool
from ocrlstm.layers.series import Piece
from ocrlstm.network.vgsl.activations import (
    ACTIVATION,
    SOFTMAX,
    read_activation,
    with_softmax,
    without_softmax,
    write_activation,
)
from ocrlstm.network.vgsl.kind import Kind, Place, optional_sizes, size, sizes

__all__ = ["CONVOLUTION", "POOL"]

_MOST_PIXELS = 4_096  # of a kernel or window
_WIDEST_SPAN = 1_024  # columns from the first place of a kernel to the last
_ROWS_AT_ONCE = 8  # of the output of a convolution, for which it copies the input
_MOST_COPIED = 2**19  # values of a column


def _area(y: str, x: str) -> tuple[int, int]:
    high, wide = sizes(y, x)
    if high * wide > _MOST_PIXELS:
        raise ValueError(f"a kernel has at most {_MOST_PIXELS} pixels, not {high} by {wide}")
    return high, wide


def _pairs(*pairs: tuple[tuple[int, int], tuple[int, int]]) -> str:
    """Write pairs of numbers, each with its default, but not the last ones that are default."""
    pairs_ = list(pairs)
    while pairs_ and pairs_[-1][0] == pairs_[-1][1]:
        pairs_.pop()
    return "".join(f",{y},{x}" for (y, x), _ in pairs_)


def _half(kernel: tuple[int, int], dilation: tuple[int, int]) -> tuple[int, int]:
    return (kernel[0] - 1) * dilation[0] // 2, (kernel[1] - 1) * dilation[1] // 2


def _check_reach(
    kernel: tuple[int, int],
    stride: tuple[int, int],
    dilation: tuple[int, int],
    padding: tuple[int, int],
    place: Place,
) -> None:
    """Refuse a convolution that would copy far more of an image than there is."""
    high, wide = ((kernel[i] - 1) * dilation[i] + 1 for i in range(2))
    if padding[0] > high or padding[1] > wide:
        raise ValueError(f"padding {padding} is more than the kernel spans, {(high, wide)}")
    if wide > _WIDEST_SPAN:
        raise ValueError(
            f"too large: the kernel spans {wide} columns, at most {_WIDEST_SPAN} are allowed"
        )
    rows = (_ROWS_AT_ONCE - 1) * stride[0] + high
    channels = (place.shape[-1] if place.shape else None) or 1
    if rows * channels > _MOST_COPIED:
        raise ValueError(
            f"too large: {_ROWS_AT_ONCE} rows of the output take {rows} rows of {channels} "
            f"channels, at most {_MOST_COPIED} values are allowed"
        )


def _read_convolution(match: re.Match[str], place: Place) -> Piece:
    activation, without_bias, y, x, depth, sy, sx, dy, dx, py, px = match.groups()
    kernel = _area(y, x)
    stride, dilation = optional_sizes(sy, sx, (1, 1)), optional_sizes(dy, dx, (1, 1))
    padding = optional_sizes(py, px, _half(kernel, dilation), least=0)
    _check_reach(kernel, stride, dilation, padding, place)
    convolution = Convolution(
        size(depth),
        kernel,
        stride,
        read_activation(activation),
        padding=padding,
        dilation=dilation,
        bias=not without_bias,
    )
    return with_softmax(convolution, activation)


def _write_convolution(layer: Piece, place: Place) -> str | None:
    layer, softmax = without_softmax(layer)
    if type(layer) is not Convolution or (softmax and layer.activation != "linear"):
        return None
    activation = SOFTMAX if softmax else write_activation(layer.activation)
    letters = activation + ("" if layer.bias else "n")
    rest = _pairs(
        (layer.stride, (1, 1)),
        (layer.dilation, (1, 1)),
        (layer.padding, _half(layer.kernel, layer.dilation)),
    )
    return f"C{letters}{layer.kernel[0]},{layer.kernel[1]},{layer.filters}{rest}"


def _read_pool(match: re.Match[str], place: Place) -> Piece:
    kind, y, x, sy, sx, py, px = match.groups()
    area = _area(y, x)
    stride, padding = optional_sizes(sy, sx, area), optional_sizes(py, px, (0, 0), least=0)
    return (MaxPool if kind == "Mp" else AvgPool)(area, stride, padding)


def _write_pool(layer: Piece, place: Place) -> str | None:
    if type(layer) is not MaxPool and type(layer) is not AvgPool:
        return None
    rest = _pairs((layer.stride, layer.size), (layer.padding, (0, 0)))
    return f"{'Mp' if type(layer) is MaxPool else 'Ap'}{layer.size[0]},{layer.size[1]}{rest}"


_PAIR = r",(\d+),(\d+)"

#: ``Cr3,3,16``: kernel, filters; then strides, dilations and padding may follow.
CONVOLUTION = Kind(
    rf"C({ACTIVATION}|{SOFTMAX})(n?)(\d+),(\d+),(\d+)(?:{_PAIR}(?:{_PAIR}(?:{_PAIR})?)?)?",
    _read_convolution,
    _write_convolution,
    ("Cr3,3,16",),
)
#: ``Mp2,2``, ``Ap2,2``: window; then strides and padding may follow.
POOL = Kind(
    rf"(Mp|Ap)(\d+),(\d+)(?:{_PAIR}(?:{_PAIR})?)?", _read_pool, _write_pool, ("Mp2,2", "Ap2,2")
)
