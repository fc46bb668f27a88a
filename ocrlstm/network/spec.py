"""Networks written as VGSL specs, e.g. ``[1,48,0,1 Cr3,3,16 Mp2,2 S1(1x0)1,3 Lbx100 O1c]``.

The language is Tesseract's and kraken's "variable-size graph specification language". The tokens
that line recognisers need are understood:

================ =====================================================================
``N,H,W,D``      the input: batch (any number), height, width (0: any), channels (1: grey)
``C?y,x,d``      convolution ``y`` by ``x`` with ``d`` filters; ``?`` is the non-linearity:
                 ``r`` relu, ``s`` logistic, ``t`` tanh, ``l`` none. ``C?y,x,d,sy,sx`` strides
``Mpy,x``        max pooling; ``Mpy,x,sy,sx`` strides
``S1(1x0)1,3``   fold the height into the features: columns become frames
``Lfxn``         LSTM with ``n`` states; ``Lrxn`` from the end, ``Lbxn`` both ways
``Dop``          dropout with probability ``p``; ``Dop,2`` of whole channels
``O1c``          softmax over the codec's labels for CTC; ``O1cn`` with ``n`` classes
================ =====================================================================

A token may carry a name in braces, as in ``Lbx{reader}100``. An ``L`` or ``O`` that meets images
takes their columns as frames, so ``[1,48,0,1 Lbx100 O1c]`` is the OCRopus network.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ocrlstm.errors import SpecError
from ocrlstm.layers import (
    LSTM,
    Columns,
    Convolution,
    Dropout,
    Layer,
    MaxPool,
    Reversed,
    Softmax,
    bidirectional,
)

__all__ = ["NamedLayer", "Spec", "parse_spec"]

#: The narrowest line that gives a frame is at most so wide.
WIDEST = 65_536

# Specs come from strangers' files. The bounds are far above any sensible network and far below what
# would exhaust the memory.
_LONGEST = 10_000  # characters of a spec
_LARGEST = 65_536  # filters, states, classes, strides
_MOST_KERNEL_PIXELS = 4_096
_MOST_WEIGHTS = 2**28  # 1 GB in float32
_MOST_VALUES = 2**18  # of one column or frame behind any layer
_ACTIVATIONS = {"r": "relu", "s": "logistic", "t": "tanh", "l": "linear"}
_INPUT = re.compile(r"(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})", re.ASCII)
_NAME = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True)
class NamedLayer:
    """One layer of a spec.

    Attributes
    ----------
    name : str
        Unique in the spec; begins the names of the layer's weights in a model file.
    token : str
        How the spec writes it; empty for the columns that were not written.
    position : int
        Where the token begins in the spec.
    layer : Layer
    """

    name: str
    token: str
    position: int
    layer: Layer


@dataclass(frozen=True)
class Spec:
    """A parsed spec: the input's size and the layers, not yet built."""

    text: str
    height: int
    channels: int
    layers: tuple[NamedLayer, ...]

    @property
    def input_shape(self) -> tuple[int, None, int]:
        """(height, None, channels)."""
        return (self.height, None, self.channels)


def parse_spec(text: str, classes: int | None = None) -> Spec:
    """Read a VGSL spec.

    Parameters
    ----------
    text : str
    classes : int, optional
        Number of classes of an ``O1c`` without a number, and what ``O1cn`` must agree with.

    Returns
    -------
    Spec
        Checked to fit together from end to end; nothing is allocated.

    Raises
    ------
    SpecError
        With the position of the token and the reason.
    """
    body = text.strip()
    if len(body) > _LONGEST:
        raise SpecError(f"network spec of {len(body)} characters: at most {_LONGEST} are allowed")
    if not (body.startswith("[") and body.endswith("]")):
        raise SpecError(f"network spec {body!r}: must stand in square brackets")
    tokens = [(match.group(), match.start()) for match in re.finditer(r"\S+", body[1:-1])]
    if not tokens:
        raise SpecError(f"network spec {body!r}: is empty; begin with the input, e.g. 1,48,0,1")
    height, channels = _read_input(body, *tokens[0])
    layers: list[NamedLayer] = []
    for number, (token, position) in enumerate(tokens[1:]):
        layers.extend(_read_token(body, token, position, number, classes))
    spec = Spec(body, height, channels, tuple(_with_columns(layers)))
    _check_shapes(spec)
    return spec


def _refuse(spec: str, token: str, position: int, reason: str) -> SpecError:
    return SpecError(f"network spec {spec!r}: {token!r} at character {position + 2}: {reason}")


def _read_input(spec: str, token: str, position: int) -> tuple[int, int]:
    match = _INPUT.fullmatch(token)
    if match is None:
        raise _refuse(spec, token, position, "expected the input as batch,height,width,channels")
    _, height, width, channels = map(int, match.groups())
    if not 1 <= height <= 4096:
        raise _refuse(spec, token, position, f"height must be 1 to 4096, not {height}")
    if width != 0:
        raise _refuse(spec, token, position, f"lines are of any width: write 0, not {width}")
    if channels != 1:
        raise _refuse(spec, token, position, f"lines are grey: 1 channel, not {channels}")
    return height, channels


