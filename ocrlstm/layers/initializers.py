"""First weights: a few ways to draw them, by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ocrlstm.kernels.threads import single_threaded

__all__ = [
    "INITIALIZERS",
    "check_initializer",
    "he",
    "initialize",
    "ocropus",
    "orthogonal",
    "xavier",
]


def ocropus(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return weights uniform in [-0.1, 0.1], as OCRopus draws all of them, biases too."""
    return rng.uniform(-0.1, 0.1, shape)


def xavier(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return uniform weights of variance ``2 / (inputs + outputs)``.

    Parameters
    ----------
    rng : numpy.random.Generator
    shape : tuple of int
        (outputs, inputs).

    Notes
    -----
    Glorot and Bengio, *Understanding the difficulty of training deep feedforward neural networks*,
    AISTATS 2010, equation 16.
    """
    bound = np.sqrt(6.0 / sum(shape))
    return rng.uniform(-bound, bound, shape)


def he(rng: np.random.Generator, shape: tuple[int, ...], inputs: int | None = None) -> np.ndarray:
    """Return normal weights of variance ``2 / inputs``, which suits rectifiers.

    Parameters
    ----------
    rng : numpy.random.Generator
    shape : tuple of int
        (outputs, inputs), or any where `inputs` is given.
    inputs : int, optional
        How many inputs an output sums; by default the second size of `shape`.

    Notes
    -----
    He et al., *Delving deep into rectifiers*, ICCV 2015, equation 10.
    """
    return rng.normal(0.0, np.sqrt(2.0 / (shape[1] if inputs is None else inputs)), shape)


def orthogonal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return a random matrix whose rows or columns, the fewer, are of norm 1 and orthogonal.

    A square one keeps the norm of what recurs through it.

    Parameters
    ----------
    rng : numpy.random.Generator
    shape : tuple of int
        (outputs, inputs).

    Notes
    -----
    Saxe, McClelland and Ganguli, *Exact solutions to the nonlinear dynamics of learning in deep
    linear neural networks*, ICLR 2014. The signs make the distribution uniform (Mezzadri 2007).
    """
    with single_threaded():  # so small a matrix is done before the threads of BLAS have woken
        q, r = np.linalg.qr(rng.normal(size=(max(shape), min(shape))))
    q = q * np.sign(np.diagonal(r))
    return q if shape[0] >= shape[1] else np.ascontiguousarray(q.T)


#: Functions of (rng, (outputs, inputs)) by the name that a layer's `initializer` takes.
INITIALIZERS: dict[str, Callable[[np.random.Generator, tuple[int, int]], np.ndarray]] = {
    "ocropus": ocropus,
    "xavier": xavier,
    "he": he,
    "orthogonal": orthogonal,
}


def check_initializer(name: str) -> str:
    """Return the name if it is one of `INITIALIZERS`.

    Raises
    ------
    ValueError
        Naming those that there are.
    """
    if name not in INITIALIZERS:
        raise ValueError(f"unknown initializer {name!r}; there are {', '.join(INITIALIZERS)}")
    return name


def initialize(name: str, rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return a matrix of first weights.

    Parameters
    ----------
    name : str
        A key of `INITIALIZERS`.
    rng : numpy.random.Generator
    shape : tuple of int
        (outputs, inputs).

    Returns
    -------
    ndarray of float64, shape (outputs, inputs)

    Raises
    ------
    ValueError
        If there is no initializer of that name.
    """
    return INITIALIZERS[check_initializer(name)](rng, shape)
