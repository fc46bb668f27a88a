"""Where the result of each image goes below an output folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ocrlstm.datasets import image_stem
from ocrlstm.errors import OutputError
from ocrlstm.network import try_writing

__all__ = ["output_names", "prepare_file", "prepare_folder"]


def output_names(images: Sequence[Path], suffix: str) -> list[Path]:
    """Name a file for each image.

    Parameters
    ----------
    images : sequence of Path
        The images, each once.
    suffix : str
        ".txt" and the like.

    Returns
    -------
    list of Path
        Relative paths: NAME + suffix. If images in different folders share a NAME, all keep their
        path below the folder that holds them all.

    Raises
    ------
    OutputError
        Two images of one folder differ in their extension only.

    Examples
    --------
    >>> [str(name) for name in output_names([Path("a/1.png"), Path("b/2.png")], ".txt")]
    ['1.txt', '2.txt']
    >>> [name.as_posix() for name in output_names([Path("a/1.png"), Path("b/1.png")], ".txt")]
    ['a/1.txt', 'b/1.txt']
    """
    flat = [Path(image_stem(image) + suffix) for image in images]
    if len(set(flat)) == len(flat):
        return flat
    folders = [os.path.abspath(image.parent) for image in images]
    root = os.path.commonpath(folders)
    nested = [
        Path(os.path.relpath(folder, root)) / name
        for folder, name in zip(folders, flat, strict=True)
    ]
    taken: dict[Path, Path] = {}
    for image, name in zip(images, nested, strict=True):
        if name in taken:
            raise OutputError(
                f"{taken[name]} and {image.name}: both results would be {name.name}; "
                "name one of them only"
            )
        taken[name] = image
    return nested


def prepare_folder(folder: Path) -> None:
    """Make an output folder and see that it can be written, before any work is done.

    Raises
    ------
    OutputError
        It cannot be made, or not be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try_writing(folder)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be used as output folder ({error.strerror}); name another with -o"
        ) from error


def prepare_file(path: Path, option: str) -> None:
    """See that an output file can be written, before any work is done.

    Parameters
    ----------
    path : Path
    option : str
        By which another can be named.

    Raises
    ------
    OutputError
        It is a folder, or there is none for it that can be written to.
    """
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file in it with {option}")
    try:
        try_writing(path.parent)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror}); name another file with {option}"
        ) from error
