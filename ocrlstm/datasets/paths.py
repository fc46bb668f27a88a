"""Turn the paths that a user gives into files.

A path is a folder (searched through), a file, a glob or ``@list.txt`` (one path a line).
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ocrlstm.errors import DatasetError

__all__ = ["IMAGE_EXTENSIONS", "StrPath", "find_images", "image_stem"]

IMAGE_EXTENSIONS = frozenset(
    ".bmp .gif .jp2 .jpeg .jpg .pbm .pgm .png .pnm .ppm .tif .tiff .webp".split()
)

StrPath = str | os.PathLike[str]


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
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    images: dict[str, Path] = {}
    given = 0
    for path in paths:
        given += 1
        for image in _expand(os.fspath(path)):
            images.setdefault(os.path.realpath(image), image)
    if not images:
        found = "no image among the paths given" if given else "no path given"
        raise DatasetError(f"{found}: name a folder, an image, a glob or @list.txt")
    return list(images.values())


def image_stem(image: Path) -> str:
    """Name of an image without its image extension; other dots stay.

    Examples
    --------
    >>> image_stem(Path("book/p1.line-2.png")), image_stem(Path("no.42"))
    ('p1.line-2', 'no.42')
    """
    return image.stem if image.suffix.lower() in IMAGE_EXTENSIONS else image.name


def _expand(path: str) -> Iterable[Path]:
    if path.startswith("@"):
        return _images_of_list(path[1:])
    if os.path.isdir(path):
        return _images_of_folder(path)
    if os.path.exists(path):
        # A shell that expands folder/* names the texts too: their images stand beside them.
        return [] if path.endswith(".txt") else [Path(path)]
    if glob.has_magic(path):
        return _images_of_pattern(path)
    raise DatasetError(f"{path}: no such file or folder")


def _images_of_list(name: str) -> list[Path]:
    try:
        entries = Path(name).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DatasetError(f"{name}: the list cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{name}: the list is not UTF-8 (offset {error.start})") from error
    images: list[Path] = []
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
            images.extend(_images_of_folder(found))
        else:
            images.append(Path(found))
    if missing:
        raise DatasetError(
            f"{name}: {len(missing)} of the listed paths do not exist, first {missing[0]}"
        )
    if not images:
        raise DatasetError(f"{name}: the list names no image")
    return images


def _images_of_pattern(pattern: str) -> list[Path]:
    images: list[Path] = []
    for found in sorted(glob.glob(pattern, recursive=True), key=_natural_key):
        if os.path.isdir(found):
            images.extend(_walk(found))
        elif _is_image_name(found):
            images.append(Path(found))
    if not images:
        raise DatasetError(f"{pattern}: no image fits this pattern")
    return images


def _images_of_folder(folder: str) -> list[Path]:
    images = list(_walk(folder))
    if not images:
        raise DatasetError(f"{folder}: no images in this folder or below it")
    return images


def _walk(folder: str) -> Iterator[Path]:
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
            if not name.startswith(".") and _is_image_name(name):
                yield Path(here, name)


def _refuse(error: OSError) -> None:
    raise DatasetError(f"{error.filename}: cannot be searched ({error.strerror})") from error


def _is_image_name(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in IMAGE_EXTENSIONS


def _natural_key(name: str) -> tuple[list[str | int], str]:
    # re.split alternates text and digits, so equal places always hold equal types.
    pieces = re.split("([0-9]+)", name)
    return [int(piece) if place % 2 else piece for place, piece in enumerate(pieces)], name
