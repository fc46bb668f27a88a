"""Front doors for reading: load a model, read lines with it."""

from ocrlstm.recognition.models import (
    DEFAULT_MODEL,
    ModelInfo,
    find_model,
    list_models,
    load_model,
)
from ocrlstm.recognition.once import recognize
from ocrlstm.recognition.recognizer import BATCH_SIZE, Recognizer

__all__ = [
    "BATCH_SIZE",
    "DEFAULT_MODEL",
    "ModelInfo",
    "Recognizer",
    "find_model",
    "list_models",
    "load_model",
    "recognize",
]
