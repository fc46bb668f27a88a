"""Recipes from TOML files: every key checked, and what is named there found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ocrlstm.datasets.synthesis.effects import EFFECTS, Effect
from ocrlstm.datasets.synthesis.habits import HABITS
from ocrlstm.datasets.synthesis.layout import Layout
from ocrlstm.datasets.synthesis.mixing import Mix
from ocrlstm.datasets.synthesis.recipe import (
    PRESSES,
    SMALL_CAPITALS,
    Kind,
    Packages,
    Recipe,
    Respelling,
)
from ocrlstm.datasets.synthesis.texts import TextSource
from ocrlstm.datasets.synthesis.toml_table import TomlTable, read_toml_table
from ocrlstm.errors import DatasetError

__all__ = ["read_recipe"]

_LENGTHS = (1, 250)
_X_HEIGHTS = (4.0, 40.0)
# What apt and npm themselves allow; nothing that they could take for an option or a place.
_DEBIAN_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
_NPM_NAME = re.compile(r"(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*(@[0-9A-Za-z.^~-]+)?")


def read_recipe(
    path: str | os.PathLike[str], folders: Iterable[str | os.PathLike[str]] = ()
) -> Recipe:
    """Read a recipe.

    Parameters
    ----------
    path : path
        A TOML file; docs/synthetic-lines.md tells its keys.
    folders : iterable of path
        Where the texts and real lines that it names are looked for; its own folder is the last.

    Returns
    -------
    Recipe
        Texts that are in none of the folders keep their names; drawing will tell.

    Raises
    ------
    DatasetError
        If the file cannot be read, a key is unknown (tells the nearest one), or a value is of
        another type or out of bounds.
    """
    table = read_toml_table(path)
    places = [*map(Path, folders), Path(path).parent]
    table.text("description", "")
    texts = tuple(_read_text(one, places) for one in table.tables("text"))
    effects, clean = _read_effects(table.table("degradation"), 0.05)
    try:
        recipe = Recipe(
            texts=texts,
            kinds=tuple(_read_kind(one) for one in table.tables("kind")) or (Kind("any"),),
            mix=_read_mix(table.table("mix")),
            effects=effects,
            clean=0.05 if clean is None else clean,
            number=table.whole("number", 10_000, 1),
            packages=_read_packages(table.table("packages")),
            real=tuple(_find(name, places) for name in table.texts("real")),
            training=table.raw("training"),
        )
    except ValueError as error:
        raise DatasetError(f"{path}: {error}") from error
    table.end()
    return recipe


def _read_text(table: TomlTable, places: list[Path]) -> TextSource:
    file = table.text("file")
    length = table.span("length", (0.0, 0.0), *_LENGTHS) if table.has("length") else None
    source = TextSource(
        name=table.text("name", Path(file).stem),
        file=_find(file, places),
        weight=table.number("weight", 1.0),
        length=None if length is None else (int(length[0]), int(length[1])),
        hyphens=table.number("hyphens", 0.15, 0.0, 1.0),
        hyphen=table.text("hyphen", "-"),
        habits=_read_habits(table.table("habits")),
    )
    table.end()
    return source


def _read_habits(table: TomlTable) -> Mapping[str, float]:
    habits = {name: table.number(name, 0.0, 0.0, 1.0) for name in HABITS if table.has(name)}
    for key in table.keys():
        raise table.error(table.unknown(key, list(HABITS)))
    return habits


def _read_kind(table: TomlTable) -> Kind:
    effects, clean = _read_effects(table.table("degradation"), None)
    low, high = _X_HEIGHTS
    kind = Kind(
        name=table.text("name"),
        weight=table.number("weight", 1.0),
        fonts=table.patterns("fonts") or (".*",),
        without=table.patterns("without"),
        texts=table.texts("texts"),
        press=table.choice("press", "print", PRESSES),
        dots=table.whole("dots", 0, 0, 64),
        small_capitals=table.choice("small_capitals", "", SMALL_CAPITALS),
        x_height=table.span("x_height", Kind.x_height, low, high),
        layout=_read_layout(table.table("layout")),
        effects=effects,
        clean=clean,
        draw=Respelling(table.respelling("draw")),
        truth=Respelling(table.respelling("truth")),
    )
    table.end()
    return kind


def _read_layout(table: TomlTable) -> Layout:
    values: dict[str, Any] = {}
    for field in fields(Layout):
        if isinstance(field.default, tuple):
            values[field.name] = table.span(field.name, field.default, 0.0, 10.0)
        else:
            values[field.name] = table.number(field.name, float(str(field.default)), 0.0, 1.0)
    table.end()
    return Layout(**values)


def _read_mix(table: TomlTable) -> Mix:
    values: dict[str, Any] = {}
    for field in fields(Mix):
        if isinstance(field.default, str):
            values[field.name] = table.text(field.name, field.default)
        else:
            values[field.name] = table.number(field.name, float(str(field.default)), 0.0, 1.0)
    table.end()
    mix = Mix(**values)
    shares = mix.capitals + mix.titles + mix.figures + mix.signs + mix.short + mix.rare
    if shares > 1:
        raise table.error(f"the shares add up to {shares:g}; they are shares of the same lines")
    if mix.rare > 0 and not mix.characters:
        raise table.error("rare lines need characters; name them")
    return mix


def _read_effects(table: TomlTable, clean: float | None) -> tuple[dict[str, Effect], float | None]:
    """Read chances and strengths; an effect is a chance, or a table with both."""
    if table.has("clean"):
        clean = table.number("clean", 0.0, 0.0, 1.0)
    effects: dict[str, Effect] = {}
    for name in table.keys():
        if name not in EFFECTS:
            raise table.error(table.unknown(name, [*EFFECTS, "clean"]))
        usual = EFFECTS[name]
        value = table.value(name)
        given = TomlTable(value if isinstance(value, dict) else {"chance": value}, table.where)
        given.where = f"{table.where}, {name}"
        chance = given.number("chance", usual.chance, 0.0, 1.0)
        effects[name] = Effect(chance, given.number("strength", usual.strength, 0.0, 4.0))
        given.end()
    return effects, clean


def _read_packages(table: TomlTable) -> Packages:
    packages = Packages(table.texts("debian"), table.texts("npm"))
    table.end()
    for names, pattern in ((packages.debian, _DEBIAN_NAME), (packages.npm, _NPM_NAME)):
        for name in names:
            if not pattern.fullmatch(name):
                raise table.error(f"{name!r} is no name of a package")
    return packages


def _find(name: str, places: list[Path]) -> str:
    """Return the first place that has a file or folder of this name, or the name."""
    for place in places:
        if (place / name).exists():
            return str(place / name)
    return name
