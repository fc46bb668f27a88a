"""Front doors for reading: load a model, read lines with it."""

from ocrlstm.recognition.data_check import check_data_with_model
from ocrlstm.recognition.ensemble import Ensemble
from ocrlstm.recognition.models import (
    DEFAULT_MODEL,
    ModelInfo,
    find_model,
    list_models,
    load_model,
    load_models,
)
from ocrlstm.recognition.once import recognize
from ocrlstm.recognition.recognizer import BATCH_SIZE, Recognizer
from ocrlstm.recognition.tuning import Tuning, tune_weights

__all__ = [
    "BATCH_SIZE",
    "DEFAULT_MODEL",
    "Ensemble",
    "ModelInfo",
    "Recognizer",
    "Tuning",
    "check_data_with_model",
    "find_model",
    "list_models",
    "load_model",
    "load_models",
    "recognize",
    "tune_weights",
]
