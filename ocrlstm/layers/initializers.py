"""First weights."""

from __future__ import annotations

import numpy as np

__all__ = ["he", "orthogonal", "xavier"]


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


def he(rng: np.random.Generator, shape: tuple[int, ...], inputs: int) -> np.ndarray:
    """Return normal weights of variance ``2 / inputs``, which suits rectifiers.

    Notes
    -----
    He et al., *Delving deep into rectifiers*, ICCV 2015, equation 10.
    """
    return rng.normal(0.0, np.sqrt(2.0 / inputs), shape)


def orthogonal(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return a random orthogonal matrix (size, size), which keeps the norm of what recurs.

    Notes
    -----
    Saxe, McClelland and Ganguli, *Exact solutions to the nonlinear dynamics of learning in deep
    linear neural networks*, ICLR 2014. The signs make the distribution uniform (Mezzadri 2007).
    """
    q, r = np.linalg.qr(rng.normal(size=(size, size)))
    return q * np.sign(np.diagonal(r))
