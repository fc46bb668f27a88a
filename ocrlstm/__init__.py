"""A text-line recogniser: trains a model on image/text pairs, reads lines with it.

In scripts::

    import ocrlstm

    model = ocrlstm.load_model()                 # or a path, or a name that list_models() tells
    line = model.recognize("line.png")           # path, PIL image or NumPy array
    print(line.text, line.confidence)
    for line in model.recognize_lines(images):   # batched, in order; a bad image has line.error
        ...

    config = ocrlstm.TrainingConfig(max_minutes=20)
    result = ocrlstm.train("folder", config, "model.safetensors")  # or (image, text) tuples
    print(result.history[-1].validation_cer)
    print(ocrlstm.Recognizer(result.model).recognize("line.png").text)

The rooms, each importing only from those above it (ARCHITECTURE.md tells more):

========================  ==========================================================
`errors`, `document`      what a user can see go wrong; what was read
`kernels`                 the compiled loops, and the same in plain NumPy
`image`, `text`           a file of any kind -> ink; text <-> labels
`layers`, `losses`,       the differentiable pieces and how they learn
`optimizers`
`lines`                   a line image -> the network's input
`evaluation`, `formats`   scores, comparisons, reports; text, JSON and TSV
`network`, `decoding`     the graph of layers and its file; posteriors -> characters
`datasets`                lines with texts: pairs, pages, packs, drawn ones
`recognition`             `load_model`, `Recognizer`, `Ensemble` (models that vote)
`training`                `train`, `TrainingConfig`, `crossfold`
`cli`                     the command ``ocrlstm``
========================  ==========================================================

Importing this package loads none of them: each name below is fetched when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ocrlstm.version import __version__

if TYPE_CHECKING:
    from ocrlstm import errors
    from ocrlstm.decoding import BeamSearch
    from ocrlstm.decoding.language import load_language_model
    from ocrlstm.document import Character, Line
    from ocrlstm.recognition import (
        Ensemble,
        Recognizer,
        list_models,
        load_model,
        load_models,
        recognize,
    )
    from ocrlstm.training import TrainingConfig, crossfold, train

__all__ = [
    "BeamSearch",
    "Character",
    "Ensemble",
    "Line",
    "Recognizer",
    "TrainingConfig",
    "__version__",
    "crossfold",
    "errors",
    "list_models",
    "load_language_model",
    "load_model",
    "load_models",
    "recognize",
    "train",
]

_HOMES = {
    "BeamSearch": "ocrlstm.decoding",
    "Character": "ocrlstm.document",
    "Ensemble": "ocrlstm.recognition",
    "Line": "ocrlstm.document",
    "Recognizer": "ocrlstm.recognition",
    "TrainingConfig": "ocrlstm.training",
    "crossfold": "ocrlstm.training",
    "list_models": "ocrlstm.recognition",
    "load_language_model": "ocrlstm.decoding.language",
    "load_model": "ocrlstm.recognition",
    "load_models": "ocrlstm.recognition",
    "recognize": "ocrlstm.recognition",
    "train": "ocrlstm.training",
}

# Hidden from type checkers, which would otherwise take any misspelt name for an object.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "errors":
            return import_module("ocrlstm.errors")
        if name in _HOMES:
            value = getattr(import_module(_HOMES[name]), name)
            # Kept, so that the next look-up finds it without coming here.
            globals()[name] = value
            return value
        raise AttributeError(f"module 'ocrlstm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
