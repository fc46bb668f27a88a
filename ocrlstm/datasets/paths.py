"""Turn the paths that a user gives into files.

A path is a folder (searched through), a file, a glob or ``@list.txt`` (one path a line).
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ocrlstm.errors import DatasetError

__all__ = [
    "IMAGE_EXTENSIONS",
    "StrPath",
    "files_by_real_path",
    "find_files",
    "find_images",
    "image_beside",
    "image_stem",
    "is_image_name",
    "real_path",
]

IMAGE_EXTENSIONS = frozenset(
    ".bmp .gif .jp2 .jpeg .jpg .pbm .pgm .png .pnm .ppm .tif .tiff .webp".split()
)

StrPath = str | os.PathLike[str]

_LIKELY_FIRST = tuple(dict.fromkeys([".png", ".jpg", ".tif", *sorted(IMAGE_EXTENSIONS)]))

Wanted = Callable[[str], bool]


def find_images(paths: Iterable[StrPath]) -> list[Path]:
    """List the images that the paths stand for.

    Parameters
    ----------
    paths : iterable of str or path
        Folders, images, glob patterns and ``@list.txt``, in any mixture. A path that exists is
        taken as it stands, even if its name looks like a pattern.

    Returns
    -------
    list of Path
        Each image once (by real path), in the order of `paths`; what a folder or a pattern gives
        is in natural order (``line2`` before ``line10``). Hidden files and folders are left out.

    Raises
    ------
    DatasetError
        A path does not exist or has no image, or a list is not readable.
    """
    # A shell that expands folder/* names the texts too: their images stand beside them.
    images = [path for path in find_files(paths, is_image_name) if path.suffix != ".txt"]
    if not images:
        raise DatasetError(
            "no image among the paths given: name a folder, an image, a glob or @list.txt"
        )
    return images


def find_files(
    paths: Iterable[StrPath],
    wanted: Wanted,
    kinds: tuple[str, str] = ("image", "images"),
    by_pattern: Wanted | None = None,
) -> list[Path]:
    """List the files that the paths stand for; see `find_images`.

    Parameters
    ----------
    paths : iterable of str or path
    wanted : callable
        Tells by its name whether a file of a folder is meant; one that is named by itself, or in a
        list, always is.
    kinds : (str, str)
        What messages call such a file, and several.
    by_pattern : callable, optional
        As `wanted`, for what fits a pattern.

    Returns
    -------
    list of Path

    Raises
    ------
    DatasetError
        A path does not exist or stands for no file, or a list is not readable.
    """
    return list(files_by_real_path(paths, wanted, kinds, by_pattern).values())


def files_by_real_path(
    paths: Iterable[StrPath],
    wanted: Wanted,
    kinds: tuple[str, str] = ("image", "images"),
    by_pattern: Wanted | None = None,
) -> dict[str, Path]:
    """Find the same files as `find_files`, each under its real path."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    files: dict[str, Path] = {}
    folders: dict[str, str] = {}
    given = 0
    for path in paths:
        given += 1
        for file in _expand(os.fspath(path), wanted, kinds, by_pattern or wanted):
            files.setdefault(real_path(file, folders), file)
    if not given:
        raise DatasetError("no path given: name a folder, an image, a glob or @list.txt")
    return files


def real_path(path: StrPath, folders: dict[str, str]) -> str:
    """Follow links as `os.path.realpath`, in a tenth of the time for many files of few folders.

    Parameters
    ----------
    path : str or path
    folders : dict of str to str
        Real paths of the folders met so far; grows.
    """
    if os.path.islink(path):
        return os.path.realpath(path)
    folder, name = os.path.split(path)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    return os.path.join(folders[folder], name)


def is_image_name(name: str) -> bool:
    """Tell whether a file has the extension of an image."""
    return os.path.splitext(name)[1].lower() in IMAGE_EXTENSIONS


