"""Those options of train that say how lines and texts are made, for commands that need no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from ocrlstm.cli.train import training_options
from ocrlstm.training import TrainingConfig

__all__ = ["FORM", "form_options"]

FORM = ("normalizer", "range", "normal_form", "text_rules", "text_table")


def form_options(*more: str) -> Callable[[Any], Any]:
    """Add the options for the fields of `FORM` and for the other fields of `TrainingConfig` named.

    All are None by default.
    """
    wanted = {*FORM, *more}
    return training_options(*(f.name for f in fields(TrainingConfig) if f.name not in wanted))
