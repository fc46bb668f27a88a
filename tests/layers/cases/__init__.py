"""The table of layers whose gradients are checked: one line a case, one file a kind of layers.

A file of the kind has ``ABOUT``, a dict of what a name stands for, ``(formula, source)``, and
``CASES``. Both the tests and ``bin/benchmark gradients`` go through `all_cases`.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Case", "all_about", "all_cases"]

SCALE = 0.6


@dataclass(frozen=True)
class Case:
    """A layer, and the input to check it with.

    Attributes
    ----------
    name : str
        Key of ``ABOUT``: the layer's name as exported, or "relu activation" and the like.
    make : callable
        Returns a new, unbuilt layer.
    shape : tuple
        Of the input, without the batch; None for a free width or number of frames.
    lengths : tuple of int
        Valid columns or frames of each item.
    values : {"random", "whole", "quarters", "distinct"}
        Of input and weights. "random": normal. "whole": whole numbers, and half ones for vectors
        of weights, so that sums of products keep half a unit away from kinks at whole numbers.
        "quarters": input values a quarter above whole numbers, where no kink is; random weights.
        "distinct": input values all at least a sixteenth apart, so that a small move changes no
        winner, and off 0; not further apart, or sums of them would drown what a move changes.
    """

    name: str
    make: Callable
    shape: tuple
    lengths: tuple
    values: str = "random"

    def __str__(self):
        return f"{self.make()!r}-{self.shape}-{self.lengths}".replace(" ", "")

    def built(self):
        """Return the layer, built in float64, every weight random, peepholes and biases too."""
        layer, rng = self.make(), np.random.default_rng(2)
        layer.build(self.shape, rng, np.float64)
        for weights in layer.parameters().values():
            if self.values == "whole":
                weights[:] = rng.integers(-2, 3, weights.shape) if weights.ndim > 1 else 0.5
            else:
                weights[:] = rng.normal(0, SCALE, weights.shape)
        return layer

    def x(self):
        """Return the input: images (N, H, W, C) or sequences (T, N, F), zero beyond the lengths."""
        rng, items, longest = np.random.default_rng(3), len(self.lengths), max(self.lengths)
        if len(self.shape) == 3:
            size = (items, self.shape[0], self.shape[1] or longest, self.shape[2])
        else:
            size = (self.shape[0] or longest, items, self.shape[1])
        if self.values == "distinct":
            count = int(np.prod(size))
            x = (rng.permutation(count).reshape(size) - count / 2 + 0.25) / 16
        else:
            x = rng.normal(size=size)
            if self.values == "whole":
                x = np.round(2 * x)
            elif self.values == "quarters":
                x = np.round(3 * x) + 0.25
        for i, length in enumerate(self.lengths):
            if x.ndim == 4:
                x[i, :, length:] = 0
            else:
                x[length:, i] = 0
        return x


def modules():
    return [importlib.import_module(f"cases.{m.name}") for m in pkgutil.iter_modules(__path__)]


def all_cases():
    """Return the cases of all files."""
    return [case for module in modules() for case in module.CASES]


def all_about():
    """Return formula and source by name, of all files."""
    return {name: about for module in modules() for name, about in module.ABOUT.items()}
