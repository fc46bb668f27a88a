"""Writing files so that a crash, a full disk or a kill leaves the old file whole."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from ocrlstm.errors import OutputError

__all__ = ["write_atomically"]


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
    temporary = path.parent / f".{path.name[:40]}.{secrets.token_hex(6)}.tmp"
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
