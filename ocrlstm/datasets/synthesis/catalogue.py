"""Which fonts each kind of a recipe draws with, and which are of no use, and why."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.processes import map_in_processes
from ocrlstm.datasets.synthesis.faces import Face, find_font_files, read_faces, require_font_tools
from ocrlstm.datasets.synthesis.looks import CAPITALS, PICTURES
from ocrlstm.datasets.synthesis.recipe import Kind
from ocrlstm.datasets.synthesis.type import Type
from ocrlstm.errors import DatasetError
from ocrlstm.kernels.threads import thread_count

__all__ = ["Catalogue", "KindFonts", "read_catalogue"]

_FEWEST_FOR_PROCESSES = 40


@dataclass(frozen=True)
class KindFonts:
    """A kind of print with its fonts.

    Attributes
    ----------
    kind : Kind
    families : tuple of tuple of Face
        The faces by family, sorted by name: each family is as likely, however many faces it has.
    """

    kind: Kind
    families: tuple[tuple[Face, ...], ...]


@dataclass(frozen=True)
class Catalogue:
    """The fonts of all kinds.

    Attributes
    ----------
    kinds : tuple of KindFonts
    problems : list of Problem
        Fonts that kinds asked for and that are of no use.
    """

    kinds: tuple[KindFonts, ...]
    problems: list[Problem]


def read_catalogue(
    kinds: Sequence[Kind],
    folders: Iterable[str | os.PathLike[str]],
    progress: Callable[[int, int], None] | None = None,
) -> Catalogue:
    """Find, read and look at the fonts of kinds.

    Parameters
    ----------
    kinds : sequence of Kind
    folders : iterable of path
        Where the fonts are; files or folders.
    progress : callable, optional
        Called with the numbers of font files done and of all.

    Returns
    -------
    Catalogue

    Raises
    ------
    DatasetError
        If a kind has no font.
    """
    require_font_tools()
    folders = list(folders)
    files = [
        file
        for file in find_font_files(folders)
        # A face of a collection is named after the file.
        if any(kind.takes(file.stem) or kind.takes(f"{file.stem}#0") for kind in kinds)
    ]
    processes = thread_count() if len(files) >= _FEWEST_FOR_PROCESSES else 1
    looks: dict[Face, str] = {}
    problems: list[Problem] = []
    for done, found in enumerate(map_in_processes(_inspect, files, processes), 1):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            looks.update(found)
        if progress is not None:
            progress(done, len(files))
    chosen = [KindFonts(kind, _families_of(kind, looks, problems)) for kind in kinds]
    for fonts in chosen:
        if not fonts.families:
            raise DatasetError(_no_fonts(fonts.kind, folders, problems))
    return Catalogue(tuple(chosen), problems)


def _inspect(file: Path) -> list[tuple[Face, str]] | Problem:
    """Read the faces of a file, each with its look."""
    try:
        return [(face, Type(face).look()) for face in read_faces(file)]
    except DatasetError as error:
        return Problem(file, str(error).removeprefix(f"{file}: "))


def _families_of(
    kind: Kind, looks: dict[Face, str], problems: list[Problem]
) -> tuple[tuple[Face, ...], ...]:
    families: dict[str, list[Face]] = defaultdict(list)
    for face, look in looks.items():
        if not kind.takes(face.name):
            continue
        if reason := _unfit(kind, face, look):
            problems.append(Problem(Path(face.path), f"not for {kind.name}: {reason}"))
        else:
            families[face.family].append(face)
    return tuple(
        tuple(sorted(families[name], key=lambda face: face.name)) for name in sorted(families)
    )


def _unfit(kind: Kind, face: Face, look: str) -> str:
    """Tell why a kind cannot use a face, or nothing."""
    if look == PICTURES:
        return "its letters are pictures"
    if look == CAPITALS and not kind.small_capitals:
        return "its small letters look like capitals"
    if kind.small_capitals and look != CAPITALS and "smcp" not in face.features:
        return "it has no small capitals"
    return ""


def _no_fonts(kind: Kind, folders: list[str | os.PathLike[str]], problems: list[Problem]) -> str:
    places = ", ".join(map(str, folders))
    last = f"; {problems[-1]}" if problems else ""
    return (
        f"no font of {places} is of use for the kind {kind.name!r} "
        f"({', '.join(kind.fonts)}){last}; bin/fetch-fonts RECIPE.toml installs those of a recipe"
    )
