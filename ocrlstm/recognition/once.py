"""Read an image with one call, for scripts that keep no model of their own."""

from __future__ import annotations

import os
import threading

from ocrlstm.document import Line
from ocrlstm.image import ImageSource
from ocrlstm.recognition.ensemble import Ensemble
from ocrlstm.recognition.models import find_model, load_model
from ocrlstm.recognition.recognizer import Recognizer

__all__ = ["recognize"]

# Models used last, newest at the end; a script rarely changes between more than a few.
KEPT_MODELS = 4

_lock = threading.Lock()
_kept: dict[tuple[str, int, int], Recognizer] = {}


def recognize(
    image: ImageSource, model: str | os.PathLike[str] | Recognizer | Ensemble | None = None
) -> Line:
    """Read one line image.

    Parameters
    ----------
    image : path, bytes of an image file, PIL image or array
        The line.
    model : str, path, Recognizer or Ensemble, optional
        As for `load_model`. A model is loaded once and kept, and again when its file has changed.

    Returns
    -------
    Line
        What was read.

    Raises
    ------
    OcrError
        The image or the model cannot be read.
    """
    if not isinstance(model, Recognizer | Ensemble):
        model = _kept_model(model)
    return model.recognize(image)


def _kept_model(name_or_path: str | os.PathLike[str] | None) -> Recognizer:
    path = os.path.realpath(find_model(name_or_path))
    status = os.stat(path)
    key = (path, status.st_mtime_ns, status.st_size)
    # Held while loading too: two threads that ask for the same model should load it once.
    with _lock:
        recognizer = _kept.pop(key, None) or load_model(path)
        _kept[key] = recognizer
        while len(_kept) > KEPT_MODELS:
            del _kept[next(iter(_kept))]
    return recognizer
