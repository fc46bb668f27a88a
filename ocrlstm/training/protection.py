"""Characters that a fine-tuned model knows and no training line has an example of.

Taught with lines in which they never occur, they would soon be read nowhere. So they take no part:
in training, what a frame is not sure of is shared out among the other characters alone, and the
rows of the output layer stay as they are. Without the first, the layers below learn to give the
rows nothing that speaks for them; without the second, weight decay wears the rows away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ocrlstm.kernels import softmax as kernel
from ocrlstm.network import Network

__all__ = ["Protection"]


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
        self._others = np.setdiff1d(np.arange(network.classes), labels)
        # The number that each of the others has among them.
        self._numbers = np.zeros(network.classes, np.int32)
        self._numbers[self._others] = np.arange(len(self._others))
        output = list(network.layers)[-1]
        weights = network.parameters() if len(labels) else {}
        self._arrays = {n: a for n, a in weights.items() if n.partition(".")[0] == output}
        self._first = {name: array[labels] for name, array in self._arrays.items()}

    def narrow(
        self, y: np.ndarray, frames: np.ndarray, targets: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, Sequence[np.ndarray]]:
        """Return what is to be learnt as if the other characters were all.

        Parameters
        ----------
        y : ndarray, shape (T, N, C)
            Log posteriors.
        frames : ndarray of int64, shape (N,)
        targets : sequence of ndarray
            The labels of each line, none of them protected.

        Returns
        -------
        y : ndarray, shape (T, N, K)
            Log posteriors of the K others, which share out what the protected ones had.
        targets : sequence of ndarray
            Their labels, numbered among the others.
        """
        if not len(self._labels):
            return y, targets
        rest = np.ascontiguousarray(y[..., self._others])
        bias, one = np.zeros(rest.shape[-1], y.dtype), y.dtype.type(1)
        kernel.forward(_rows(rest), bias, one, _inside(y, frames), True)
        return rest, [self._numbers[target] for target in targets]

    def widen(self, dy: np.ndarray, y: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """Return the gradient of all log posteriors.

        Parameters
        ----------
        dy, y : ndarray, shape (T, N, K)
            What `narrow` returned, and its gradient.
        frames : ndarray of int64, shape (N,)

        Returns
        -------
        ndarray, shape (T, N, C)

        Notes
        -----
        ``g = dy - exp(y) sum(dy)`` is the gradient of the scores, 0 for the protected characters.
        Its sum is 0, so that a softmax hands it on to its scores unchanged.
        """
        if not len(self._labels):
            return dy
        part = np.empty_like(y)
        dy, one = np.ascontiguousarray(dy), y.dtype.type(1)
        kernel.backward(_rows(dy), _rows(y), one, _inside(y, frames), True, _rows(part))
        gradient = np.zeros((*y.shape[:2], len(self._numbers)), y.dtype)
        gradient[..., self._others] = part
        return gradient

    def clear(self, gradients: Mapping[str, np.ndarray]) -> None:
        """Take out what rounding left of their rows, of which Adam would make whole steps."""
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
