"""Values over their Euclidean length."""

from __future__ import annotations

from ocrlstm.layers.unitnorm import UnitNorm

__all__ = ["L2Norm"]


class L2Norm(UnitNorm):
    """Divide values by the root of the sum of their squares: ``y = x / sqrt(sum x**2)``.

    NumPyNet's layer, with the right gradient ``dx = (dy - y sum(dy y)) / sqrt(sum x**2)``. See
    `UnitNorm` for the arguments `axis` and `epsilon`, and for values that are all zero.
    """

    order = 2
