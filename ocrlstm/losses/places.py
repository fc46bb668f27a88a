"""Where the values of a batch stand that count: within the items' lengths."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.lengths import check_lengths

__all__ = ["Places"]


class Places:
    """The frames of sequences, or the pixels of images, that lie within the lengths.

    A loss takes their values as rows, (M, F) for M places of the whole batch, and never sees what
    lies beyond. Rows of an item follow each other in the same order whatever its neighbours are,
    so that these change no bit of its loss.

    Parameters
    ----------
    outputs : ndarray (T, N, F) or (N, H, W, C) of float
        What a network gave.
    lengths : array_like (N,) of int
        Valid frames or columns of each item.

    Attributes
    ----------
    inside : ndarray of bool, (T, N) or (N, H, W)
        Which frames or pixels count.
    item : ndarray of int64, (M,)
        The item of each row.
    items : int
        N.
    lengths : ndarray of int64, (N,)

    Raises
    ------
    ValueError
        If `outputs` are neither sequences nor images of numbers, or the lengths do not fit them.
    """

    def __init__(self, outputs: np.ndarray, lengths: np.ndarray) -> None:
        if outputs.ndim not in (3, 4) or outputs.dtype.kind != "f":
            raise ValueError(
                "outputs must be floats of shape (T, N, F) or (N, H, W, C), "
                f"not {outputs.dtype} of shape {outputs.shape}"
            )
        if outputs.ndim == 4:
            self.items, height, width, _ = outputs.shape
            self.lengths = check_lengths(lengths, self.items, width)
            columns = np.arange(width) < self.lengths[:, None]
            self.inside = np.repeat(columns[:, None], height, axis=1)
            self.item = np.nonzero(self.inside)[0]
        else:
            frames, self.items, _ = outputs.shape
            self.lengths = check_lengths(lengths, self.items, frames)
            self.inside = np.arange(frames)[:, None] < self.lengths
            self.item = np.nonzero(self.inside)[1]
        self._outputs = outputs

    def rows(self, array: np.ndarray) -> np.ndarray:
        """Return the values that count as rows (M, F) of float64."""
        return array[self.inside].astype(np.float64, copy=False)

    def mean(
        self, losses: np.ndarray, slopes: np.ndarray, counts: np.ndarray | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return each item's mean loss and its gradient.

        Parameters
        ----------
        losses : ndarray (M,)
            The sum of the losses of each row.
        slopes : ndarray (M, F)
            Their derivatives with respect to the outputs.
        counts : ndarray (M,) or int
            How many losses each row is the sum of.

        Returns
        -------
        losses : ndarray (N,) of float64
            0 for an item in which nothing counts.
        gradient : ndarray
            Shaped and typed as the outputs, 0 beyond the lengths.
        """
        counts = np.broadcast_to(np.asarray(counts, np.float64), losses.shape)
        total = np.bincount(self.item, counts, minlength=self.items)
        share = 1.0 / np.maximum(total, 1.0)
        gradient = np.zeros(self._outputs.shape, self._outputs.dtype)
        gradient[self.inside] = slopes * share[self.item, None]
        return np.bincount(self.item, losses, minlength=self.items) * share, gradient
