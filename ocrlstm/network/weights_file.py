"""The weights of any network in a .safetensors file, to be loaded into the same network again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ocrlstm.errors import ModelFileError
from ocrlstm.layers.base import Shapes
from ocrlstm.network.files import write_atomically
from ocrlstm.network.graph import Graph

__all__ = ["check_weights", "load_weights", "save_weights"]


def save_weights(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the weights and running statistics of a built network.

    A model that reads lines has a file of its own, with all that goes with it: see
    `ocrlstm.network.save_model`.

    Raises
    ------
    OutputError
        If the file cannot be written; an old one stays whole.
    RuntimeError
        If the network is not built: it has no weights yet.
    """
    _check_built(graph)
    arrays = {name: np.ascontiguousarray(array) for name, array in graph.arrays().items()}
    write_atomically(path, save(arrays))


def load_weights(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Read what `save_weights` wrote into a built network of the same layers.

    Nothing is changed unless all of it fits. Reading runs no code from the file.

    Raises
    ------
    ModelFileError
        If the file is missing or damaged, or holds the weights of another network, or some that
        are not finite.
    RuntimeError
        If the network is not built: call `build` or `compile` before.
    """
    _check_built(graph)
    path = Path(path)
    if not path.is_file():
        raise ModelFileError(f"{path}: no such file of weights; name a .safetensors file")
    arrays = graph.arrays()
    try:
        with safe_open(path, framework="numpy") as file:
            check_weights(path, file, {n: a.shape for n, a in arrays.items()}, "this network")
            with np.errstate(over="ignore"):  # found below, as infinite
                loaded = {name: file.get_tensor(name).astype(graph.dtype) for name in arrays}
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read ({error.strerror or error})") from error
    except SafetensorError as error:
        raise ModelFileError(f"{path}: is damaged or no file of weights ({error})") from error
    if not all(np.isfinite(array).all() for array in loaded.values()):
        raise ModelFileError(f"{path}: holds weights that are not finite; train the network again")
    for name, array in arrays.items():
        array[...] = loaded[name]


def _check_built(graph: Graph) -> None:
    if not graph.built:
        raise RuntimeError("weights are those of a network that is built; build or compile it")


def check_weights(path: Path, file: Any, shapes: Shapes, whose: str) -> None:
    """Check an open safetensors file before anything is read from it.

    Parameters
    ----------
    path : path
    file : safetensors file
    shapes : dict of str to tuple of int
        What it has to hold, and nothing else.
    whose : str
        Who needs it, for messages.

    Raises
    ------
    ModelFileError
        If weights are missing, of another shape or kind, or too many.
    """
    names = set(file.keys())
    for name, shape in shapes.items():
        if name not in names:
            raise ModelFileError(f"{path}: lacks the weights {name} {shape} that {whose} needs")
        entry = file.get_slice(name)
        found = tuple(entry.get_shape())
        if found != shape:
            raise ModelFileError(f"{path}: weights {name} are {found}, {whose} needs {shape}")
        if entry.get_dtype() not in ("F16", "F32", "F64"):
            raise ModelFileError(f"{path}: weights {name} are {entry.get_dtype()}, not floats")
    unknown = sorted(names - set(shapes))
    if unknown:
        raise ModelFileError(f"{path}: holds weights {whose} does not know: {unknown[0]}")
