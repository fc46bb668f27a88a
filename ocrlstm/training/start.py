"""The model that a run of fine-tuning begins with."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ocrlstm.errors import ModelFileError
from ocrlstm.network import LineModel, load_model_file, model_bytes
from ocrlstm.training.sources import StrPath

__all__ = ["Start", "StartModel", "load_start", "restore_start"]

StartModel = LineModel | StrPath

# Where a checkpoint keeps the model file, byte for byte.
_ARRAY = "start:model"
# What of a model's metadata its descendants tell of it.
_FACTS = ("program", "provenance", "licence", "training_lines")
# Longer lines of descent are cut off: each model file repeats all of it.
_MOST_ANCESTORS = 20


@dataclass(frozen=True)
class Start:
    """A model to begin with, and the file it came in.

    Attributes
    ----------
    model : LineModel
    name : str
        Of the file, without folder and ending.
    content : bytes
        The model file.
    """

    model: LineModel
    name: str
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the model file, in hexadecimal digits."""
        return hashlib.sha256(self.content).hexdigest()

    def lineage(self) -> list[dict[str, Any]]:
        """Return what the new model tells of this one and of those that it came from in turn.

        The nearest first, each with name, sha256, provenance, licence, program and number of
        training lines, as far as the models tell them.
        """
        metadata = self.model.metadata
        facts = {key: metadata[key] for key in _FACTS if isinstance(metadata.get(key), str | int)}
        older = metadata.get("lineage")
        ancestors = (
            [one for one in older if isinstance(one, dict)] if isinstance(older, list) else []
        )
        return [{"name": self.name, "sha256": self.digest, **facts}, *ancestors[:_MOST_ANCESTORS]]

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the model for a checkpoint: a run that is resumed does not need its file."""
        return {_ARRAY: np.frombuffer(self.content, np.uint8)}


def load_start(source: StartModel) -> Start:
    """Read the model to begin with.

    Parameters
    ----------
    source : LineModel or path

    Raises
    ------
    ModelFileError
        If the file is missing, damaged or of another kind.
    """
    if isinstance(source, LineModel):
        return Start(source, "", model_bytes(source))
    path = Path(source)
    model = load_model_file(path)
    return Start(model, path.stem, path.read_bytes())


def restore_start(name: str | None, arrays: Mapping[str, np.ndarray]) -> Start | None:
    """Read the model back from the arrays of a checkpoint.

    Parameters
    ----------
    name : str or None
        As in `Start`; None for a run that began with random weights.
    arrays : mapping of str to ndarray

    Raises
    ------
    ModelFileError
        If it is damaged or missing.
    """
    if name is None:
        return None
    if _ARRAY not in arrays:
        raise ModelFileError(
            "the checkpoint lacks the model it began with; begin again with --from"
        )
    content = arrays[_ARRAY].tobytes()
    # Checked as any model is, and that is done by file.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "start.safetensors")
        path.write_bytes(content)
        return Start(load_model_file(path), name, content)