def _read_token(
    spec: str, token: str, position: int, number: int, classes: int | None
) -> list[NamedLayer]:
    name = _NAME.search(token)
    bare = _NAME.sub("", token, count=1)
    for pattern, make in _TOKENS:
        match = re.fullmatch(pattern, bare, re.ASCII)
        if match is None:
            continue
        try:
            layer = make(match, classes)
        except ValueError as error:
            raise _refuse(spec, token, position, str(error)) from None
        kind = re.match(r"[A-Z][a-z]*", bare)
        label = name.group(1) if name else f"{kind.group() if kind else 'X'}_{number}"
        return [NamedLayer(label, token, position, layer)]
    raise _refuse(spec, token, position, "unknown token")


def _size(digits: str) -> int:
    if len(digits) > 9 or not 1 <= int(digits) <= _LARGEST:
        raise ValueError(f"{digits[:20]} is not in 1 to {_LARGEST}")
    return int(digits)


def _convolution(match: re.Match[str], classes: int | None) -> Layer:
    kind, y, x, depth, sy, sx = match.groups()
    kernel = (_size(y), _size(x))
    if kernel[0] * kernel[1] > _MOST_KERNEL_PIXELS:
        raise ValueError(f"a kernel has at most {_MOST_KERNEL_PIXELS} pixels")
    return Convolution(
        _size(depth),
        kernel,
        (_size(sy or "1"), _size(sx or "1")),
        _ACTIVATIONS[kind],  # type: ignore[arg-type]
    )


def _max_pool(match: re.Match[str], classes: int | None) -> Layer:
    y, x, sy, sx = match.groups()
    return MaxPool((_size(y), _size(x)), (_size(sy or y), _size(sx or x)))


def _columns(match: re.Match[str], classes: int | None) -> Layer:
    return Columns()


def _lstm(match: re.Match[str], classes: int | None) -> Layer:
    direction, states = match.group(1), _size(match.group(2))
    if direction == "b":
        return bidirectional(states)
    return LSTM(states) if direction == "f" else Reversed(LSTM(states))


def _dropout(match: re.Match[str], classes: int | None) -> Layer:
    return Dropout(float(match.group(1)), channels=match.group(2) == "2")


def _output(match: re.Match[str], classes: int | None) -> Layer:
    written = _size(match.group(1)) if match.group(1) else None
    if written is None and classes is None:
        raise ValueError("the number of classes is not known here; write it, as in O1c100")
    if written is not None and classes is not None and written != classes:
        raise ValueError(f"{written} classes, but the codec has {classes}")
    return Softmax(written or classes or 0)


#: Pattern of a token without its name, and the function that makes its layer.
_TOKENS: tuple[tuple[str, Callable[[re.Match[str], int | None], Layer]], ...] = (
    (r"C([rstl])(\d+),(\d+),(\d+)(?:,(\d+),(\d+))?", _convolution),
    (r"Mp(\d+),(\d+)(?:,(\d+),(\d+))?", _max_pool),
    (r"S1\(1x0\)1,3", _columns),
    (r"L([fbr])x(\d+)", _lstm),
    (r"Do(\d*\.?\d+)(?:,([12]))?", _dropout),
    (r"O1c(\d+)?", _output),
)


def _with_columns(layers: list[NamedLayer]) -> list[NamedLayer]:
    """Put the unwritten columns before the first layer that takes sequences."""
    for i, named in enumerate(layers):
        if isinstance(named.layer, Columns):
            return layers
        if not isinstance(named.layer, Convolution | MaxPool | Dropout):
            columns = NamedLayer("columns", "", named.position, Columns())
            return [*layers[:i], columns, *layers[i:]]
    return layers


def _check_shapes(spec: Spec) -> None:
    shape: tuple[int | None, ...] = spec.input_shape
    names: set[str] = set()
    weights = 0
    widths = np.array([WIDEST])
    for named in spec.layers:
        reason = None
        try:
            shape, shapes = named.layer.plan(shape)
        except ValueError as error:
            raise _refuse(spec.text, named.token, named.position, str(error)) from None
        weights += sum(math.prod(size) for size in shapes.values())
        values = math.prod(size for size in shape if size is not None)
        widths = named.layer.output_lengths(widths)
        if weights > _MOST_WEIGHTS:
            reason = f"too large: {weights} weights up to here, at most {_MOST_WEIGHTS} are allowed"
        elif values > _MOST_VALUES:
            reason = f"too large: {values} values a column, at most {_MOST_VALUES} are allowed"
        elif widths[0] < 1:
            reason = f"leaves no frame even of a line {WIDEST} pixels wide"
        elif named.name in names:
            reason = "this name occurs twice"
        if reason is not None:
            raise _refuse(spec.text, named.token, named.position, reason)
        names.add(named.name)
    last = spec.layers[-1] if spec.layers else None
    if last is None or not isinstance(last.layer, Softmax):
        raise SpecError(f"network spec {spec.text!r}: must end with an output layer, e.g. O1c")
    for named in spec.layers[:-1]:
        if isinstance(named.layer, Softmax):
            raise _refuse(spec.text, named.token, named.position, "output layer before the end")
