"""All kinds of tokens."""

from __future__ import annotations

import re

from ocrlstm.network.vgsl import images, joins, outputs, recurrent, regular, resizing, shapes
from ocrlstm.network.vgsl.kind import Kind
from ocrlstm.network.vgsl.syntax import Node

__all__ = ["KINDS", "takes_frames"]

#: Every kind of token, and of every layer that a token can write. The first that fits is taken.
KINDS: tuple[Kind, ...] = (
    images.CONVOLUTION,
    images.POOL,
    recurrent.LSTMS,
    recurrent.GRUS,
    recurrent.RNNS,
    resizing.UPSAMPLE,
    resizing.SHUFFLE,
    resizing.UNSHUFFLE,
    shapes.COLUMNS,
    shapes.RESHAPE,
    shapes.SUMMARY,
    shapes.ADDITION,
    shapes.IDENTITY,
    regular.DROPOUT,
    regular.BATCH_NORM,
    regular.GROUP_NORM,
    regular.UNIT_NORMS,
    joins.SHORTCUT,
    joins.ROUTE,
    outputs.CONNECTED,
    outputs.ACTIVATIONS,
    outputs.OUTPUT,
    outputs.HEAT_MAP,
    outputs.SQUASHED,
)

_FRAMES = re.compile(r"[LGR][frb]x|O[01]")


def takes_frames(node: Node) -> bool:
    """Tell whether a token, or all that is first in brackets, takes frames where images may come.

    The columns of an image are its frames then.
    """
    if node.bare == "[":
        return bool(node.children) and takes_frames(node.children[0])
    if node.children:
        return node.bare != "Ry" and all(map(takes_frames, node.children))
    return _FRAMES.match(node.bare) is not None
