"""Writing files so that a crash, a full disk or a kill leaves the old file whole."""

from __future__ import annotations

import os
import tempfile
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
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; give it what an ordinary open would have given.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path}: cannot be written ({reason}); free space or choose another place with -o"
        ) from error
