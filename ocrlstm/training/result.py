"""What a run gives back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ocrlstm.datasets import LineSet, Problem
from ocrlstm.network import LineModel
from ocrlstm.training.events import EpochRecord

__all__ = ["TrainingResult"]


@dataclass(frozen=True)
class TrainingResult:
    """The model of a run and how it came about.

    Attributes
    ----------
    model : LineModel
        The best one by validation CER. `ocrlstm.Recognizer(model)` reads with it.
    history : list of EpochRecord
    problems : list of Problem
        The pairs that were left out, and why.
    interrupted : bool
        It was stopped before its end; its checkpoint can be resumed.
    output : Path or None
        The model file, if one was asked for.
    validation : LineSet
        The lines that the model was chosen by.
    """

    model: LineModel
    history: list[EpochRecord]
    problems: list[Problem]
    interrupted: bool
    output: Path | None
    validation: LineSet
