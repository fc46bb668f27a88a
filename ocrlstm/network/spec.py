"""Networks written as VGSL specs, e.g. ``[1,48,0,1 Cr3,3,16 Mp2,2 S1(1x0)1,3 Lbx100 O1c]``.

The language is Tesseract's and kraken's "variable-size graph specification language" with a few
tokens more; docs/networks.md has them all.
"""

from ocrlstm.layers.series import WIDEST
from ocrlstm.network.vgsl import (
    NamedLayer,
    Spec,
    default_name,
    parse_spec,
    tells_classes,
    token_of,
    write_spec,
)

__all__ = [
    "WIDEST",
    "NamedLayer",
    "Spec",
    "default_name",
    "parse_spec",
    "tells_classes",
    "token_of",
    "write_spec",
]
