"""What a training run is asked to do: by options, and by the TOML file that they override."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocrlstm.errors import TrainingError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.network import LineModel, load_model_file
from ocrlstm.recognition import find_model
from ocrlstm.text import read_rules
from ocrlstm.training import TrainingConfig, tuning_config
from ocrlstm.training.toml_file import RUN_KINDS, read_toml, setting_kinds
from ocrlstm.training.toml_writing import format_toml
from ocrlstm.training.tuning import check_tuning

__all__ = ["TrainingRequest", "make_config", "make_request"]


@dataclass(frozen=True)
class TrainingRequest:
    """A run, before anything of it is read but the model to begin with.

    Attributes
    ----------
    config : TrainingConfig
    paths, validation : tuple of str
    output : Path or None
    start : Path or None
        The model to begin with.
    threads : int or None
    max_pixels : int
    more : dict
        What else was given, of the kinds that a command has besides those of training.
    """

    config: TrainingConfig
    paths: tuple[str, ...]
    validation: tuple[str, ...]
    output: Path | None
    start: Path | None
    threads: int | None
    max_pixels: int
    more: dict[str, Any]

    def to_toml(self) -> str:
        """Return all of it as a TOML file that asks for the same, wherever it lies."""
        values = {
            "paths": [_absolute(path) for path in self.paths],
            "validation": [_absolute(path) for path in self.validation],
            "output": None if self.output is None else _absolute(self.output),
            "from": None if self.start is None else _absolute(self.start),
            "threads": self.threads,
            "max_pixels": self.max_pixels,
            **{name: _absolute(value) for name, value in self.more.items()},
            **self.config.to_dict(),
        }
        return format_toml(values, "ocrlstm train --config THIS.toml; options override it")


def make_request(
    given: Mapping[str, Any], file: Path | None, more_kinds: Mapping[str, str] | None = None
) -> TrainingRequest:
    """Put together what options and a file ask for.

    Parameters
    ----------
    given : mapping
        The options that were given: fields of `TrainingConfig` and the keys of `RUN_KINDS`.
    file : Path or None
        A TOML file; what it says counts where no option says otherwise.
    more_kinds : mapping of str to str, optional
        Further keys and their kinds, see `read_toml`.

    Raises
    ------
    TrainingError
        If file or settings are wrong; begins with the file or the option at fault.
    ModelFileError
        If the model to begin with cannot be read.
    """
    kinds = {**RUN_KINDS, **setting_kinds(), **(more_kinds or {})}
    written = {} if file is None else read_toml(file, kinds)
    for name in ("threads", "max_pixels"):
        if written.get(name, 1) < 1:
            raise TrainingError(f"{file}: {name} is {written[name]}; it must be 1 or more")
    asked = {**written, **given}
    run = {name: asked.pop(name, None) for name in RUN_KINDS}
    more = {name: asked.pop(name) for name in more_kinds or {} if name in asked}
    start = None if run["from"] is None else find_model(run["from"])
    model = None if start is None else load_model_file(start)
    origin = {name: f"{file}: {name}" for name in written.keys() - given.keys()}
    return TrainingRequest(
        make_config(asked, model, origin),
        tuple(run["paths"] or ()),
        tuple(run["validation"] or ()),
        None if run["output"] is None else Path(run["output"]),
        start,
        run["threads"],
        run["max_pixels"] or MAX_PIXELS,
        more,
    )


def make_config(
    given: Mapping[str, Any],
    start: LineModel | None = None,
    origin: Mapping[str, str] | None = None,
) -> TrainingConfig:
    """Return the settings of the options given.

    Parameters
    ----------
    given : mapping
        Fields of `TrainingConfig`; a text table may be given as a path.
    start : LineModel, optional
        The model to begin with.
    origin : mapping of str to str, optional
        How to tell of a field that does not come from an option; ``--its-name`` by default.

    Raises
    ------
    TrainingError
        Beginning with the option that is wrong.
    DatasetError
        If a text table cannot be read or is wrong.
    """
    table = given.get("text_table")
    if isinstance(table, str | os.PathLike):
        given = {**given, "text_table": read_rules(given.get("text_rules", ()), table).table}
    try:
        config = TrainingConfig(**given) if start is None else tuning_config(start, **given)
        check_tuning(config, start)
        return config
    except TrainingError as error:
        # Its message begins with the setting, which here has the name of an option.
        setting = re.split("[ :]", str(error), maxsplit=1)[0]
        known = (origin or {}).get(setting, f"--{setting.replace('_', '-')}")
        raise TrainingError(f"{known}{str(error)[len(setting) :]}") from error


def _absolute(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    return f"@{os.path.abspath(text[1:])}" if text.startswith("@") else os.path.abspath(text)