def image_stem(image: Path) -> str:
    """Name of an image without its image extension; other dots stay.

    Examples
    --------
    >>> image_stem(Path("book/p1.line-2.png")), image_stem(Path("no.42"))
    ('p1.line-2', 'no.42')
    """
    return image.stem if image.suffix.lower() in IMAGE_EXTENSIONS else image.name


def image_beside(folder: Path, stem: str) -> Path | None:
    """Find the image of a folder that has this name and an image extension, small or capital."""
    for extension in _LIKELY_FIRST:
        for name in (stem + extension, stem + extension.upper()):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return Path(path)
    return None


def _expand(
    path: str, wanted: Wanted, kinds: tuple[str, str], by_pattern: Wanted
) -> Iterable[Path]:
    if path.startswith("@"):
        return _files_of_list(path[1:], wanted, kinds)
    if os.path.isdir(path):
        return _files_of_folder(path, wanted, kinds)
    if os.path.exists(path):
        return [Path(path)]
    if glob.has_magic(path):
        return _files_of_pattern(path, wanted, kinds, by_pattern)
    raise DatasetError(f"{path}: no such file or folder")


def _files_of_list(name: str, wanted: Wanted, kinds: tuple[str, str]) -> list[Path]:
    try:
        entries = Path(name).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DatasetError(f"{name}: the list cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{name}: the list is not UTF-8 (offset {error.start})") from error
    files: list[Path] = []
    missing: list[str] = []
    for number, line in enumerate(entries, 1):
        entry = line.strip()
        if not entry:
            continue
        beside = os.path.join(os.path.dirname(name), entry)
        found = next((path for path in (beside, entry) if os.path.exists(path)), None)
        if found is None:
            missing.append(f"line {number}: {entry}")
        elif os.path.isdir(found):
            files.extend(_files_of_folder(found, wanted, kinds))
        else:
            files.append(Path(found))
    if missing:
        raise DatasetError(
            f"{name}: {len(missing)} of the listed paths do not exist, first {missing[0]}"
        )
    if not files:
        raise DatasetError(f"{name}: the list names no {kinds[0]}")
    return files


def _files_of_pattern(
    pattern: str, wanted: Wanted, kinds: tuple[str, str], by_pattern: Wanted
) -> list[Path]:
    files: list[Path] = []
    for found in sorted(glob.glob(pattern, recursive=True), key=_natural_key):
        if os.path.isdir(found):
            files.extend(_walk(found, wanted))
        elif by_pattern(found):
            files.append(Path(found))
    if not files:
        raise DatasetError(f"{pattern}: no {kinds[0]} fits this pattern")
    return files


def _files_of_folder(folder: str, wanted: Wanted, kinds: tuple[str, str]) -> list[Path]:
    files = list(_walk(folder, wanted))
    if not files:
        raise DatasetError(f"{folder}: no {kinds[1]} in this folder or below it")
    return files


def _walk(folder: str, wanted: Wanted) -> Iterator[Path]:
    # Links to folders are followed, as collections are often put together from them; the real
    # paths seen so far keep a link to a folder above from going round for ever.
    seen = {os.path.realpath(folder)}
    for here, folders, files in os.walk(folder, followlinks=True, onerror=_refuse):
        kept = []
        for name in sorted(folders, key=_natural_key):
            real = os.path.realpath(os.path.join(here, name))
            if not name.startswith(".") and real not in seen:
                seen.add(real)
                kept.append(name)
        folders[:] = kept
        for name in sorted(files, key=_natural_key):
            if not name.startswith(".") and wanted(name):
                yield Path(here, name)


def _refuse(error: OSError) -> None:
    raise DatasetError(f"{error.filename}: cannot be searched ({error.strerror})") from error


def _natural_key(name: str) -> tuple[list[str | int], str]:
    # re.split alternates text and digits, so equal places always hold equal types.
    pieces = re.split("([0-9]+)", name)
    return [int(piece) if place % 2 else piece for place, piece in enumerate(pieces)], name
