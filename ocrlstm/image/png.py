"""Ink -> a PNG file in memory, for reports that show lines."""

import io

import numpy as np
from PIL import Image

__all__ = ["PNG_SIGNATURE", "png_bytes"]

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first eight bytes of every PNG file (ISO/IEC 15948, section 5.2)."""


def png_bytes(ink: np.ndarray, tallest: int = 160) -> bytes:
    """Return a picture of ink as a grey PNG file; the same ink gives the same bytes.

    Parameters
    ----------
    ink : ndarray of shape (H, W), float or uint8
        1.0 (or 255) is black, as `read_image` gives it; values beyond are cut.
    tallest : int
        A higher picture is made smaller, so that pages of many lines stay small.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If the array is no picture.

    Examples
    --------
    >>> png_bytes(np.zeros((2, 3), np.uint8)).startswith(PNG_SIGNATURE)
    True
    """
    if ink.ndim != 2 or ink.size == 0 or (ink.dtype != np.uint8 and ink.dtype.kind != "f"):
        raise ValueError(
            f"ink is {ink.dtype} of shape {ink.shape}, expected floats or uint8 of shape (H, W)"
        )
    if ink.dtype != np.uint8:
        ink = np.rint(np.clip(np.nan_to_num(ink), 0, 1) * 255).astype(np.uint8)
    picture = Image.fromarray(255 - ink)
    if picture.height > tallest:
        width = max(1, round(picture.width * tallest / picture.height))
        picture = picture.resize((width, tallest), Image.Resampling.BOX)
    content = io.BytesIO()
    picture.save(content, "PNG", optimize=True)
    return content.getvalue()
