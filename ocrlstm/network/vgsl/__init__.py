"""The language in which networks are written: from text to layers and back."""

from ocrlstm.network.vgsl.reader import NamedLayer, Spec, parse_spec, tells_classes
from ocrlstm.network.vgsl.writer import default_name, token_of, write_spec

__all__ = [
    "NamedLayer",
    "Spec",
    "default_name",
    "parse_spec",
    "tells_classes",
    "token_of",
    "write_spec",
]
