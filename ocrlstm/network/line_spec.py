"""What a spec must be so that its network reads lines."""

from __future__ import annotations

from typing import TypeGuard

from ocrlstm.errors import SpecError
from ocrlstm.layers import Route, SeriesPlan, Softmax
from ocrlstm.layers.series import Piece
from ocrlstm.network.graph import walk
from ocrlstm.network.vgsl.reader import NamedLayer, Spec
from ocrlstm.network.vgsl.syntax import read_tree, refusal

__all__ = ["check_line_spec"]


def check_line_spec(spec: Spec) -> None:
    """Refuse a network that cannot be trained to read lines with CTC.

    Parameters
    ----------
    spec : Spec

    Raises
    ------
    SpecError
        If the input is not a grey image of any width, or the network does not end with the only
        output layer, ``O1c``, with one score a class at every frame. Tells the token and its
        position.
    """
    _check_input(spec)
    last = spec.layers[-1] if spec.layers else None
    if last is None or not (_is_output(last.layer) and last.layer.log):
        raise SpecError(f"network spec {spec.text!r}: must end with an output layer, e.g. O1c")
    for named in spec.layers[:-1]:
        reason = _reason_against(named.layer)
        if reason is not None:
            raise _refuse(spec, named, reason)
    plan = SeriesPlan(spec.input_shape)
    for named in spec.layers:
        shape = plan.add(named.layer, named.name)
    if shape[0] is not None:
        raise _refuse(spec, last, f"lines need frames all along, not {shape[0]} of any line")


def _check_input(spec: Spec) -> None:
    tree = read_tree(spec.text)
    if len(spec.input_shape) != 3:
        raise tree.refuse(tree.input, "lines are images: write batch,height,width,channels")
    _, width, channels = spec.input_shape
    if width is not None:
        raise tree.refuse(tree.input, f"lines are of any width: write 0, not {width}")
    if channels != 1:
        raise tree.refuse(tree.input, f"lines are grey: 1 channel, not {channels}")


def _is_output(layer: Piece) -> TypeGuard[Softmax]:
    return isinstance(layer, Softmax) and layer.classes is not None


def _reason_against(layer: Piece) -> str | None:
    for part in walk(layer):
        if _is_output(part):
            return "output layer before the end"
        if isinstance(part, Route) and part.axis == "batch":
            return "makes several lines of one"
    return None


def _refuse(spec: Spec, named: NamedLayer, reason: str) -> SpecError:
    return refusal(spec.text, named.token, named.position, reason)
