"""Records of how a network was trained and how good it is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FitRecord", "Evaluation", "History"]


@dataclass(frozen=True)
class FitRecord:
    """One epoch of `Network.fit`.

    Attributes
    ----------
    epoch : int
        From 1.
    loss : float
        Mean over all items, of each as it was met in training.
    accuracy : float or None
        Share of frames or pixels whose class was right; None where targets are no classes.
    validation_loss, validation_accuracy : float or None
        After the epoch; None without validation.
    rate : float
        Learning rate of the last step.
    seconds : float
        Of the whole epoch, its validation too.
    """

    epoch: int
    loss: float
    accuracy: float | None
    validation_loss: float | None
    validation_accuracy: float | None
    rate: float
    seconds: float


@dataclass(frozen=True)
class History:
    """What `Network.fit` gives.

    Attributes
    ----------
    records : tuple of FitRecord
        Of all epochs that were finished.
    interrupted : bool
        Whether the user ended it with an interrupt from the keyboard.
    best_epoch : int or None
        Whose weights the network has, where `patience` was given; None before the first epoch is
        finished or without patience, when it has the last ones.
    """

    records: tuple[FitRecord, ...]
    interrupted: bool = False
    best_epoch: int | None = None


@dataclass(frozen=True)
class Evaluation:
    """What `Network.evaluate` gives.

    Attributes
    ----------
    loss : float
        Mean over all items.
    accuracy : float or None
        Share of frames or pixels whose class is right; None where targets are no classes.
    items : int
    """

    loss: float
    accuracy: float | None
    items: int
