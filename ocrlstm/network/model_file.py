"""The model file: one .safetensors file with the weights and a JSON header.

Nothing in the file is run. The header is checked field by field and the shape of every weight
against the spec before anything is allocated, because model files come from strangers.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ocrlstm.errors import ModelFileError, SpecError
from ocrlstm.lines import LineNormalizer
from ocrlstm.network.files import write_atomically
from ocrlstm.network.model import LineModel
from ocrlstm.network.network import Network, array_shapes
from ocrlstm.network.vgsl import Spec, parse_spec
from ocrlstm.network.weights_file import check_weights
from ocrlstm.text import Codec, TextRules

__all__ = ["FORMAT_VERSION", "load_model_file", "model_bytes", "save_model"]

#: Raised when an older program could misread a file; every older version is read forever.
FORMAT_VERSION = 1
_KEY = "ocrlstm"
_FIELDS = ("format_version", "spec", "codec", "normalizer", "metadata")


def model_bytes(model: LineModel) -> bytes:
    """Return the content of the model file of `model`; the same model gives the same bytes."""
    header = {
        "format_version": FORMAT_VERSION,
        "spec": model.network.spec,
        "codec": model.codec.to_dict(),
        "normalizer": model.normalizer.to_dict(),
        "metadata": model.metadata,
    }
    if model.temperature != 1.0:
        header["temperature"] = model.temperature
    if model.rules:
        header["text_rules"] = model.rules.to_dict()
    text = json.dumps(header, ensure_ascii=False, sort_keys=True)
    weights = {name: np.ascontiguousarray(w) for name, w in model.network.arrays().items()}
    return save(weights, metadata={_KEY: text})


def save_model(model: LineModel, path: str | os.PathLike[str]) -> None:
    """Write a model file; an old file stays whole until the new one is complete.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    write_atomically(path, model_bytes(model))


def load_model_file(path: str | os.PathLike[str]) -> LineModel:
    """Read a model file.

    Parameters
    ----------
    path : path

    Returns
    -------
    LineModel

    Raises
    ------
    ModelFileError
        If the file is missing, damaged, of another kind, or from a newer version.
    """
    path = Path(path)
    if not path.is_file():
        raise ModelFileError(f"{path}: no such model file; name a .safetensors file")
    try:
        with safe_open(path, framework="numpy") as file:
            header = _read_header(path, file.metadata())
            spec, codec, normalizer, rules = _read_parts(path, header)
            check_weights(path, file, array_shapes(spec), "its spec")
            network = Network(spec)
            with np.errstate(over="ignore"):  # a float64 too large is found below, as infinite
                for name, weights in network.arrays().items():
                    weights[:] = file.get_tensor(name)
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read ({error.strerror or error})") from error
    except SafetensorError as error:
        raise ModelFileError(
            f"{path}: is damaged or not a model file ({error}); copy or train it again"
        ) from error
    if not all(np.isfinite(w).all() for w in network.arrays().values()):
        raise ModelFileError(f"{path}: holds weights that are not finite; train the model again")
    try:
        temperature = header.get("temperature", 1.0)
        return LineModel(
            network, codec, normalizer, header["metadata"], temperature=temperature, rules=rules
        )
    except ValueError as error:
        raise ModelFileError(f"{path}: its parts do not fit each other: {error}") from error


def _read_header(path: Path, metadata: dict[str, str] | None) -> dict[str, Any]:
    text = (metadata or {}).get(_KEY)
    if text is None:
        raise ModelFileError(
            f"{path}: a safetensors file, but not of ocrlstm; expected one written by ocrlstm train"
        )
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{path}: its header is damaged ({error})") from error
    version = header.get("format_version") if isinstance(header, dict) else None
    if type(version) is not int or version < 1:  # JSON's true would pass for a 1
        raise ModelFileError(f"{path}: its header tells no format version; the file is damaged")
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"{path}: model format {version}, but this ocrlstm reads up to {FORMAT_VERSION}; "
            "install a newer ocrlstm"
        )
    missing = [field for field in _FIELDS if field not in header]
    if missing or not isinstance(header["metadata"], dict):
        raise ModelFileError(f"{path}: its header lacks {', '.join(missing) or 'metadata'}")
    return header


def _read_parts(
    path: Path, header: dict[str, Any]
) -> tuple[Spec, Codec, LineNormalizer, TextRules]:
    try:
        codec = Codec.from_dict(header["codec"])
        normalizer = LineNormalizer.from_dict(header["normalizer"])
        if not isinstance(header["spec"], str):
            raise ValueError("the spec is not a text")
        rules = TextRules.from_dict(header["text_rules"]) if "text_rules" in header else TextRules()
        return parse_spec(header["spec"], len(codec)), codec, normalizer, rules
    except (ValueError, TypeError, OverflowError, SpecError) as error:
        raise ModelFileError(f"{path}: its header is wrong: {error}") from error
