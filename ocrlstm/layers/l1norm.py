"""Values over the sum of their sizes."""

from __future__ import annotations

from ocrlstm.layers.unitnorm import UnitNorm

__all__ = ["L1Norm"]


class L1Norm(UnitNorm):
    """Divide values by the sum of their absolute values: ``y = x / sum |x|``.

    NumPyNet's layer, with the right gradient ``dx = (dy - sign(x) sum(dy y)) / sum |x|``. See
    `UnitNorm` for the arguments `axis` and `epsilon`, and for values that are all zero.
    """

    order = 1
