"""Text files of any size, line by line."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path

from ocrlstm.errors import LanguageModelError

__all__ = ["check_text", "find_texts", "read_lines"]

# Longer lines come in pieces, since a file may be a single one.
_LONGEST_LINE = 1 << 16
_BLOCK = 1 << 20


def find_texts(paths: Iterable[Path]) -> list[Path]:
    """Return the text files that paths stand for.

    Parameters
    ----------
    paths : iterable of Path
        Files, taken as they are, and folders, of which all ``.txt`` files are taken (also those in
        folders below).

    Returns
    -------
    list of Path
        Each once, those of a folder sorted.

    Raises
    ------
    LanguageModelError
        If a path is not there, or a folder holds no ``.txt`` file.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            if not path.exists():
                raise LanguageModelError(f"{path}: no such text file or folder")
            found[path] = None
            continue
        inside = sorted(file for file in path.rglob("*.txt") if file.is_file())
        if not inside:
            raise LanguageModelError(f"{path}: no .txt file in this folder")
        found.update(dict.fromkeys(inside))
    return list(found)


def check_text(path: Path) -> None:
    """See that a file is UTF-8 to its end, before any of it is used.

    Raises
    ------
    LanguageModelError
        If it cannot be read or is not UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                decoder.decode(block)
                done += len(block)
            decoder.decode(b"", final=True)
    except OSError as error:
        raise LanguageModelError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise LanguageModelError(
            f"{path}: not UTF-8 (near offset {done}); save the text as UTF-8"
        ) from error


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, very long ones in pieces."""
    with open(path, encoding="utf-8-sig") as file:
        while line := file.readline(_LONGEST_LINE):
            yield line
