"""Characters that a fine-tuned model knows and no training line has an example of.

Taught with lines in which they never occur, they would soon be read nowhere. So their rows of the
output layer stay as they are, which weight decay, too, would wear away. And they take no part in
the frames where another character is the most probable: what such a frame is not sure of is shared
out among the others. Otherwise the layers below learn to give the rows nothing that speaks for
them, in every frame of every line. Only a frame that takes one of them for what it shows learns
that it is wrong, for on the new lines it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ocrlstm.kernels import softmax as kernel
from ocrlstm.network import Network

__all__ = ["Protection"]

# The logarithm of hardly any probability. The alignment of OCRopus gives a little to every
# character, so that its loss would be large with a smaller one.
_NEVER = -20.0


class Protection:
    """Keeps some characters out of training.

    Parameters
    ----------
    network : Network
        With the rows of the output layer that are to stay.
    labels : ndarray of int64
        The characters; none protects nothing.
    """

    def __init__(self, network: Network, labels: np.ndarray) -> None:
        self._labels = labels
        output = list(network.layers)[-1]
        weights = network.parameters() if len(labels) else {}
        self._arrays = {n: a for n, a in weights.items() if n.partition(".")[0] == output}
        self._first = {name: array[labels] for name, array in self._arrays.items()}

    def share_out(self, y: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """Return the log posteriors to learn with.

        Parameters
        ----------
        y : ndarray, shape (T, N, C)
            Log posteriors.
        frames : ndarray of int64, shape (N,)

        Returns
        -------
        ndarray, shape (T, N, C)
            Where none of the protected characters is the most probable of a frame, those of the
            others as if there were no more; `y` in the other frames.
        """
        if not len(self._labels):
            return y
        taken = np.isin(y.argmax(axis=-1), self._labels)
        shared = y.copy()
        shared[..., self._labels] = np.where(taken[..., None], y[..., self._labels], _NEVER)
        bias, one = np.zeros(y.shape[-1], y.dtype), y.dtype.type(1)
        kernel.forward(_rows(shared), bias, one, _inside(y, frames), True)
        return shared

    def pass_back(self, dy: np.ndarray, y: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """Return the gradient of the log posteriors for that of what `share_out` made of them.

        Parameters
        ----------
        dy, y : ndarray, shape (T, N, C)
            What `share_out` returned, and its gradient.
        frames : ndarray of int64, shape (N,)

        Notes
        -----
        ``g = dy - exp(y) sum(dy)`` is the gradient of the scores. Its sum is 0, so that a softmax
        hands it on to its scores unchanged.
        """
        if not len(self._labels):
            return dy
        gradient = np.empty_like(y)
        dy, one = np.ascontiguousarray(dy), y.dtype.type(1)
        kernel.backward(_rows(dy), _rows(y), one, _inside(y, frames), True, _rows(gradient))
        return gradient

    def clear(self, gradients: Mapping[str, np.ndarray]) -> None:
        """Take their rows out: they count for the norm, and an optimiser remembers them."""
        for name in self._first.keys() & gradients.keys():
            gradients[name][self._labels] = 0

    def put_back(self) -> None:
        """Undo what a step has changed without a gradient, as weight decay does."""
        for name, rows in self._first.items():
            self._arrays[name][self._labels] = rows


def _rows(y: np.ndarray) -> np.ndarray:
    return y.reshape(-1, y.shape[-1])


def _inside(y: np.ndarray, frames: np.ndarray) -> np.ndarray:
    return (np.arange(len(y))[:, None] < frames).ravel()
