"""What an image source is called in messages and results."""

import os
from typing import TypeAlias

import numpy as np
from PIL import Image

__all__ = ["ImageSource", "source_name"]

ImageSource: TypeAlias = "str | os.PathLike[str] | bytes | Image.Image | np.ndarray"
"""What `read_image` takes: a path, a whole image file as bytes, a Pillow image or an array."""


def source_name(source: ImageSource) -> str:
    """Name an image source for messages and results.

    Parameters
    ----------
    source : str, path, bytes, PIL image or ndarray

    Returns
    -------
    str
        The path as given (undecodable bytes of a file name escaped, so that it can be printed), the
        file that a Pillow image came from, or ``<bytes>``, ``<image>``, ``<array>``.

    Examples
    --------
    >>> source_name("page/line.png")
    'page/line.png'
    >>> source_name(b"")
    '<bytes>'
    """
    if isinstance(source, str | os.PathLike):
        return _printable(os.fspath(source))
    if isinstance(source, bytes | bytearray | memoryview):
        return "<bytes>"
    if isinstance(source, Image.Image):
        filename = getattr(source, "filename", "")
        return _printable(os.fsdecode(filename)) if filename else "<image>"
    if isinstance(source, np.ndarray):
        return "<array>"
    raise TypeError(
        f"an image is a path, bytes, a Pillow image or a NumPy array, not {type(source).__name__}"
    )


def _printable(path: str) -> str:
    """Escape what would not print on one line: undecodable bytes and line breaks."""
    text = path.encode("utf-8", "backslashreplace").decode("utf-8")
    return text.replace("\n", "\\n").replace("\r", "\\r")
