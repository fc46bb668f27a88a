"""Networks, from VGSL specs or from Python, trained and asked; line models and their files."""

from ocrlstm.network.files import (
    PendingFile,
    open_atomically,
    remove_leftovers,
    try_writing,
    write_atomically,
)
from ocrlstm.network.history import Evaluation, FitRecord, History
from ocrlstm.network.line_spec import check_line_spec
from ocrlstm.network.model import LineModel
from ocrlstm.network.model_file import FORMAT_VERSION, load_model_file, model_bytes, save_model
from ocrlstm.network.network import Network
from ocrlstm.network.transplant import transplant
from ocrlstm.network.vgsl import Spec, parse_spec, tells_classes, write_spec
from ocrlstm.network.weights_file import load_weights, save_weights

__all__ = [
    "FORMAT_VERSION",
    "Evaluation",
    "FitRecord",
    "History",
    "LineModel",
    "Network",
    "PendingFile",
    "Spec",
    "check_line_spec",
    "load_model_file",
    "load_weights",
    "model_bytes",
    "open_atomically",
    "parse_spec",
    "remove_leftovers",
    "save_model",
    "save_weights",
    "tells_classes",
    "transplant",
    "try_writing",
    "write_atomically",
    "write_spec",
]
