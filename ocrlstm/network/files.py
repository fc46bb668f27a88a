"""Writing files so that a crash, a full disk or a kill leaves the old file whole."""

from __future__ import annotations

import glob
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ocrlstm.errors import OutputError

__all__ = ["PendingFile", "open_atomically", "remove_leftovers", "try_writing", "write_atomically"]


def try_writing(folder: str | os.PathLike[str]) -> None:
    """Find out whether files can be written into a folder, before any work is done.

    Raises
    ------
    OSError
        They cannot.
    """
    # A file is the one sure test: permission bits do not bind root, nor tell of a full disk.
    with tempfile.TemporaryFile(dir=folder):
        pass


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file under a temporary name beside it, flush it to disk, and rename it.

    Parameters
    ----------
    path : path
    content : bytes

    Raises
    ------
    OutputError
        If the file cannot be written; a file that was there before is untouched.
    """
    with open_atomically(path) as pending:
        pending.write(content)


class PendingFile:
    """A file under a temporary name, which takes its own when all is written.

    Attributes
    ----------
    path : Path
        That name; may be changed until the end.
    file : binary file
        For seeking; `write` tells a full disk in clear words.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.file = file

    def write(self, data: bytes | bytearray) -> None:
        """Write at the file's place.

        Raises
        ------
        OutputError
            If the disk is full.
        """
        try:
            self.file.write(data)
        except OSError as error:
            raise _unwritable(self.path, error) from error


@contextmanager
def open_atomically(path: str | os.PathLike[str]) -> Iterator[PendingFile]:
    """Write a file piece by piece; `write_atomically` says how.

    Raises
    ------
    OutputError
        If the file cannot be written. Whatever is raised inside, nothing is left of it, and a file
        that was there before is untouched.
    """
    path = Path(path)
    temporary = path.parent / f"{_prefix(path)}{secrets.token_hex(6)}.tmp"
    try:
        # An ordinary open, so that the file gets the permissions that the user's files get.
        with open(temporary, "xb") as file:
            pending = PendingFile(path, file)
            yield pending
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, pending.path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if not isinstance(error, OSError):
            raise
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> OutputError:
    reason = error.strerror or str(error)
    return OutputError(
        f"{path}: cannot be written ({reason}); free space or choose another place with -o"
    )


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what killed processes left half-written beside a file.

    Parameters
    ----------
    path : path
        As given to `write_atomically`; nobody may be writing it now.
    """
    path = Path(path)
    for temporary in path.parent.glob(f"{glob.escape(_prefix(path))}{'[0-9a-f]' * 12}.tmp"):
        with suppress(OSError):
            temporary.unlink()


def _prefix(path: Path) -> str:
    # Cut, because the name of a file may not be longer than 255 bytes.
    return f".{path.name[:40]}."
