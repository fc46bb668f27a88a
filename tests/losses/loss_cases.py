"""The table of losses whose gradients are checked: one line a case.

Both the tests and ``bin/benchmark gradients`` go through `all_cases`, `all_about` and `error_of`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ocrlstm.losses import LOSSES

__all__ = ["Case", "all_about", "all_cases", "error_of", "worst_errors"]

STEP = 1e-5

#: Formula of a value (x is the output, t the target, d = x - t) and source, by name in LOSSES. Not
#: here: "ocropus", whose gradient takes the alignment as given and is no derivative of its loss.
ABOUT = {
    "mse": ("d^2", "Legendre, 1805; NumPyNet"),
    "mae": ("|d|", "Boscovich, 1757; NumPyNet"),
    "smooth_l1": (
        "d^2 where |d| < 1, 2|d| - 1 elsewhere",
        "darknet, NumPyNet; half of it in Girshick, ICCV 2015",
    ),
    "masked": ("d^2 where t is known", "darknet, NumPyNet"),
    "seg": ("w d^2, w = noobject_scale where t = 0, else 1", "darknet, NumPyNet"),
    "wgan": ("-x where t != 0, x elsewhere", "Arjovsky, Chintala and Bottou, ICML 2017; NumPyNet"),
    "hellinger": ("(sqrt(t) - sqrt(x))^2", "Hellinger, 1909; NumPyNet"),
    "hinge": ("max(0, 1 - t x)", "Cortes and Vapnik, 1995; NumPyNet"),
    "logcosh": ("log(cosh(d))", "Green, 1990; NumPyNet"),
    "cross_entropy": (
        "-sum t x over the classes, x = log posteriors",
        "Bridle, 1990; smoothing: Szegedy et al., CVPR 2016",
    ),
    "binary_cross_entropy": ("-t log x - (1 - t) log(1 - x)", "Good, 1952; EpyNN"),
    "ctc": ("-log of the sum over alignments a of exp(sum x(a))", "Graves et al., ICML 2006"),
}


@dataclass(frozen=True)
class Case:
    """A loss, and the batch to check it with.

    Attributes
    ----------
    name : str
        Key of ``ABOUT`` and of ``LOSSES``.
    draw : callable
        Takes a Generator and a shape, gives outputs and targets away from every kink.
    shape : tuple
        Of the outputs, (T, N, F) or (N, H, W, C).
    lengths : tuple of int
        Valid frames or columns of each item.
    options : dict
        Of the loss.
    """

    name: str
    draw: Callable
    shape: tuple
    lengths: tuple
    options: dict = field(default_factory=dict)

    def __str__(self):
        options = "".join(f"-{key}={value}" for key, value in self.options.items())
        return f"{self.name}{options}-{self.shape}-{self.lengths}".replace(" ", "")

    def batch(self):
        """Return outputs and targets in float64; beyond the lengths stand values like others."""
        return self.draw(np.random.default_rng(5), self.shape, self.lengths)

    def measure(self, outputs, targets):
        """Return the losses and their gradient."""
        return LOSSES[self.name](outputs, self.lengths, targets, **self.options)


def error_of(case):
    """Return the largest relative error of a loss's gradient against central differences.

    The difference over the larger of both values, which counts as at least a hundredth of the
    largest. The loss of every other item must not move at all.
    """
    outputs, targets = case.batch()
    _, found = case.measure(outputs, targets)
    assert found.shape == outputs.shape
    expected = np.empty_like(outputs)
    for place in np.ndindex(*outputs.shape):
        value = outputs[place]
        outputs[place] = value + STEP
        above, _ = case.measure(outputs, targets)
        outputs[place] = value - STEP
        below, _ = case.measure(outputs, targets)
        outputs[place] = value
        slopes = (above - below) / (2 * STEP)
        item = place[0] if outputs.ndim == 4 else place[1]
        expected[place] = slopes[item]
        slopes[item] = 0
        assert not slopes.any(), f"{case}: {place} moves other items"
    size = np.maximum(np.abs(expected), np.abs(found))
    size = np.maximum(size, max(size.max(initial=0) / 100, 1e-6))
    return float((np.abs(expected - found) / size).max(initial=0))


def worst_errors():
    """Return the largest error of all cases of a loss, by its name."""
    worst = dict.fromkeys(ABOUT, 0.0)
    for case in all_cases():
        worst[case.name] = max(worst[case.name], error_of(case))
    return worst


def apart(rng, shape, lengths):
    """Outputs off their targets by halves: 0.5, 1.5 and so on, never near 0 or 1."""
    t = rng.normal(size=shape)
    return t + rng.integers(-3, 3, shape) + 0.5, t


def partly_known(unknown, rng, shape, lengths):
    x, t = apart(rng, shape, lengths)
    return x, np.where(rng.random(shape) < 0.3, unknown, t)


def margins(rng, shape, lengths):
    """Targets of 1 and -1, their products with the outputs off 1 by halves."""
    t = rng.choice([-1.0, 1.0], shape)
    return t * (rng.integers(-2, 4, shape) + 0.5), t


def positive(rng, shape, lengths):
    return rng.uniform(0.2, 2, shape), np.where(rng.random(shape) < 0.2, 0, rng.random(shape))


def probabilities(rng, shape, lengths):
    return rng.uniform(0.05, 0.95, shape), np.where(rng.random(shape) < 0.5, 1, rng.random(shape))


def log_posteriors(rng, shape):
    scores = rng.normal(size=shape)
    # a little lower, so that none of a single class is above 0 when it is moved
    return scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True) - 1e-3


def soft(rng, shape, lengths):
    """Posteriors wished for, that need not sum to 1."""
    return log_posteriors(rng, shape), rng.random(shape)


def labelled(rng, shape, lengths):
    classes = shape[-1]
    if shape[0] == 1 and len(shape) == 3:
        return log_posteriors(rng, shape), rng.integers(0, classes, shape[1])
    sizes = [(length,) if len(shape) == 3 else (shape[1], length) for length in lengths]
    return log_posteriors(rng, shape), [rng.integers(0, classes, size) for size in sizes]


def texts(rng, shape, lengths):
    """Labels for CTC, fewer than half the frames."""
    return log_posteriors(rng, shape), [rng.integers(1, shape[2], n // 2) for n in lengths]


SEQUENCES = ((7, 3, 2), (7, 1, 2)), ((1, 2, 9), (1, 1)), ((1, 1, 1), (1,)), ((9, 2, 1), (9, 0))
IMAGES = ((3, 2, 7, 1), (7, 1, 2)), ((2, 1, 9, 2), (2, 9)), ((1, 1, 1, 7), (1,))


def cases(name, draw, batches=(*SEQUENCES, *IMAGES), **options):
    return [Case(name, draw, shape, lengths, options) for shape, lengths in batches]


CASES = [
    *cases("mse", apart),
    *cases("mae", apart),
    *cases("smooth_l1", apart),
    *cases("masked", partial(partly_known, np.nan)),
    *cases("masked", partial(partly_known, -1234.0), mask=-1234.0),
    *cases("seg", partial(partly_known, 0.0)),
    *cases("seg", partial(partly_known, 0.0), noobject_scale=3.0),
    *cases("wgan", partial(partly_known, 0.0)),
    *cases("hellinger", positive),
    *cases("hinge", margins),
    *cases("logcosh", apart),
    *cases("cross_entropy", soft),
    *cases("cross_entropy", labelled),
    *cases("cross_entropy", labelled, smoothing=0.1),
    *cases("binary_cross_entropy", probabilities),
    *cases("ctc", texts, (((7, 3, 4), (7, 1, 2)), ((9, 2, 2), (9, 0)), ((1, 1, 7), (1,)))),
]


def all_cases():
    """Return the cases."""
    return CASES


def all_about():
    """Return formula and source by name."""
    return ABOUT
