"""What an image source is called in messages and results."""

import os
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from PIL import Image

__all__ = ["ImageSource", "InkSource", "source_name"]


@runtime_checkable
class InkSource(Protocol):
    """An image that knows by itself how it is read, such as a line cut from a page.

    Attributes
    ----------
    name : str
        What messages call it; the message of an ImageError of `read_ink` begins with it.
    """

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    def read_ink(self, max_pixels: int) -> np.ndarray:
        """Give the image as `read_image` does: (H, W) float32, ink 1.0."""
        ...


ImageSource: TypeAlias = "str | os.PathLike[str] | bytes | Image.Image | np.ndarray | InkSource"
"""What `read_image` takes."""


def source_name(source: ImageSource) -> str:
    """Name an image source for messages and results.

    Parameters
    ----------
    source : str, path, bytes, PIL image, ndarray or InkSource

    Returns
    -------
    str
        The path as given (undecodable bytes of a file name escaped, so that it can be printed), the
        file that a Pillow image came from, the name of an `InkSource`, or ``<bytes>``,
        ``<image>``, ``<array>``.

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
    if isinstance(source, InkSource):
        return _printable(source.name)
    raise TypeError(
        f"an image is a path, bytes, a Pillow image or a NumPy array, not {type(source).__name__}"
    )


def _printable(path: str) -> str:
    """Escape what would not print on one line: undecodable bytes and line breaks."""
    text = path.encode("utf-8", "backslashreplace").decode("utf-8")
    return text.replace("\n", "\\n").replace("\r", "\\r")
