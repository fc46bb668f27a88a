"""The door of the room: any source -> ink."""

import os

import numpy as np
from PIL import Image

from ocrlstm.image.arrays import array_to_ink
from ocrlstm.image.modes import pillow_to_grey, pillow_to_ink
from ocrlstm.image.names import ImageSource, InkSource, source_name
from ocrlstm.image.opening import check_pixel_count, decode, open_bytes, open_path

__all__ = ["MAX_PIXELS", "read_image", "read_page"]

MAX_PIXELS = 200_000_000
"""Default limit: an A2 page at 600 dpi is 139 million pixels, and decodes to 800 MB of float32."""


def read_image(source: ImageSource, *, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """Read an image of any kind and mode as ink.

    EXIF orientation is undone, transparency lies on white, of an animation or a file of many pages
    the first is read. How 16-bit, integer and float pixels are scaled stands in `image.modes` and
    `image.arrays`.

    Parameters
    ----------
    source : str, path, bytes, PIL image, ndarray or InkSource
        A file, a whole image file in memory, a Pillow image (left as it is, but decoded), or an
        array of *brightness* of shape (H, W) or (H, W, C): 1.0, 255 or True is white. An
        `InkSource` reads itself.
    max_pixels : int, default=200_000_000
        Larger images are refused, files before they are decoded.

    Returns
    -------
    ndarray of shape (H, W), float32, C-contiguous
        Black is 1.0, white 0.0.

    Raises
    ------
    ImageError
        One line: the source, what was found and what to do.

    Examples
    --------
    >>> read_image(np.array([[0, 255]], np.uint8))
    array([[1., 0.]], dtype=float32)
    """
    name = source_name(source)
    if isinstance(source, np.ndarray):
        if source.ndim >= 2:
            check_pixel_count(source.shape[1], source.shape[0], name, max_pixels)
        return array_to_ink(source, name)
    if isinstance(source, Image.Image):
        check_pixel_count(*source.size, name, max_pixels)
        decode(source, name)
        return pillow_to_ink(source, name)
    if isinstance(source, InkSource):
        return source.read_ink(max_pixels)
    if isinstance(source, str | os.PathLike):
        image = open_path(os.fspath(source), name, max_pixels)
    else:
        image = open_bytes(bytes(source), name, max_pixels)
    return pillow_to_ink(image, name)


def read_page(path: str | os.PathLike[str], *, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """Read an image file as `read_image` does, in a quarter of the memory: for whole pages.

    Parameters
    ----------
    path : str or path
    max_pixels : int, default=200_000_000
        Larger images are refused before they are decoded.

    Returns
    -------
    ndarray of shape (H, W), uint8
        Black is 255, white 0.

    Raises
    ------
    ImageError
        As `read_image`.
    """
    name = source_name(path)
    return pillow_to_grey(open_path(os.fspath(path), name, max_pixels), name)
