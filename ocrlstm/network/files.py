"""Writing files so that a crash, a full disk or a kill leaves the old file whole."""

from __future__ import annotations

import glob
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from ocrlstm.errors import OutputError

__all__ = ["remove_leftovers", "try_writing", "write_atomically"]


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
    path = Path(path)
    temporary = path.parent / f"{_prefix(path)}{secrets.token_hex(6)}.tmp"
    try:
        # An ordinary open, so that the file gets the permissions that the user's files get.
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if not isinstance(error, OSError):
            raise
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path}: cannot be written ({reason}); free space or choose another place with -o"
        ) from error


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
