"""The models that come with the library, and any other model file by its path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.decoding import BeamSearch
from ocrlstm.errors import ModelFileError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.network import load_model_file
from ocrlstm.recognition.ensemble import Ensemble
from ocrlstm.recognition.reading import Decoder
from ocrlstm.recognition.recognizer import BATCH_SIZE, Recognizer

__all__ = ["DEFAULT_MODEL", "ModelInfo", "find_model", "list_models", "load_model", "load_models"]

DEFAULT_MODEL = "english-sample"

SUFFIX = ".safetensors"

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class ModelInfo:
    """A shipped model.

    Attributes
    ----------
    name : str
        What `load_model` finds it by.
    path : Path
        The model file.
    title : str
        First heading of its card; the name if it has no card.
    """

    name: str
    path: Path
    title: str

    @property
    def card(self) -> str:
        """Its description in Markdown; empty if there is none."""
        return _read_card(self.path)


def list_models() -> list[ModelInfo]:
    """List the shipped models, the default first, then by name."""
    found = {path.stem: path for folder in _folders() for path in folder.glob(f"*{SUFFIX}")}
    names = sorted(found, key=lambda name: (name != DEFAULT_MODEL, name))
    return [ModelInfo(name, found[name], _title(found[name], name)) for name in names]


def find_model(name_or_path: str | os.PathLike[str] | None = None) -> Path:
    """Tell where a model lies.

    Parameters
    ----------
    name_or_path : str or path, optional
        A model file, or the name of a shipped model; a file wins. Without it the default model.

    Returns
    -------
    Path
        The model file.

    Raises
    ------
    ModelFileError
        There is neither such a file nor such a name.
    """
    name = os.fspath(name_or_path) if name_or_path is not None else DEFAULT_MODEL
    if name_or_path is not None and os.path.isfile(name):
        return Path(name)
    models = list_models()
    for model in models:
        if model.name == name:
            return model.path
    shipped = ", ".join(model.name for model in models) or "none"
    raise ModelFileError(
        f"{name}: neither a model file nor the name of a shipped model (shipped: {shipped})"
    )


def load_model(
    name_or_path: str | os.PathLike[str] | None = None,
    *,
    decoder: str | BeamSearch | Decoder = "greedy",
    n_best: int = 0,
    alternatives: int = 0,
    whitelist: str | None = None,
    blacklist: str | None = None,
    max_pixels: int = MAX_PIXELS,
    batch_size: int = BATCH_SIZE,
) -> Recognizer:
    """Load a model and make it ready to read.

    Parameters
    ----------
    name_or_path : str or path, optional
        A model file, or a name that `list_models` tells; without it the default model.
    decoder, n_best, alternatives, whitelist, blacklist, max_pixels, batch_size
        See `Recognizer`.

    Returns
    -------
    Recognizer
        Its `recognize` and `recognize_lines` read images.

    Raises
    ------
    ModelFileError
        The model is not there, damaged, or from a newer version.
    """
    model = load_model_file(find_model(name_or_path))
    return Recognizer(
        model,
        decoder=decoder,
        n_best=n_best,
        alternatives=alternatives,
        whitelist=whitelist,
        blacklist=blacklist,
        max_pixels=max_pixels,
        batch_size=batch_size,
    )


def load_models(
    names_or_paths: Sequence[str | os.PathLike[str]],
    *,
    decoder: str | BeamSearch | Decoder = "greedy",
    n_best: int = 0,
    alternatives: int = 0,
    whitelist: str | None = None,
    blacklist: str | None = None,
    max_pixels: int = MAX_PIXELS,
    batch_size: int = BATCH_SIZE,
) -> Recognizer | Ensemble:
    """Load models that vote on every line.

    Parameters
    ----------
    names_or_paths : sequence of str or path
        As for `load_model`; none stands for the default model.
    decoder, n_best, alternatives, whitelist, blacklist, max_pixels, batch_size
        See `Recognizer`.

    Returns
    -------
    Recognizer or Ensemble
        A single model votes with no other.

    Raises
    ------
    ModelFileError
        As `load_model`, or if the models cannot vote together.
    """
    recognizers = [
        load_model(
            name,
            decoder=decoder,
            n_best=n_best,
            alternatives=alternatives,
            whitelist=whitelist,
            blacklist=blacklist,
            max_pixels=max_pixels,
            batch_size=batch_size,
        )
        for name in names_or_paths or [DEFAULT_MODEL]
    ]
    if len(recognizers) == 1:
        return recognizers[0]
    if n_best:
        raise ValueError(f"n_best is of one model, not of {len(recognizers)} that vote")
    try:
        return Ensemble(recognizers)
    except ValueError as error:
        names = ", ".join(os.fspath(name) for name in names_or_paths)
        raise ModelFileError(f"{names}: {error}") from error


def _folders() -> list[Path]:
    """Where shipped models may lie: in the installed package, else in models/ of a checkout."""
    if (_PACKAGE / "pretrained").is_dir():
        return [_PACKAGE / "pretrained"]
    # Beside an installed package may lie anybody's folder "models"; a checkout shows by its setup.
    root = _PACKAGE.parent
    return [root / "models"] if (root / "pyproject.toml").is_file() else []


def _title(path: Path, name: str) -> str:
    for line in _read_card(path).splitlines():
        if line.startswith("#"):
            return line.lstrip("#").strip()
    return name


def _read_card(path: Path) -> str:
    card = path.with_suffix(".md")
    return card.read_text(encoding="utf-8") if card.is_file() else ""
