"""How tokens write non-linearities: by the letters of VGSL, or by name between colons."""

from __future__ import annotations

from ocrlstm.layers import Layer, Softmax, Stacked
from ocrlstm.layers.nonlinearity import check_activation
from ocrlstm.layers.series import Piece

__all__ = [
    "ACTIVATION",
    "NAMED",
    "SOFTMAX",
    "read_activation",
    "with_softmax",
    "without_softmax",
    "write_activation",
]

# kraken's leaky rectifier has the slope of `relie`.
_NAMES = {"r": "relu", "s": "logistic", "t": "tanh", "l": "linear", "lr": "relie"}
_LETTERS = {name: letters for letters, name in _NAMES.items()}

#: Pattern of a name between colons.
NAMED = r":[a-z]+:"
#: Pattern of what `read_activation` takes.
ACTIVATION = rf"lr|[rstl]|{NAMED}"
#: The letter of a softmax over the channels, which is no `Activation` but a layer.
SOFTMAX = "m"


def read_activation(written: str) -> str:
    """Return the name of a non-linearity: ``relu`` for ``r``, ``elu`` for ``:elu:``.

    ``linear`` for the softmax, which is a layer behind.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if written == SOFTMAX:
        return "linear"
    return _NAMES[written] if written in _NAMES else check_activation(written.strip(":"))


def write_activation(name: str) -> str:
    """Return how tokens write a non-linearity."""
    return _LETTERS.get(name, f":{name}:")


def with_softmax(layer: Layer, activation: str) -> Layer:
    """Return a layer with a softmax behind it, if its token asks for one."""
    return Stacked(layer, Softmax(log=False)) if activation == SOFTMAX else layer


def without_softmax(layer: Piece) -> tuple[Piece, bool]:
    """Return a layer without the softmax that `with_softmax` puts there, and whether it did."""
    if type(layer) is Stacked and len(layer.layers) == 2 and not any(layer.names):
        if repr(layer.layers[1]) == repr(Softmax(log=False)):
            return layer.layers[0], True
    return layer, False
