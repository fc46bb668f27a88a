"""Networks written as VGSL specs, e.g. ``[1,48,0,1 Cr3,3,16 Mp2,2 S1(1x0)1,3 Lbx100 O1c]``.

From text to layers and back. The language is Tesseract's and kraken's "variable-size graph
specification language" with a few tokens more; docs/networks.md has them all.
"""

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
